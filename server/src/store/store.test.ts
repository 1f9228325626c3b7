import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExperimentSpec } from '#protocol/spec';
import type { RunState } from '#protocol/api';
import { testFolder } from '../testing/folder.ts';
import { addRun } from '../testing/runs.ts';
import { migrate, migrationFiles } from './database.ts';
import { NO_SETBACKS } from './jobs.ts';
import { Store } from './store.ts';

const folder = testFolder();
let store: Store;
beforeEach(() => {
  store = new Store(`${folder()}/paceline.db`);
});
afterEach(() => {
  store.close();
});

const job = (run_id: string, cores = 1): Parameters<Store['jobs']['add']>[0] => ({
  run_id,
  cores,
  packets: 1,
  realtime_s: null,
});
const finish = (id: string, state: Exclude<RunState, 'queued' | 'running'>): void => {
  store.runs.finish(
    id,
    { state, reason: null, stderr_tail: null, summary: null, cost: null, time_s: 1 },
    new Date(0).toISOString(),
  );
};

const insert = (id: string, runs: readonly string[]): void => {
  const spec = ExperimentSpec.parse({ name: id, traces: [{ rate_mbps: 10 }], ccas: [{ id: 'x' }] });
  const entries = runs.map((run, i) => ({ id: run, cell: 'c', role: 'solo' as const, repetition: i }));
  store.experiments.insert({ id, created_at: '2026-01-01', spec, cells: [], runs: entries });
};

describe('jobs', () => {
  it('come in the order of submission, and what is looked at first', () => {
    const [a, b, c] = [addRun(store, 1), addRun(store, 2), addRun(store, 3)];
    for (const run of [a, b, c]) store.jobs.add(job(run));
    expect(store.jobs.waiting().map(({ run_id }) => run_id)).toEqual([a, b, c]);
    store.jobs.raiseRun(c);
    expect(store.jobs.next()?.run_id).toBe(c);
    store.jobs.raiseRun(b);
    expect(store.jobs.waiting().map(({ run_id }) => run_id)).toEqual([b, c, a]);
  });

  it('know what is ahead of an experiment: its own and what goes before', () => {
    const [a, b, c] = [addRun(store, 1), addRun(store, 2), addRun(store, 3)];
    store.jobs.add({ ...job(a), packets: 100 });
    store.jobs.add({ ...job(b, 2), packets: 7, realtime_s: 30 });
    store.jobs.add({ ...job(c), packets: 50 });
    insert('first', [a]);
    insert('second', [b]);
    insert('third', [a, c]);
    const none = { realtime_core_s: 0, realtime_cores: 0, most_realtime_s: null };
    expect(store.jobs.ahead('first')).toEqual({ ...none, runs: 1, packets: 100, most_packets: 100 });
    expect(store.jobs.ahead('second')).toMatchObject({ runs: 1, packets: 100, realtime_core_s: 60, realtime_cores: 2 });
    expect(store.jobs.ahead('third')).toMatchObject({ runs: 2, packets: 150, realtime_core_s: 60, most_packets: 100 });
    store.jobs.raise('second');
    expect(store.jobs.ahead('second')).toMatchObject({ runs: 0, packets: 0, realtime_core_s: 60, most_realtime_s: 30 });
    expect(store.jobs.ahead('unknown')).toBeNull();
  });

  it('are leased once; what a server that is gone had in hand comes back, with the attempt counted', () => {
    const run = addRun(store);
    store.jobs.add(job(run));
    expect(store.jobs.lease(run, 'old')).toBe(true);
    expect(store.jobs.lease(run, 'new')).toBe(false);
    expect(store.jobs.next()).toBeNull();
    expect(store.jobs.recover('old')).toEqual([]);
    expect(store.jobs.recover('new')).toEqual([run]);
    expect(store.jobs.next()).toMatchObject({ run_id: run, attempts: 1 });
  });

  it('given back by the server itself count no attempt', () => {
    const run = addRun(store);
    store.jobs.add(job(run));
    store.jobs.lease(run, 'me');
    store.jobs.release(run);
    expect(store.jobs.next()).toMatchObject({ run_id: run, attempts: 0 });
  });
});

describe('experiments', () => {
  it.each<[RunState[], string]>([
    [['queued', 'queued'], 'queued'],
    [['running', 'queued'], 'running'],
    [['done', 'queued'], 'running'],
    [['done', 'done'], 'done'],
    [['done', 'invalid'], 'done'],
    [['done', 'failed'], 'failed'],
    [['done', 'cancelled'], 'cancelled'],
    [['failed', 'cancelled'], 'cancelled'],
  ])('whose runs are %j are %s', (states, expected) => {
    const runs = states.map((_, i) => addRun(store, i));
    insert('e', runs);
    states.forEach((state, i) => {
      if (state === 'running') store.runs.start(runs[i]!, 'now');
      else if (state !== 'queued') finish(runs[i]!, state);
    });
    expect(store.experiments.item('e')).toMatchObject({ state: expected, runs_total: 2 });
  });

  it('count a run once, however often it stands in the matrix', () => {
    const run = addRun(store);
    insert('e', [run, run]);
    finish(run, 'done');
    expect(store.experiments.item('e')).toMatchObject({ runs_total: 1, runs_done: 1, state: 'done' });
    expect(store.experiments.refs('e')).toHaveLength(2);
  });

  it('share a run, which is wanted until all of them are stopped', () => {
    const run = addRun(store);
    insert('a', [run]);
    insert('b', [run]);
    store.experiments.setStopped('a', true);
    expect(store.experiments.wanted(run)).toBe(true);
    store.experiments.setStopped('b', true);
    expect(store.experiments.wanted(run)).toBe(false);
    expect(
      store.runs
        .get(run)
        ?.experiments.map(({ id }) => id)
        .sort(),
    ).toEqual(['a', 'b']);
  });
});

it('opens what an earlier version has left in the middle of its work', () => {
  const path = `${folder()}/earlier.db`;
  const earlier = new Database(path);
  migrate(earlier, migrationFiles().slice(0, 6));
  const { id, manifest } = store.db.prepare('SELECT id, manifest FROM runs WHERE id = ?').get(addRun(store)) as {
    id: string;
    manifest: string;
  };
  earlier.exec("INSERT INTO settings VALUES ('home', '\"e\"')");
  const insert = earlier.prepare("INSERT INTO runs (id, state, created_at, manifest) VALUES (?, 'running', 'then', ?)");
  insert.run(id, manifest);
  insert.run('waits', manifest);
  earlier.exec(`INSERT INTO jobs (run_id, cores, packets, lease_owner, attempts) VALUES ('${id}', 1, 5, 'gone', 2)`);
  earlier.exec("INSERT INTO jobs (run_id, cores, packets) VALUES ('waits', 1, 5)");
  earlier.close();

  const now = new Store(path);
  expect(now.jobs.next()).toMatchObject({ run_id: 'waits', attempts: 0, setbacks: NO_SETBACKS });
  expect(now.jobs.recover('next')).toEqual([id]);
  expect(now.jobs.waiting().map(({ run_id, attempts, setbacks }) => [run_id, attempts, setbacks])).toEqual([
    [id, 2, NO_SETBACKS],
    ['waits', 0, NO_SETBACKS],
  ]);
  now.jobs.setBack(id, { ...NO_SETBACKS, killed: 1 }, true);
  expect(now.jobs.next()?.run_id).toBe('waits');
  now.jobs.wake(id);
  expect(now.jobs.next()).toMatchObject({ run_id: id, setbacks: { killed: 1 } });
  now.close();
});
