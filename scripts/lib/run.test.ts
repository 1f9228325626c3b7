import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from './find.mjs';
import { CommandFailed, endRunning, hurry, run } from './run.mjs';

it.skipIf(findProgram('chrt') === undefined)(
  'works in idle time, with all that it starts, but not while it is waited for',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-run-'));
    const pids = (): string[] => readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ');
    const script = 'sleep 60 & echo "$$ $!" > pids; wait';
    const done = run('sh', ['-c', script], { cwd: folder, priority: 'idle' });
    const policies = (): string[] =>
      pids().map((pid) => /policy: (\w+)/.exec(execFileSync('chrt', ['-p', pid], { encoding: 'utf8' }))?.[1] ?? '');
    try {
      await expect.poll(() => policies().length).toBe(2);
      expect(policies()).toEqual(['SCHED_IDLE', 'SCHED_IDLE']);
      hurry(true);
      expect(policies()).toEqual(['SCHED_OTHER', 'SCHED_OTHER']);
      hurry(false);
      expect(policies()).toEqual(['SCHED_IDLE', 'SCHED_IDLE']);
    } finally {
      const [, sleep = ''] = pids();
      process.kill(Number(sleep));
      endRunning();
      await expect(done).rejects.toThrow(CommandFailed);
      rmSync(folder, { recursive: true });
    }
  },
);
