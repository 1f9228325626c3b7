import type { Writable } from 'node:stream';
import { figuresOf, type Cost } from '#protocol/control';
import type { RunSummary } from '#protocol/summary';
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
    return failed(error);
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
    if (signal?.aborted === true) return { outcome: 'cancelled', reason: 'stopped', ...words };
    if (failure !== null) return { outcome: 'failed', reason: failure, ...words };
    if (seen.summary === null) return { outcome: 'failed', reason: `${program} gave no summary`, ...words };
    return { outcome: 'done', reason: null, ...words };
  } catch (error) {
    return failed(error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

export function failed(error: unknown): RunOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  return { outcome: 'failed', reason, stderrTail: '', summary: null, cost: null };
}
