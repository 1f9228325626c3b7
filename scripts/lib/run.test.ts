import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from './find.mjs';
import { CommandFailed, endRunning, hurry, run } from './run.mjs';

const grouped = existsSync('/proc/self/autogroup');

it.skipIf(findProgram('chrt') === undefined)(
  'works in idle time, with all that it starts, but not while it is waited for',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-run-'));
    const pids = (): string[] => readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ');
    const script = 'sleep 60 & echo "$$ $!" > pids; wait';
    const done = run('sh', ['-c', script], { cwd: folder, priority: 'idle' });
    const policies = (): string[] =>
      pids().map((pid) => /policy: (\w+)/.exec(execFileSync('chrt', ['-p', pid], { encoding: 'utf8' }))?.[1] ?? '');
    const idle = { policies: ['SCHED_IDLE', 'SCHED_IDLE'], session: grouped ? 19 : null };
    const usual = { policies: ['SCHED_OTHER', 'SCHED_OTHER'], session: grouped ? 0 : null };
    /** How its session stands beside others, where sessions have shares. */
    const session = (): number | null => {
      if (!grouped) return null;
      const [leader = ''] = pids();
      return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${leader}/autogroup`, 'utf8'))?.[1]);
    };
    const standing = () => ({ policies: policies(), session: session() });
    try {
      await expect.poll(() => policies().length).toBe(2);
      expect(standing()).toEqual(idle);
      hurry(true);
      expect(standing()).toEqual(usual);
      hurry(false);
      expect(standing()).toEqual(idle);
    } finally {
      endRunning();
      // It is done when all that it has started has let go of its output, too.
      await expect(done).rejects.toThrow(CommandFailed);
      rmSync(folder, { recursive: true });
    }
  },
);
