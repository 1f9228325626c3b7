import type { RunManifest } from '#protocol/manifest';
import { failed, runAlone } from './alone.ts';
import { realtimePatience, withManifestFile } from './realtime.ts';
import type { RunOptions, RunOutcome } from './run.ts';

/**
 * One run of the kernel's own TCP: one program is the link between two network namespaces and both ends of every flow. Its stdin
 * stays open: lines on it change the link, its end is the end of the run.
 */
export async function runTun(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  try {
    return await withManifestFile(manifest, (file) =>
      runAlone(
        'paceline-tun',
        ['--manifest', file, '--traces', options.tracesDir, '--cost'],
        (stdin) => options.onChangeable?.((change) => void stdin.write(`${JSON.stringify(change)}\n`)),
        options.hangMs ?? realtimePatience(manifest),
        options,
      ),
    );
  } catch (error) {
    return failed(error);
  }
}
