import { figuresOf, type Cost } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { ProcessGroup } from './group.ts';
import { programPath } from './programs.ts';
import type { RunOptions, RunOutcome } from './run.ts';
import { watch } from './watch.ts';

/** A virtual run flushes every few hundred rows; the slowest scenario that makes sense does so every few seconds. */
const HANG_MS = 60_000;

/** One run in virtual time: one child, whose frames are passed on as they are. */
export async function runVirtual(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  const { signal, tracesDir, onFrame, hangMs = HANG_MS } = options;
  let group: ProcessGroup;
  try {
    group = new ProcessGroup(programPath('paceline-simulate'), ['--manifest', '-', '--traces', tracesDir, '--cost']);
    group.stdin.end(JSON.stringify(manifest));
  } catch (error) {
    return failed(error);
  }
  const stop = (): void => void group.stop().catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const seen: { summary: RunSummary | null; cost: Cost | null } = { summary: null, cost: null };
  try {
    const { failure } = await watch(group, 'paceline-simulate', hangMs, (frame, control) => {
      if (control?.type === 'summary') seen.summary = figuresOf(control);
      if (control?.type === 'cost') seen.cost = control;
      return onFrame(frame.bytes, frame.header, control);
    });
    const words = { stderrTail: group.stderrTail, ...seen };
    if (signal?.aborted === true) return { outcome: 'cancelled', reason: 'stopped', ...words };
    if (failure !== null) return { outcome: 'failed', reason: failure, ...words };
    if (seen.summary === null) return { outcome: 'failed', reason: 'paceline-simulate gave no summary', ...words };
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
