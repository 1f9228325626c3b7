import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Cell } from '#protocol/api';
import { OwnDeclaration, ownCcaId } from '#protocol/own-algorithm';
import { ExperimentSpec } from '#protocol/spec';
import { testFolder } from '../testing/folder.ts';
import { checkAll } from './check.ts';
import { lockDataDir, migrate, migrationFiles, openDatabase } from './database.ts';
import { Store } from './store.ts';

const folder = testFolder();
const versionOf = (db: Database.Database): unknown => db.pragma('user_version', { simple: true });

describe('migrations', () => {
  it('bring an empty file up to date, and leave it alone the next time', () => {
    const path = `${folder()}/a.db`;
    const db = openDatabase(path);
    expect(versionOf(db)).toBe(migrationFiles().length);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.prepare("INSERT INTO settings (key, value) VALUES ('a', '1')").run();
    db.close();
    const again = openDatabase(path);
    expect(again.prepare('SELECT value FROM settings').pluck().get()).toBe('1');
    again.close();
  });

  it('take the steps that are missing, in order', () => {
    const db = new Database(':memory:');
    const first = { version: 1, sql: 'CREATE TABLE t (a INTEGER)' };
    migrate(db, [first]);
    migrate(db, [first, { version: 2, sql: 'ALTER TABLE t ADD COLUMN b INTEGER; INSERT INTO t VALUES (1, 2)' }]);
    expect(db.prepare('SELECT a, b FROM t').all()).toEqual([{ a: 1, b: 2 }]);
  });

  it('undo a step that fails half-way', () => {
    const db = new Database(':memory:');
    expect(() =>
      migrate(db, [{ version: 1, sql: 'CREATE TABLE t (a INTEGER); CREATE TABLE t (a INTEGER)' }]),
    ).toThrow();
    expect(versionOf(db)).toBe(0);
    expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 't'").all()).toEqual([]);
  });

  it('refuse a file of a newer version', () => {
    const db = new Database(':memory:');
    db.pragma('user_version = 99');
    expect(() => migrate(db, migrationFiles())).toThrow('written by a newer Paceline (schema 99');
  });
});

describe('an experiment of an earlier version', () => {
  const cell = (key: string, cca: Cell['cca'] = { id: 'x', params: { beta: 0.5 } }): Cell => ({
    key,
    trace: { rate_mbps: 10 },
    trace_name: '10 Mbps',
    cca,
    buffer: { bdp: 1 },
    queue: { id: 'droptail', params: {} },
    base_rtt_ms: 20,
    loss: 0,
    limit_bytes: 25_000,
  });

  it('keeps its cells, its runs and its counts', () => {
    const path = `${folder()}/old.db`;
    const old = new Database(path);
    migrate(old, migrationFiles().slice(0, 7));
    const flows = [{ start_s: 1 }, { handshake: 'full', ecn: true }];
    const spec = ExperimentSpec.parse({ name: 'old', traces: [{ rate_mbps: 10 }], ccas: [{ id: 'x' }], flows });
    const flowsOfThen = spec.flows.map(({ window_limit_bytes: _, ack: __, ...flow }) => flow);
    old
      .prepare(
        'INSERT INTO experiments (id, name, created_at, spec, cells, trace_names, cca_ids) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        'e',
        'old',
        '2026-01-01',
        JSON.stringify({ ...spec, flows: flowsOfThen }),
        JSON.stringify([cell('a'), cell('b')]),
        '["10 Mbps"]',
        '["x"]',
      );
    const states = ['done', 'queued', 'failed', 'done'];
    for (const [i, state] of states.entries()) {
      old
        .prepare("INSERT INTO runs (id, state, created_at, manifest) VALUES (?, ?, '2026-01-01', '{}')")
        .run(`r${i}`, state);
      old
        .prepare("INSERT INTO experiment_runs VALUES ('e', ?, ?, ?, 'solo', ?)")
        .run(i, `r${i}`, i < 2 ? 'a' : 'b', i % 2);
    }
    old.prepare("INSERT INTO jobs (run_id, cores, packets) VALUES ('r1', 1, 70.0)").run();
    old.close();

    const { experiments, jobs } = new Store(path);
    expect(experiments.item('e')).toMatchObject({ state: 'running', runs_total: 4, runs_done: 2, runs_failed: 1 });
    // What their receivers did, whatever a spec means now that says nothing.
    expect(experiments.spec('e')).toEqual({
      ...spec,
      flows: spec.flows.map((flow) => ({ ...flow, window_limit_bytes: 'none', ack: 'plain' })),
    });
    expect(experiments.cells('e', { from: 0, to: 10 })).toEqual([cell('a'), cell('b')]);
    expect(experiments.placesOfCell('e', 'a')).toEqual({ from: 0, to: 2 });
    expect(experiments.placesOfCell('e', 'b')).toEqual({ from: 2, to: 4 });
    expect(experiments.refs('e', { from: 0, to: 10 }).map(({ ref }) => ref.state)).toEqual(states);
    expect(jobs.ahead('e')).toMatchObject({ runs: 1, packets: 70 });
  });

  it.each([
    ['oracle', 12, {}, { knows: 'queue' }, { knows: 'rate', window_ms: 4 }],
    ['oracle', 12, undefined, { knows: 'queue' }, { knows: 'rate' }],
    ['oracle', 13, null, { knows: 'queue' }, { knows: 'rate' }],
    ['copa', 13, {}, { profile: 'paper' }, { profile: 'mvfst', delta: 0.1 }],
    ['copa', 12, undefined, { profile: 'paper' }, { profile: 'author' }],
    ['reminis', 13, {}, { base: 'reno', d_stat: 'mean', si_factor: 1 }, { base: 'cubic', d_stat: 'min', si_factor: 2 }],
  ])(
    'of %s at %i (%j) says what its parameters were, which are others now unless they are said',
    (id, before, params, was, is) => {
      const path = `${folder()}/old.db`;
      const old = new Database(path);
      migrate(old, migrationFiles().slice(0, before));
      const refs = [
        { id: 'x', params: { beta: 0.5 } },
        { id, params: {} },
      ];
      const said = { id, params: is };
      const stored = (value: object) =>
        JSON.stringify(value).replaceAll(JSON.stringify(refs[1]), JSON.stringify({ id, params }));
      const flows = [{ start_s: 1 }, { cca: refs[1]! }, { cca: said }];
      const spec = ExperimentSpec.parse({ name: 'old', traces: [{ rate_mbps: 10 }], ccas: [...refs, said], flows });
      old
        .prepare(
          "INSERT INTO experiments (id, name, created_at, spec, trace_names, cca_ids) VALUES ('e', 'old', '', ?, '', '')",
        )
        .run(stored(spec));
      const insert = old.prepare("INSERT INTO experiment_cells VALUES ('e', ?, ?, 0, ?)");
      for (const [i, cca] of spec.ccas.entries()) insert.run(i, `c${i}`, stored(cell(`c${i}`, cca)));
      old.close();

      const { experiments } = new Store(path);
      const then = { id, params: was };
      expect(experiments.spec('e')).toEqual({
        ...spec,
        ccas: [refs[0], then, said],
        flows: spec.flows.map((flow, i) => (i === 1 ? { ...flow, cca: then } : flow)),
      });
      expect(experiments.cells('e', { from: 0, to: 10 }).map(({ cca }) => cca)).toEqual([refs[0], then, said]);
    },
  );
});

describe('a data folder from before own algorithms', () => {
  it('opens with all that it had, and keeps them from then on', async () => {
    const path = `${folder()}/old.db`;
    const old = new Database(path);
    migrate(old, migrationFiles().slice(0, 21));
    old.prepare("INSERT INTO weights (id, created_at, info) VALUES ('w', '2026-01-01', '{}')").run();
    old.close();

    const { db, ownAlgorithms } = new Store(path);
    expect(versionOf(db)).toBe(migrationFiles().length);
    expect(db.prepare('SELECT id FROM weights').pluck().all()).toEqual(['w']);
    expect(ownAlgorithms.list()).toEqual([]);
    const declaration = OwnDeclaration.parse({
      name: 'Mine',
      summary: '',
      source: '',
      needs: {},
      params: [],
      internals: [],
    });
    const program = 'ab'.repeat(32);
    const algorithm = { id: ownCcaId(program), program, declaration, version: 1, created_at: '2026-01-01' };
    ownAlgorithms.insert(algorithm, 'ü');
    expect(ownAlgorithms.get(algorithm.id)).toEqual({ algorithm, deleted_at: null });
    expect(ownAlgorithms.text(program)).toBe('ü');
    expect(ownAlgorithms.size()).toEqual({ count: 1, bytes: 2 });
    expect(ownAlgorithms.nextVersion('Mine')).toBe(2);
    // Its text is another than its id says.
    const { faults } = await checkAll(path, folder());
    expect(faults).toContain(`the own algorithm ${algorithm.id} has changed: its text is no longer what its id says`);
  });
});

describe('the lock of a data folder', () => {
  it('is for one at a time, and free again when it is released', () => {
    const path = `${folder()}/lock.db`;
    const first = lockDataDir(path);
    expect(first).not.toBeNull();
    expect(lockDataDir(path)).toBeNull();
    first?.release();
    const second = lockDataDir(path);
    expect(second).not.toBeNull();
    second?.release();
  });
});
