// What the queue does while the machine can make no run: it waits, says why, and goes on by itself. Nothing is failed.
import { renameSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { wholeRun } from '#bridge/testing/fake-programs';
import { BEGUN, SLOW, testQueue } from '../testing/queue.ts';
import { Outlook } from './outlook.ts';
import type { Scheduler } from './scheduler.ts';

const queue = testQueue();

const held = (scheduler: Scheduler): Promise<string> =>
  new Promise((resolve) => {
    const forget = scheduler.hold.onChange((hold) => {
      if (hold === null) return;
      forget();
      resolve(hold.reason);
    });
  });

describe('the queue', () => {
  it('waits while the disk is full, and goes on when there is space', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(200_000), 'exit 0');
    const runs = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    const scheduler = queue().scheduler(1);
    const outlook = new Outlook(scheduler, store);
    const full = held(scheduler);
    store.db.pragma(`max_page_count = ${Number(store.db.pragma('page_count', { simple: true })) + 6}`);
    scheduler.start();
    expect(await full).toBe('the disk is full');
    expect(scheduler.active.size).toBe(0);
    expect(runs.map((run) => store.runs.state(run))).toEqual(['queued', 'queued']);
    expect(outlook.waitReason(runs[1]!)).toBe('waiting: the disk is full');
    store.db.pragma('max_page_count = 1000000');
    await Promise.all(runs.map((run) => queue().reaches(run, 'done', 'failed')));
    expect(runs.map((run) => store.runs.get(run)?.state)).toEqual(['done', 'done']);
    expect(scheduler.hold.current).toBeNull();
    expect(store.samples.heads(runs[0]!)).toEqual(new Map([[0, 200_000]]));
  });

  it('waits while a program is missing, and goes on when it is back', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    const program = `${programs.dir}/paceline-simulate`;
    renameSync(program, `${program}.away`);
    const run = queue().add();
    const scheduler = queue().scheduler();
    const missing = held(scheduler);
    scheduler.start();
    expect(await missing).toContain('paceline-simulate is missing');
    expect(store.runs.state(run)).toBe('queued');
    renameSync(`${program}.away`, program);
    await queue().reaches(run, 'done', 'failed');
    expect(store.runs.state(run)).toBe('done');
  });

  it('starts nothing any more when the database is damaged', () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    const run = queue().add();
    const scheduler = queue().scheduler();
    scheduler.hold.begin({ cause: 'damaged', reason: 'the database is damaged: page 3', hint: '' });
    scheduler.hold.begin({ cause: 'disk_full', reason: 'the disk is full', hint: '' });
    scheduler.start();
    expect([store.runs.state(run), scheduler.hold.current?.cause]).toEqual(['queued', 'damaged']);
  });

  it('lets a run be stopped although its samples cannot be stored', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', BEGUN, SLOW);
    const run = queue().add();
    const scheduler = queue().scheduler();
    scheduler.start();
    await queue().until(run, () => (scheduler.recordingOf(run)?.time_s ?? 0) > 0);
    const append = vi.spyOn(store.samples, 'append').mockImplementation(() => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    });
    await scheduler.stop(run);
    append.mockRestore();
    expect(store.runs.get(run)).toMatchObject({ state: 'cancelled' });
  });
});

describe('a step of the clock', () => {
  it.each([-1, 1])('by %d days changes neither what waits, nor how long, nor what is left', async (days) => {
    const { programs, store, feed } = queue();
    programs.add(
      'paceline-simulate',
      BEGUN,
      `if [ $(wc -l < '${programs.dir}/pids') = 1 ]; then kill -9 $$; fi; ${SLOW}`,
    );
    const run = queue().add();
    const scheduler = queue().scheduler(1);
    const outlook = new Outlook(scheduler, store);
    scheduler.start();
    await queue().until(run, () => scheduler.setbackOf(run) !== null && scheduler.active.size === 0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
    try {
      expect(scheduler.setbackOf(run)?.retry_in_s).toBeLessThan(0.3);
      await queue().until(run, () => (scheduler.recordingOf(run)?.time_s ?? 0) > 0);
      expect(outlook.runSeconds(run)).toBeLessThan(60);
      const second = queue().add({ seed: 2 });
      await scheduler.stop(run);
      await queue().reaches(second, 'running');
      expect(feed.recent()).toContain(run);
    } finally {
      vi.useRealTimers();
    }
  });
});
