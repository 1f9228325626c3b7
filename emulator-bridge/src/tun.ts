import { dirname } from 'node:path';
import type { RunManifest } from '#protocol/manifest';
import { bpfWords } from './bpf.ts';
import { conduct } from './conduct.ts';
import { failedBy } from './concluded.ts';
import { endpointsWords, externalEntry } from './external.ts';
import { gatherLogs, keptEnds, prepareLogs } from './external-logs.ts';
import { ProcessGroup } from './group.ts';
import { programPath } from './programs.ts';
import { quicFlow } from './quic-flow.ts';
import { patienceOf, withManifestFile } from './realtime.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { hostedPrograms } from './tun-programs.ts';
import { ownVoice } from './voice.ts';

/**
 * One run of real stacks: one program is the link between two network namespaces, both ends of every flow of the kernel's TCP, and the
 * host of all other programs. Its stdin stays open: lines on it change the link, its end is the end of the run.
 */
export async function runTun(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  try {
    const quic = manifest.flows.map((_, index) => quicFlow(manifest, index, options.qlogFile?.(index) ?? null));
    const { external: programs = [], logs } = options;
    const kept = logs === undefined ? [] : keptEnds(manifest, programs);
    const external = manifest.flows.map((flow, index) =>
      externalEntry(
        flow,
        programs,
        kept.filter((end) => end.flow === index),
      ),
    );
    return await withManifestFile(manifest, async (file) => {
      const folder = dirname(file);
      const hosted = hostedPrograms(quic.map((flow, i) => flow ?? external[i] ?? null));
      const args = ['--manifest', file, '--traces', options.tracesDir, '--cost', ...bpfWords(options.bpf ?? [])];
      args.push(...(await endpointsWords(folder, hosted.entries)));
      await prepareLogs(folder, kept);
      const group = new ProcessGroup(programPath('paceline-tun'), args, hosted.pipes);
      // It agrees on the start only with programs that tell their own story.
      const link = ownVoice({ label: 'paceline-tun', role: 'emulator', flow: 0 }, group, hosted.pipes > 0);
      const outcome = await conduct([link, ...hosted.voices(link)], patienceOf(manifest, options), options);
      // The run is what was asked for: it does not fail for want of them.
      if (logs !== undefined) await gatherLogs(folder, kept, logs.folder).catch(logs.lost);
      return outcome;
    });
  } catch (error) {
    return failedBy(error);
  }
}
