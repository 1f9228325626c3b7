// The course of a run in numbers: the time that it takes to recover, to converge and to settle, and Jain's index over short times.
import { MOST_DIP_S } from '#analysis/capacity-dips';
import { WINDOWS_K } from '#analysis/fairness';
import type { Recovery } from '#analysis/recovery';
import { dynamicsSteps, type RunDynamics } from '#analysis/run-dynamics';
import type { Family, SampledValue } from '#analysis/sampled-parts';
import { FRACTION, known, NOTHING, POSITIVE } from '#analysis/sampled-parts';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { RunSampled } from '#protocol/sampled';

const seconds = (label: string): SampledValue => ({ label, unit: 's', range: POSITIVE });
const share = (label: string): SampledValue => ({ label, unit: '', range: FRACTION });

/** Of what the link did not carry: how deep it fell, for as long as it was away. */
const taken = ({ from_s, back_s, level_mbps, low_mbps }: Recovery, end_s: number): number =>
  (level_mbps - low_mbps) * ((back_s ?? Math.min(from_s + MOST_DIP_S, end_s)) - from_s);

/** Times of things that must all be over: the longest; with the share of those that are. */
function lasting(times: readonly (number | null)[]): {
  readonly share: number | null;
  readonly longest: number | null;
} {
  const over = times.flatMap((time) => time ?? []);
  if (times.length === 0) return { share: null, longest: null };
  return { share: over.length / times.length, longest: over.length < times.length ? null : Math.max(...over) };
}

/** Of what the course says: of several falls the one that took most counts. */
export function courseValues(
  { recovery, convergence, settling, jain }: RunDynamics,
  end_s: number,
): RunSampled['values'] {
  const [worst] = recovery.toSorted((a, b) => taken(b, end_s) - taken(a, end_s));
  const converged = lasting(convergence.map(({ to_final_s }) => to_final_s));
  const settled = lasting(settling.map(({ settled_after_s }) => settled_after_s));
  return known({
    recovered: worst === undefined ? null : Number(worst.recovered_after_s !== null),
    recovery_s: worst?.recovered_after_s ?? null,
    converged: converged.share,
    converged_s: converged.longest,
    settled: settled.share,
    settled_s: settled.longest,
    ...Object.fromEntries(
      jain.flatMap(({ k, throughput, rtt }) => [
        [`jain_throughput:${k}`, throughput?.mean ?? null],
        [`jain_rtt:${k}`, rtt?.mean ?? null],
      ]),
    ),
  });
}

export const COURSE: Family = {
  values: {
    recovery_s: seconds('time to recover from the largest fall of the link'),
    recovered: share('runs that recover from the largest fall of the link'),
    converged_s: seconds('time until the last flow has converged'),
    converged: share('flows that converge'),
    settled_s: seconds('longest time to settle after a flow joined or left'),
    settled: share('joins and leaves after which it settles'),
    ...Object.fromEntries(
      WINDOWS_K.flatMap((k) => [
        [`jain_throughput:${k}`, share(`Jain’s index of throughput over ${k} base RTTs`)],
        [`jain_rtt:${k}`, share(`Jain’s index of RTT over ${k} base RTTs`)],
      ]),
    ),
  },
  needs: ({ flows }) => [
    [FORWARD_LINK_STREAM, 'capacity_mbps'],
    [FORWARD_LINK_STREAM, 'delivered_mbps'],
    ...flows.flatMap((_, flow) => [
      [receiverStream(flow), 'throughput_mbps'] as const,
      [senderStream(flow), 'latest_rtt_ms'] as const,
    ]),
  ],
  *steps(manifest, column) {
    const dynamics = yield* dynamicsSteps(manifest, column);
    return { ...NOTHING, values: courseValues(dynamics, manifest.duration_s) };
  },
};
