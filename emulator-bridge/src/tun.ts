import { dirname } from 'node:path';
import type { RunManifest } from '#protocol/manifest';
import { failedBy, runAlone } from './alone.ts';
import { bpfWords } from './bpf.ts';
import { endpointsWords, externalEntry } from './external.ts';
import { quicFlow } from './quic-flow.ts';
import { realtimePatience, withManifestFile } from './realtime.ts';
import { runWithPrograms } from './tun-programs.ts';
import type { RunOptions, RunOutcome } from './run.ts';

/**
 * One run of real stacks: one program is the link between two network namespaces, both ends of every flow of the kernel's TCP, and the
 * host of all other programs. Its stdin stays open: lines on it change the link, its end is the end of the run.
 */
export async function runTun(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  try {
    const quic = manifest.flows.map((_, index) => quicFlow(manifest, index, options.qlogFile?.(index) ?? null));
    const external = manifest.flows.map((flow) => externalEntry(flow, options.external ?? []));
    return await withManifestFile(manifest, async (file) => {
      const args = ['--manifest', file, '--traces', options.tracesDir, '--cost', ...bpfWords(options.bpf ?? [])];
      const patience = options.hangMs ?? realtimePatience(manifest);
      if (quic.some((flow) => flow !== null)) {
        const flows = quic.map((flow, i) => flow ?? external[i] ?? null);
        return runWithPrograms(flows, file, args, patience, options);
      }
      return runAlone(
        'paceline-tun',
        [...args, ...(await endpointsWords(dirname(file), external))],
        (stdin) => options.onChangeable?.((change) => void stdin.write(`${JSON.stringify(change)}\n`)),
        patience,
        options,
      );
    });
  } catch (error) {
    return failedBy(error);
  }
}
