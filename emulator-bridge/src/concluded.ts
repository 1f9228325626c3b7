import type { Writable } from 'node:stream';
import { figuresOf, type Cost } from '#protocol/control';
import type { RunSummary } from '#protocol/summary';
import { failureOf, own, type Failure } from './failure.ts';
import { ProcessGroup } from './group.ts';
import { programPath, type Program } from './programs.ts';
import type { RunOptions, RunOutcome } from './run.ts';
import { watch } from './watch.ts';

/** A run that one child makes alone: its frames are passed on as they are. `begin` is given the child's stdin. */
export async function runAlone(
  program: Program,
  args: readonly string[],
  begin: (stdin: Writable) => void,
  hangMs: number,
  { signal, onFrame }: RunOptions,
): Promise<RunOutcome> {
  let group: ProcessGroup;
  try {
    group = new ProcessGroup(programPath(program), args);
    begin(group.stdin);
  } catch (error) {
    return failedBy(error);
  }
  const stop = (): void => void group.stop().catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const seen: { summary: RunSummary | null; cost: Cost | null } = { summary: null, cost: null };
  try {
    const { failure } = await watch(group, program, hangMs, (frame, control) => {
      if (control?.type === 'summary') seen.summary = figuresOf(control);
      if (control?.type === 'cost') seen.cost = control;
      return onFrame(frame.bytes, frame.header, control);
    });
    const words = { stderrTail: group.stderrTail, ...seen };
    return concluded(signal, failure, `${program} gave no summary`, words);
  } catch (error) {
    return failedBy(error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** How a run ended, given what went wrong and what was told. */
export function concluded(
  signal: AbortSignal | undefined,
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
