import type { RunManifest } from '#protocol/manifest';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { Simulators } from './simulators.ts';

export interface VirtualOptions extends RunOptions {
  /** Processes that stay from one run in virtual time to the next; absent: each has one of its own. */
  readonly simulators?: Simulators;
}

/** One run in virtual time; in a process of its own, unless there are some that stay. */
export async function runVirtual(manifest: RunManifest, options: VirtualOptions): Promise<RunOutcome> {
  if (options.simulators !== undefined) return options.simulators.run(manifest, options);
  const own = new Simulators();
  try {
    return await own.run(manifest, options);
  } finally {
    await own.close();
  }
}
