// Runs in virtual time: by the native program, or by the engine as WebAssembly where a flow runs an own algorithm.
import type { RunManifest } from '#protocol/manifest';
import { hasOwnAlgorithm } from './named-texts.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { OwnEngines } from './own-engines.ts';
import { Simulators } from './simulators.ts';

export interface VirtualOptions extends RunOptions {
  /** Processes that stay from one run in virtual time to the next; absent: each has one of its own. */
  readonly simulators?: Simulators;
  /** Threads that stay, for runs with own algorithms; absent: each has one of its own. */
  readonly ownEngines?: OwnEngines;
}

/** One run in virtual time; in a process of its own, unless there are some that stay. */
export async function runVirtual(manifest: RunManifest, options: VirtualOptions): Promise<RunOutcome> {
  const staying = hasOwnAlgorithm(manifest) ? options.ownEngines : options.simulators;
  if (staying !== undefined) return staying.run(manifest, options);
  const own = hasOwnAlgorithm(manifest) ? new OwnEngines() : new Simulators();
  try {
    return await own.run(manifest, options);
  } finally {
    await own.close();
  }
}
