import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, TestProcess } from '../process.ts';

/** How a process ends that is told to; null: it did not, and was killed. */
export async function endsIn(process: TestProcess, signal: NodeJS.Signals, withinMs: number): Promise<Ended | null> {
  const waiting = new AbortController();
  const late = sleep(withinMs, null, { signal: waiting.signal }).catch(() => null);
  const ended = await Promise.race([process.kill(signal), late]);
  waiting.abort();
  if (ended === null) await process.kill('SIGKILL');
  return ended;
}
