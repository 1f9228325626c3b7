import { failureOf, own, type Failure } from './failure.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';

/** How a run ended, given what went wrong and what was told. */
export function concluded(
  signal: RunOptions['signal'],
  failure: Failure | null,
  noSummary: string,
  words: Pick<RunOutcome, 'stderrTail' | 'summary' | 'cost'>,
): RunOutcome {
  if (signal?.aborted === true) return { outcome: 'cancelled', reason: 'stopped', cause: null, ...words };
  const wrong = failure ?? (words.summary === null ? own(noSummary) : null);
  if (wrong !== null) return { outcome: 'failed', ...wrong, ...words };
  return { outcome: 'done', reason: null, cause: null, ...words };
}

export const failedBy = (error: unknown): RunOutcome => ({
  outcome: 'failed',
  ...failureOf(error),
  stderrTail: '',
  summary: null,
  cost: null,
});
