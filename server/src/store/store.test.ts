import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunState } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import { tidyUp } from '../experiments/enter.ts';
import { testFolder } from '../testing/folder.ts';
import { addExperiment, addRun } from '../testing/runs.ts';
import { migrate, migrationFiles } from './database.ts';
import { NO_SETBACKS, type NewJob } from './jobs.ts';
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
  bytes: 0,
});
const finish = (id: string, state: Exclude<RunState, 'queued' | 'running'>): void => {
  store.runs.finish(
    id,
    { state, reason: null, stderr_tail: null, summary: null, cost: null, time_s: 1 },
    new Date(0).toISOString(),
  );
};

const BEGUN = {
  created_at: '2026-01-01',
  spec: ExperimentSpec.parse({ traces: [{ rate_mbps: 10 }], ccas: [{ id: 'x' }] }),
  cells: [],
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

  it('of several people take turns, by what they take', () => {
    const runs = Array.from({ length: 24 }, (_, i) => addRun(store, i));
    const names = new Map<string, string>();
    const add = (who: string, count: number, over: Partial<NewJob> = {}): void => {
      for (let i = 0; i < count; i++) {
        const run = runs[names.size] ?? '';
        names.set(run, who);
        store.jobs.add({ ...job(run), ...over, share: who });
      }
    };
    const order = (): string =>
      store.jobs
        .waiting()
        .map(({ run_id }) => names.get(run_id))
        .join('');
    add('a', 6);
    // Whoever comes later comes in level with the head, and both go on in turn.
    add('b', 3);
    expect(order()).toBe('abababaaa');
    for (const { run_id } of store.jobs.waiting().slice(0, 5)) store.jobs.lease(run_id, 'me');
    expect(order()).toBe('baaa');
    add('c', 2);
    expect(order()).toBe('bcacaa');
    // One of 10 s counts as much as many that are short.
    add('d', 3, { realtime_s: 10, cores: 2 });
    add('a', 8);
    expect(order()).toMatch(/^[abcd]{3}[ac]*dd$/);
    // As much before a run as it would have had, had it come first: nobody is starved.
    expect(order().indexOf('d')).toBeLessThan(3);
  });

  it('know what is ahead of an experiment: its own and what goes before', () => {
    const [a, b, c] = [addRun(store, 1), addRun(store, 2), addRun(store, 3)];
    store.jobs.add({ ...job(a), packets: 100 });
    store.jobs.add({ ...job(b, 2), packets: 7, realtime_s: 30 });
    store.jobs.add({ ...job(c), packets: 50 });
    addExperiment(store, 'first', [a]);
    addExperiment(store, 'second', [b]);
    addExperiment(store, 'third', [a, c]);
    const none = { realtime_core_s: 0, realtime_cores: 0, most_realtime_s: null };
    expect(store.jobs.ahead('first')).toEqual({ ...none, runs: 1, packets: 100, most_packets: 100 });
    expect(store.jobs.ahead('second')).toMatchObject({ runs: 1, packets: 100, realtime_core_s: 60, realtime_cores: 2 });
    expect(store.jobs.ahead('third')).toMatchObject({ runs: 2, packets: 150, realtime_core_s: 60, most_packets: 100 });
    store.jobs.raise('second', store.jobs.top() + 1, 0, 10);
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
    addExperiment(store, 'e', runs);
    states.forEach((state, i) => {
      if (state === 'running') store.runs.start(runs[i]!, 'now');
      else if (state !== 'queued') finish(runs[i]!, state);
    });
    expect(store.experiments.item('e')).toMatchObject({ state: expected, runs_total: 2 });
  });

  it('count a run once, however often it stands in the matrix', () => {
    const run = addRun(store);
    addExperiment(store, 'e', [run, run]);
    finish(run, 'done');
    expect(store.experiments.item('e')).toMatchObject({ runs_total: 1, runs_done: 1, state: 'done' });
    expect(store.experiments.refs('e', { from: 0, to: 10 })).toHaveLength(2);
  });

  it('share a run, which is wanted until all of them are stopped', () => {
    const run = addRun(store);
    addExperiment(store, 'a', [run]);
    addExperiment(store, 'b', [run]);
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
  const id = addRun(store);
  const manifest = JSON.stringify(store.runs.manifest(id));
  earlier.exec("INSERT INTO settings VALUES ('home', '\"e\"')");
  const insert = earlier.prepare("INSERT INTO runs (id, state, created_at, manifest) VALUES (?, 'running', 'then', ?)");
  insert.run(id, manifest);
  insert.run('waits', manifest);
  earlier.exec(`INSERT INTO jobs (run_id, cores, packets, lease_owner, attempts) VALUES ('${id}', 1, 5, 'gone', 2)`);
  earlier.exec("INSERT INTO jobs (run_id, cores, packets) VALUES ('waits', 1, 5)");
  earlier.close();

  const now = new Store(path);
  expect(now.runs.get('waits')?.manifest).toEqual(store.runs.manifest(id));
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

describe('what is counted on the way', () => {
  const JOBS = `SELECT priority, position >> 9 AS block, SUM(realtime_s IS NULL) AS runs,
    COALESCE(SUM(packets) FILTER (WHERE realtime_s IS NULL), 0.0) AS packets,
    COALESCE(SUM(realtime_s * cores), 0.0) AS realtime_core_s,
    COALESCE(SUM(cores) FILTER (WHERE realtime_s IS NOT NULL), 0) AS realtime_cores
    FROM jobs WHERE lease_owner IS NULL GROUP BY priority, position >> 9 ORDER BY priority, block`;
  const STATES = `SELECT er.experiment_id, r.state, COUNT(DISTINCT r.id) AS runs
    FROM experiment_runs er JOIN runs r ON r.id = er.run_id GROUP BY er.experiment_id, r.state ORDER BY 1, 2`;
  const all = (sql: string): unknown[] => store.db.prepare(sql).all();
  const step = fc.record({
    run: fc.nat(19),
    what: fc.constantFrom(
      'add',
      'held',
      'realtime',
      'lease',
      'release',
      'remove',
      'raise',
      'start',
      'finish',
      'reset',
      'letGo',
    ),
  });

  it('is what counting anew gives, whatever happens to runs and jobs', () => {
    const runs = Array.from({ length: 20 }, (_, i) => addRun(store, i));
    addExperiment(store, 'even', [...runs.filter((_, i) => i % 2 === 0), runs[0]!]);
    addExperiment(store, 'all', runs);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        for (const { run, what } of steps) {
          const id = runs[run]!;
          if (what === 'add') store.jobs.add({ ...job(id), packets: run });
          else if (what === 'held') store.jobs.add(job(id), true);
          else if (what === 'realtime') store.jobs.add({ ...job(id, 2), realtime_s: 3 });
          else if (what === 'lease') store.jobs.lease(id, 'me');
          else if (what === 'release') store.jobs.release(id);
          else if (what === 'remove') store.jobs.remove(id);
          else if (what === 'raise') store.jobs.raiseRun(id);
          else if (what === 'start') store.runs.start(id, '2026-01-01');
          else if (what === 'finish') finish(id, run % 3 === 0 ? 'failed' : 'done');
          else if (what === 'reset') store.runs.reset(id);
          else store.jobs.letGo('all', 0, 20);
        }
        expect(all('SELECT * FROM job_blocks ORDER BY priority, block')).toEqual(all(JOBS));
        expect(all('SELECT * FROM experiment_states WHERE runs > 0 ORDER BY 1, 2')).toEqual(all(STATES));
      }),
      { numRuns: 60 },
    );
  });
});

describe('an experiment that is being written', () => {
  it('is not there, and its runs do not start', () => {
    const [ready, half] = [addRun(store, 1), addRun(store, 2)];
    addExperiment(store, 'ready', [ready]);
    store.jobs.add(job(half), true);
    store.experiments.begin({ ...BEGUN, id: 'half' });
    store.experiments.addRun('half', 0, { id: half, cell: 'c', role: 'solo', repetition: 0 });
    store.experiments.addRun('half', 1, { id: ready, cell: 'c', role: 'solo', repetition: 1 });
    expect(store.experiments.list().map(({ id }) => id)).toEqual(['ready']);
    expect(store.experiments.item('half')).toBeNull();
    expect(store.runs.get(ready)?.experiments.map(({ id }) => id)).toEqual(['ready']);
    expect(store.jobs.next()).toBeNull();

    // The next server takes away what is left of it, and only that.
    tidyUp(store);
    expect([store.runs.state(half), store.runs.state(ready)]).toEqual([null, 'queued']);
    expect(store.experiments.unready()).toEqual([]);
  });
});

it('lists experiments in the order in which they came, whatever the clock said', () => {
  const run = addRun(store);
  addExperiment(store, 'first', [run]);
  addExperiment(store, 'second', [run]);
  store.db.prepare("UPDATE experiments SET created_at = '2030-01-01' WHERE id = 'first'").run();
  expect(store.experiments.list().map(({ id }) => id)).toEqual(['second', 'first']);
});
