import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../lib/find.mjs';
import { CommandFailed, endRunning, run } from '../lib/run.mjs';
import { withQuietOnRequest } from './quiet.mjs';

/** In idle time, beside others, even a signal takes a while to be met. */
const SOON = { timeout: 10_000 };

it.skipIf(findProgram('chrt') === undefined)(
  'what works in idle time stands still while a test asks for quiet, with all that it has started, and not for whom has gone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-quiet-'));
    const file = join(folder, 'quiet');
    /** A shell and what it starts, in idle time. */
    const start = (name: string, seeksLeaks = false): Promise<unknown> =>
      run('sh', ['-c', `sleep 60 & echo "$$ $!" > ${folder}/${name}; wait`], { priority: 'idle', seeksLeaks }).catch(
        (error: unknown) => error,
      );
    const still = (name: string): boolean[] =>
      (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
        .split(/\s+/)
        .filter((pid) => pid !== '')
        .map((pid) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] === 'T');
    const all = [start('patient'), start('instrumented', true)];
    const both = () => ({ patient: still('patient'), instrumented: still('instrumented') });
    const going = { patient: [false, false], instrumented: [false, false] };
    // A SIGCONT at the wrong moment makes what looks for leaks wait for ever.
    const standing = { patient: [true, true], instrumented: [false, false] };
    try {
      await withQuietOnRequest(file, async () => {
        await expect.poll(both, SOON).toEqual(going);
        writeFileSync(file, '');
        await expect.poll(both, SOON).toEqual(standing);
        rmSync(file);
        await expect.poll(both, SOON).toEqual(going);
        writeFileSync(file, '');
        await expect.poll(both, SOON).toEqual(standing);
        utimesSync(file, 0, 0);
        await expect.poll(both, SOON).toEqual(going);
        writeFileSync(file, '');
        await expect.poll(both, SOON).toEqual(standing);
        all.push(start('later'));
        // It was stopped before it could begin, or stands still.
        await new Promise((resolve) => setTimeout(resolve, 100));
        await expect.poll(() => still('later'), SOON).not.toContain(false);
      });
      await expect.poll(both, SOON).toEqual(going);
      await expect.poll(() => still('later'), SOON).toEqual([false, false]);
    } finally {
      endRunning();
      for (const done of all) expect(await done).toBeInstanceOf(CommandFailed);
      rmSync(folder, { recursive: true });
    }
  },
);
