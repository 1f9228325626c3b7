import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../lib/find.mjs';
import { endRunning, run } from '../lib/run.mjs';
import { withQuietOnRequest } from './quiet.mjs';

it.skipIf(findProgram('chrt') === undefined)(
  'what works in idle time stands still while a test asks for quiet, with all that it has started, and not for whom has gone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-quiet-'));
    const file = join(folder, 'quiet');
    const script = `sleep 60 & echo "$$ $!" > ${folder}/pids; wait`;
    const done = run('sh', ['-c', script], { priority: 'idle' });
    const still = (): boolean[] =>
      readFileSync(join(folder, 'pids'), 'utf8')
        .trim()
        .split(' ')
        .map((pid) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] === 'T');
    try {
      await withQuietOnRequest(file, async () => {
        await expect.poll(still).toEqual([false, false]);
        writeFileSync(file, '');
        await expect.poll(still).toEqual([true, true]);
        rmSync(file);
        await expect.poll(still).toEqual([false, false]);
        writeFileSync(file, '');
        await expect.poll(still).toEqual([true, true]);
        utimesSync(file, 0, 0);
        await expect.poll(still).toEqual([false, false]);
        writeFileSync(file, '');
        await expect.poll(still).toEqual([true, true]);
      });
      expect(still()).toEqual([false, false]);
    } finally {
      endRunning();
      await expect(done).rejects.toThrow();
      rmSync(folder, { recursive: true });
    }
  },
);
