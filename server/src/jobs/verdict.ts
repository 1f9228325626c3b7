import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';

const LEAST_SHARE = 0.95;

/**
 * Why a finished run says nothing about its CCA; null when it is sound. Only real time can go wrong in this way: the emulator came too
 * late or lost packets that no model lost, the run was cut short, or a flow never got anything through.
 */
export function faultOf(manifest: RunManifest, summary: RunSummary): string | null {
  if (manifest.engine === 'virtual') return null;
  const { lateness } = summary;
  if (lateness?.overrun === true) {
    const late = `wake-ups ${(lateness.p99_us / 1000).toFixed(1)} ms late at the 99th percentile, ${(100 * lateness.late_opportunities).toFixed(2)} % of the opportunities over 1 ms late`;
    const lost =
      lateness.unmodelled_losses === 0 ? '' : `, ${lateness.unmodelled_losses} packets lost outside the modelled link`;
    return `the machine could not keep up with real time: ${late}${lost}`;
  }
  if (summary.duration_s < LEAST_SHARE * manifest.duration_s)
    return `the run lasted ${summary.duration_s.toFixed(1)} of ${manifest.duration_s} s`;
  const silent = summary.receivers.find((receiver) => receiver.received_packets === 0);
  return silent === undefined ? null : `nothing of flow ${silent.flow} arrived`;
}
