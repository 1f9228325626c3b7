// Whatever a child does, its run ends with a reason, nothing hangs and nothing is left behind.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeControl } from '#protocol/samples';
import { oneShot } from './one-shot.ts';
import { run, type RunOptions, type RunOutcome } from './run.ts';
import { FakePrograms, HELLO, linkRows, manifest, SUMMARY, wholeRun } from './testing/fake-programs.ts';

let programs: FakePrograms;
beforeEach(() => {
  programs = new FakePrograms();
});
afterEach(async () => {
  // What was killed takes the kernel a moment to clear away.
  await expect.poll(() => programs.survivors(), { timeout: 5000, interval: 20 }).toEqual([]);
  programs.remove();
});

const simulate = (options: Partial<RunOptions> = {}): Promise<RunOutcome> =>
  run(manifest(), { tracesDir: programs.dir, onFrame: () => undefined, ...options });

const hello = encodeControl(0, HELLO);

describe('a virtual run', () => {
  it('is done when the child keeps the rules', async () => {
    programs.add('paceline-simulate', wholeRun(20), 'exit 0');
    const kinds: string[] = [];
    const outcome = await simulate({
      onFrame: (_, header, control) => void kinds.push(control?.type ?? `${header.rows} rows`),
    });
    expect(outcome).toEqual({
      outcome: 'done',
      reason: null,
      cause: null,
      stderrTail: '',
      summary: SUMMARY,
      cost: null,
    });
    expect(kinds).toEqual(['hello', '20 rows', 'progress', 'summary', 'end']);
  });

  it.each([
    [
      'crashes',
      [hello, linkRows(0, 5)],
      'echo "the roof is on fire" >&2; kill -SEGV $$',
      'was ended by SIGSEGV: the roof is on fire',
      'crashed',
    ],
    ['is killed', [hello, linkRows(0, 5).subarray(0, 50)], 'kill -KILL $$', 'was ended by SIGKILL', 'killed'],
    ['is told to end', [hello], 'kill -TERM $$', 'was ended by SIGTERM', 'killed'],
    ['fails', [], 'echo "cca.cc: no such CCA" >&2; exit 127', 'ended with exit code 127: cca.cc: no such CCA'],
    ['stops early', [hello, linkRows(0, 5)], 'exit 0', 'ended without its last frame'],
    ['stops in a frame', [hello, linkRows(0, 5).subarray(0, 50)], 'exit 0', 'ended in the middle of a frame'],
    [
      'says that what it hosts was killed',
      [hello, encodeControl(1, { type: 'error', message: 'the sender of flow 0, sh, was ended by the signal Killed' })],
      'exit 1',
      'was ended by the signal Killed',
      'killed',
    ],
    [
      'says that what it hosts has crashed',
      [hello, encodeControl(1, { type: 'error', message: 'flow 0, sh, was ended by the signal Segmentation fault' })],
      'exit 1',
      'Segmentation fault',
      'crashed',
    ],
    [
      'prints rubbish',
      [hello],
      'echo "Segmentation fault (core dumped)"; sleep 30',
      'printed something that is not telemetry',
    ],
    ['leaves rows out', [hello, linkRows(3, 5)], 'sleep 30', 'goes on at row 3, row 0 was due'],
    ['gives no summary', [hello, encodeControl(1, { type: 'end', time_s: 1 })], 'exit 0', 'gave no summary'],
    [
      'reports an error',
      [hello, encodeControl(1, { type: 'error', message: 'no such trace', where: 'forward' })],
      'exit 1',
      'forward: no such trace',
    ],
  ])('fails with the reason and the cause when the child %s', async (_, bytes, script, reason, cause = 'own') => {
    programs.add('paceline-simulate', bytes, script);
    const outcome = await simulate();
    expect(outcome).toMatchObject({ outcome: 'failed', cause });
    expect(outcome.reason).toContain(reason);
  });

  it('keeps the end of what the child wrote to stderr', async () => {
    programs.add(
      'paceline-simulate',
      [],
      'i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 1',
    );
    const { stderrTail } = await simulate();
    expect(stderrTail).toMatch(/line 1999$/);
    expect(stderrTail.length).toBeLessThanOrEqual(8192);
  });

  it('stops a child that hangs, with everything it started', async () => {
    programs.add('paceline-simulate', [hello], 'sleep 300 & sleep 300');
    const outcome = await simulate({ hangMs: 300 });
    expect(outcome).toMatchObject({
      cause: 'hung',
      reason: 'paceline-simulate has said nothing for 0.3 s and was stopped',
    });
  });

  it('stops at once when asked, even a child that ignores SIGTERM', async () => {
    programs.add('paceline-simulate', [hello, linkRows(0, 5)], "trap '' TERM; while :; do sleep 0.05; done");
    const controller = new AbortController();
    const before = performance.now();
    const outcome = await simulate({
      signal: controller.signal,
      onFrame: (_, header) => {
        if (header.rows > 0) controller.abort();
      },
    });
    expect(outcome).toMatchObject({ outcome: 'cancelled', reason: 'stopped' });
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('never starts when it was stopped before', async () => {
    programs.add('paceline-simulate', wholeRun(5), 'exit 0');
    expect(await simulate({ signal: AbortSignal.abort() })).toMatchObject({ outcome: 'cancelled' });
  });

  it('fails when what it gives cannot be stored', async () => {
    programs.add('paceline-simulate', [hello, linkRows(0, 5)], 'sleep 300');
    const outcome = await simulate({
      onFrame: () => {
        throw new Error('the disk is full');
      },
    });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'the disk is full' });
  });

  it('says which program is missing', async () => {
    const outcome = await simulate();
    expect(outcome.reason).toContain(`${programs.dir}/paceline-simulate is missing`);
    expect(outcome.cause).toBe('machine');
  });

  it('waits for a slow reader instead of piling frames up', async () => {
    // Endless rows: far more than any pipe or buffer holds.
    const rows = linkRows(0, 1000);
    programs.add(
      'paceline-simulate',
      [hello, rows],
      `while :; do cat '${programs.dir}/paceline-simulate.bytes'; echo x >> '${programs.dir}/turns'; done`,
    );
    const controller = new AbortController();
    let frames = 0;
    const pending = simulate({
      signal: controller.signal,
      onFrame: async () => {
        frames += 1;
        await new Promise((resolve) => setTimeout(resolve, 400));
        controller.abort();
      },
    });
    expect(await pending).toMatchObject({ outcome: 'cancelled' });
    const { size } = await import('node:fs').then((fs) => fs.statSync(`${programs.dir}/turns`));
    expect(frames).toBeLessThanOrEqual(2);
    expect(size / 2).toBeLessThan(20); // a pipe of 64 KiB and a buffer of as much hold four copies of 44 kB
  });
});

describe('a one-shot program', () => {
  it('is stopped when it does not end', async () => {
    programs.add('paceline-list', [], 'sleep 300 & sleep 300');
    await expect(oneShot('paceline-list', [], { timeoutMs: 200 })).rejects.toThrow('did not end within 0.2 s');
  });

  it('gives its last words when it fails', async () => {
    programs.add('paceline-list', [], 'echo "no memory" >&2; exit 1');
    await expect(oneShot('paceline-list', [])).rejects.toThrow('paceline-list ended with exit code 1: no memory');
  });
});
