import type { RunManifest } from '#protocol/manifest';
import { runAlone } from './alone.ts';
import type { RunOptions, RunOutcome } from './run.ts';

/** A virtual run flushes every few hundred rows; the slowest scenario that makes sense does so every few seconds. */
const HANG_MS = 60_000;

/** One run in virtual time. */
export const runVirtual = (manifest: RunManifest, options: RunOptions): Promise<RunOutcome> =>
  runAlone(
    'paceline-simulate',
    ['--manifest', '-', '--traces', options.tracesDir, '--cost'],
    (stdin) => stdin.end(JSON.stringify(manifest)),
    options.hangMs ?? HANG_MS,
    options,
  );
