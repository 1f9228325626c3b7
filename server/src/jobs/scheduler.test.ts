// The queue and what it starts, with small programs in place of the engine so that each way of ending can be had at will.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeControl } from '#protocol/samples';
import { wholeRun, type FakePrograms } from '#bridge/testing/fake-programs';
import type { Store } from '../store/store.ts';
import { BEGUN, SLOW, testQueue, type TestQueue } from '../testing/queue.ts';
import { addExperiment } from '../testing/runs.ts';
import type { RunFeed } from './feed.ts';
import { Outlook } from './outlook.ts';

const made = testQueue();
let queue: TestQueue;
let programs: FakePrograms;
let store: Store;
let feed: RunFeed;
beforeEach(() => {
  queue = made();
  ({ programs, store, feed } = queue);
});
const add: TestQueue['add'] = (over) => queue.add(over);
const scheduler: TestQueue['scheduler'] = (workers) => queue.scheduler(workers);
const reaches: TestQueue['reaches'] = (...words) => queue.reaches(...words);

describe('the scheduler', () => {
  it('runs what waits, records it and learns from it', async () => {
    programs.add('paceline-simulate', wholeRun(2300), 'exit 0');
    const [a, b] = [add({ seed: 1 }), add({ seed: 2 })];
    scheduler(1).start();
    await Promise.all([reaches(a, 'done'), reaches(b, 'done')]);
    expect(store.samples.heads(a)).toEqual(new Map([[0, 2300]]));
    expect(store.samples.controls(a).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(store.jobs.count()).toBe(0);
    expect(store.runs.get(a)).toMatchObject({ time_s: 23, reason: null, stderr_tail: null });
  });

  it('ends a run that fails with its last words, and goes on with the others', async () => {
    const unlucky = 'case $line in *\'"seed":1,\'*) echo "out of luck" >&2; exit 3;; esac';
    programs.add('paceline-simulate', BEGUN, `read -r line; ${unlucky}; exit 0`);
    const [bad, other] = [add({ seed: 1 }), add({ seed: 2 })];
    scheduler().start();
    await Promise.all([reaches(bad, 'failed'), reaches(other, 'failed')]);
    expect(store.runs.get(bad)).toMatchObject({
      reason: 'paceline-simulate ended with exit code 3: out of luck',
      stderr_tail: 'out of luck',
    });
    expect(store.runs.get(other)?.reason).toContain('ended without its last frame');
  });

  it('stops a run at once and keeps what it has recorded', async () => {
    programs.add('paceline-simulate', BEGUN, SLOW);
    const run = add();
    const made = scheduler();
    made.start();
    await new Promise<void>((resolve) => feed.on(run, (_, change) => change === 'data' && resolve()));
    await made.stop(run);
    expect(store.runs.get(run)).toMatchObject({ state: 'cancelled', reason: 'stopped' });
    expect(store.samples.heads(run)).toEqual(new Map([[0, 30]]));
  });

  it('takes what waits out of the queue', async () => {
    programs.add('paceline-simulate', BEGUN, SLOW);
    const [first, second] = [add({ seed: 1 }), add({ seed: 2 })];
    const made = scheduler(1);
    made.start();
    await reaches(first, 'running');
    made.cancelWaiting([second]);
    expect(store.runs.get(second)).toMatchObject({ state: 'cancelled', reason: 'stopped before it began' });
    expect(store.jobs.count()).toBe(0);
  });

  it('puts its runs back when it closes, and another one takes them up', async () => {
    programs.add('paceline-simulate', BEGUN, SLOW);
    const run = add();
    const first = scheduler();
    first.start();
    await reaches(run, 'running');
    await first.close();
    expect(store.runs.state(run)).toBe('queued');
    expect(store.samples.heads(run).size).toBe(0);
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    scheduler().start();
    await reaches(run, 'done');
  });

  it('takes up what a server that was killed had in hand', async () => {
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    const run = add();
    store.runs.start(run, new Date().toISOString());
    store.jobs.lease(run, 'gone');
    store.samples.append(run, { stream: 0, firstRow: 0, rows: 1, payload: new Uint8Array(44) });
    scheduler().start();
    await reaches(run, 'done');
    expect(store.samples.heads(run)).toEqual(new Map([[0, 10]]));
  });

  it.each(['qlogs', 'programLogs'] as const)(
    'deletes %s with the samples, and those of runs that nobody knows',
    async (kind) => {
      const files = queue[kind];
      programs.add('paceline-simulate', BEGUN, SLOW);
      const run = add();
      const log = join(files.folder(run), 'log');
      const write = (file: string): void => {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, 'x');
      };
      const unknown = join(files.folder('gone'), 'log');
      for (const file of [log, unknown]) write(file);
      const first = scheduler();
      first.start();
      expect(existsSync(unknown)).toBe(false);
      await reaches(run, 'running');
      expect(existsSync(log)).toBe(false);
      write(log);
      await first.close();
      expect([store.runs.state(run), existsSync(log)]).toEqual(['queued', false]);

      const second = scheduler();
      second.start();
      await reaches(run, 'running');
      write(log);
      await second.stop(run);
      expect([store.runs.state(run), existsSync(log)]).toEqual(['cancelled', true]);
      second.forget(run);
      expect(existsSync(log)).toBe(false);
    },
  );

  it('gives a real-time run the cores to itself, and says what waits for them', async () => {
    programs.add('paceline-simulate', BEGUN, SLOW);
    for (const name of ['paceline-emulator', 'paceline-sender', 'paceline-receiver'] as const)
      programs.add(name, [encodeControl(0, { type: 'ready', role: 'emulator', port: 1 })], SLOW);
    const virtual = add({ seed: 1 });
    const realtime = add({ engine: 'realtime', path: 'udp' });
    const later = add({ seed: 2 });
    const made = scheduler(2);
    const outlook = new Outlook(made, store);
    made.start();
    await reaches(virtual, 'running');
    expect(store.runs.state(realtime)).toBe('queued');
    expect(store.runs.state(later)).toBe('queued');
    expect(outlook.waitReason(realtime)).toContain('waiting for a free core');
    await made.stop(virtual);
    await reaches(realtime, 'running');
    expect(store.runs.state(later)).toBe('queued');
    expect(outlook.waitReason(later)).toContain('waiting for a free core');
    await made.stop(realtime);
    await reaches(later, 'running');
  });

  it('refuses to run what was planned for another engine', async () => {
    const run = add({ engine_version: 'older' });
    scheduler().start();
    await reaches(run, 'failed');
    expect(store.runs.get(run)?.reason).toContain('the engine is now test, the run was planned for older');
  });

  it('expects the rest of a run from its pace, and of a queue from what was learned', async () => {
    programs.add('paceline-simulate', BEGUN, SLOW);
    const [first, second] = [add({ seed: 1 }), add({ seed: 2 })];
    const made = scheduler(1);
    const outlook = new Outlook(made, store);
    made.start();
    await new Promise<void>((resolve) => {
      feed.on(first, () => {
        if (made.recordingOf(first)?.time_s === 0.3) resolve();
      });
    });
    addExperiment(store, 'both', [first, second]);
    addExperiment(store, 'going', [first]);
    // The program has come to a stop: the longer it says nothing, the more time it seems to need.
    const before = outlook.runSeconds(first) ?? 0;
    const going = outlook.experimentSeconds('going') ?? 0;
    const after = outlook.runSeconds(first) ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(going).toBeGreaterThanOrEqual(before);
    expect(going).toBeLessThanOrEqual(after);
    expect(outlook.experimentSeconds('both')).toBeGreaterThan(after);
    expect(outlook.experimentSeconds('unknown')).toBeNull();
  });
});
