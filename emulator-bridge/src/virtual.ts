import type { RunManifest } from '#protocol/manifest';
import type { RunOptions, RunOutcome } from './run.ts';
import { Simulators } from './simulators.ts';

/** One run in virtual time; in a process of its own, unless there are some that stay. */
export async function runVirtual(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  if (options.simulators !== undefined) return options.simulators.run(manifest, options);
  const own = new Simulators();
  try {
    return await own.run(manifest, options);
  } finally {
    await own.close();
  }
}
