// A site without a server has rows and no SQL: what it finds among them is what the server answers, to the last bit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIGURE_FIELDS, GROUP_FIELDS, RUN_FIELDS, SORT_FIELDS } from '#analysis/run-fields';
import { runTableOf, runValuesOf, type OtherHome, type RunTableAsked } from '#analysis/run-rows';
import type { RunTableRow } from '#protocol/run-table';
import { Slices } from '../slices.ts';
import { Store } from '../store/store.ts';
import { addExperiment, addRun } from '../testing/runs.ts';
import { RunTables } from './run-table.ts';

let folder: string;
let store: Store;
let tables: RunTables;
let inSight: readonly RunTableRow[];
let withArchived: readonly RunTableRow[];
const others = new Map<string, OtherHome[]>();

const ASKED: RunTableAsked = { q: '', sort: { field: 'made', down: true }, group: [], after: 0, limit: 500 };
const RUNS = 90;

const CCAS = ['bbr', 'bbr2', 'cubic', 'copa', 'bbr cubic', 'cubic bbr copa'];
// Cases that SQLite does not know, what GLOB takes for more than itself, and two whose order UTF-16 turns round.
const TRACES = [
  'LTE walk',
  'lte Walk 2',
  '5G, 100% [drive]',
  'Überfahrt',
  'über*all?',
  'a "quoted" one',
  '\u{1f680}',
  '！',
];
const STATES = ['done', 'done', 'failed', 'queued', 'running', 'cancelled', 'invalid'];

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

/** Rows as they are made from runs, and what no engine had to be started for. */
function spread(): void {
  const figures = FIGURE_FIELDS.map(({ column }) => column ?? '');
  const columns = ['ccas', 'trace', 'words', 'buffer', 'state', 'role', 'engine', 'queue', 'transport', 'version',
    'rtt0', 'loss_rate', 'duration', 'flows', 'rep', 'made', ...figures]; // prettier-ignore
  const set = store.db.prepare(
    `UPDATE run_facts SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE run_id = ?`,
  );
  const ids = store.db.prepare('SELECT run_id FROM run_facts ORDER BY run_id').pluck().all() as string[];
  for (const [i, id] of ids.entries()) {
    const [ccas, trace] = [pick(CCAS, i), pick(TRACES, i >> 1)];
    set.run(
      ` ${ccas} `,
      trace,
      `${trace} ${ccas}`.toLowerCase(),
      pick(['1bdp', '5bdp', 'inf', '0.5bdp(link)'], i >> 2),
      pick(STATES, i),
      pick(['solo', 'self_pair', 'baseline_pair'], i),
      pick(['virtual', 'realtime'], i >> 3),
      pick(['droptail', 'codel'], i),
      pick(['tcp', 'quic'], i >> 1),
      pick(['0.1.0', '0.1.0-Dev', '0.2.0'], i),
      pick([20, 20.5, 100], i),
      pick([0, 0.001], i),
      pick([10, 60], i),
      ccas.split(' ').length,
      i % 5,
      `2026-11-${String((i % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
      ...figures.map((_, f) => ((i * 7 + f) % 6 === 0 ? null : ((i * 37 + f * 11) % 101) / (f + 3))),
      id,
    );
  }
}

/** What people say of experiments and of runs. */
function say(runs: readonly string[]): void {
  const label = store.db.prepare(
    'INSERT INTO labels (kind, object_id, name, starred, archived_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  label.run('experiment', 'Put away', null, 0, '2026-01-01', null);
  label.run('experiment', 'Other work', 'Work of OTHERS', 1, null, null);
  label.run('run', runs[3], null, 1, null, null);
  label.run('run', runs[4], null, 0, '2026-01-01', null);
  label.run('run', runs[5], null, 0, null, '2026-01-01');
  const tag = store.db.prepare('INSERT INTO tags VALUES (?, ?, ?)');
  tag.run('experiment', 'Thesis', 'good');
  tag.run('experiment', 'Last', 'Näher');
  for (const run of runs.slice(42, 60)) tag.run('run', run, 'Good');
  for (const run of runs.slice(50, 53)) tag.run('run', run, 'two words');
  tag.run('trace', 'of no run', 'of a trace');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-test-'));
  store = new Store(`${folder}/paceline.db`);
  tables = new RunTables(store, new Slices(), Infinity);
  const runs = Array.from({ length: RUNS }, (_, i) => addRun(store, i + 1));
  addExperiment(store, 'Thesis', runs.slice(0, 50));
  addExperiment(store, 'Other work', runs.slice(40, 70));
  addExperiment(store, 'Put away', runs.slice(65, 80));
  addExperiment(store, 'Last', [...runs.slice(0, 3), ...runs.slice(68)]);
  await tables.find(ASKED);
  spread();
  say(runs);
  inSight = (await tables.find(ASKED)).rows;
  withArchived = (await tables.find({ ...ASKED, q: 'archived:yes' })).rows;
  const homes = store.db.prepare(
    `SELECT DISTINCT e.id, COALESCE(l.name, e.name) AS name, COALESCE(l.starred, 0) AS starred
     FROM experiment_runs er JOIN experiments e ON e.id = er.experiment_id
       LEFT JOIN labels l ON l.kind = 'experiment' AND l.object_id = e.id WHERE er.run_id = ? AND e.id <> ?`,
  );
  const tagged = store.db.prepare(`SELECT tag FROM tags WHERE kind = 'experiment' AND object_id = ?`).pluck();
  for (const { id, experiment } of withArchived)
    others.set(
      id,
      (homes.all(id, experiment.id) as { id: string; name: string; starred: number }[]).map((home) => ({
        id: home.id,
        name: home.name,
        tags: tagged.all(home.id) as string[],
        starred: home.starred === 1,
      })),
    );
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Both answers; how many runs there are. */
async function same(q: string, more: Partial<RunTableAsked> = {}, rows = inSight): Promise<number> {
  const asked = { ...ASKED, q, ...more };
  const table = await tables.find(asked);
  expect(runTableOf(rows, asked, others), JSON.stringify(asked)).toEqual({ table });
  return table.total;
}

const TERMS = [
  // words, whole and by their beginning
  'cca:bbr', 'cca:BBR', 'cca:bbr*', 'cca:*', 'cca:copa,cubic', 'cca="bbr cubic"', 'cca:"bbr cubic"', 'cca=bbr', 'cca=BBR',
  'buffer:5bdp', 'buffer:"5 BDP",∞', 'buffer:0.5*', 'buffer="0.5 BDP (link)"', 'state:failed', 'state:FAILED,done',
  'state=Done', 'state:don', 'role:solo', 'role:*_pair', 'role:self*', 'engine:virtual', 'queue:codel', 'transport:quic',
  'version:0.1.0', 'version:0.1.0*', 'version:0.1.0-dev', 'version=0.1.0-DEV', 'id:a*', 'id:b*,c*', 'id:nosuch',
  // texts
  'trace:lte', 'trace:WALK', 'trace="lte walk"', 'trace="LTE WALK 2"', 'trace:"100% ["', 'trace:über', 'trace:ÜBER',
  'trace=überfahrt', 'trace=Überfahrt', 'trace:all?', 'trace:l*a', 'trace:*', 'trace:\u{1f680}', 'trace:"walk bbr"',
  'trace:bbr', 'walk', 'ÜBER', 'bbr', '"walk bbr"', 'cubic', 'thesis', 'OTHERS', '""', '[', 'last',
  // what is said
  'experiment:others', 'experiment:Thesis', 'experiment=Thesis', 'experiment:"put away"', 'experiment:"Other work"',
  'experiment:last,thesis', 'tag:good', 'tag:GOOD', 'tag=good', 'tag:goo', 'tag:näher', 'tag:nÄher', 'tag:NäHER',
  'tag:"two words",näher', 'tag:"of a trace"', 'starred:yes', 'starred:no', 'starred=true',
  // numbers
  'util<10', 'util<=10', 'util>=0', 'util>12.5', 'util:5..20', 'util:..20', 'util:20..', 'util:..', 'util:0', 'util=0,11',
  'p95:1..3,7..', 'rtt0:20', 'rtt0:20,100', 'rtt0>20', 'loss_rate>0', 'loss_rate:0', 'duration>=60', 'flows>1', 'flows:2..3',
  'rep:0..2', 'rep>3', 'd3<1', 'cpu:..', 'jain>1e1',
  // dates
  'since:2026-11-10', 'since:2026-11', 'since:2027', 'before:2026-11-20', 'before:2026-12', 'before:2026',
]; // prettier-ignore

describe('the table of rows at hand', () => {
  it('has enough to tell one term from another', () => {
    expect(inSight.length).toBeGreaterThan(60);
    expect(withArchived.length).toBeGreaterThan(inSight.length);
    expect([...others.values()].filter((homes) => homes.length > 0).length).toBeGreaterThan(15);
  });

  it.each(TERMS)('finds the same: %s', async (term) => {
    const found = await same(term);
    expect(found + (await same(`-${term}`))).toBe(inSight.length);
  });

  it('finds the same of several terms', async () => {
    const some = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...TERMS)), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...SORT_FIELDS), fc.boolean(), async (parts, field, down) => {
        const q = parts.map(([not, term]) => `${not ? '-' : ''}${term}`).join(' ');
        await same(q, { sort: { field, down }, limit: 20 });
      }),
      { numRuns: 150 },
    );
  });

  it('knows a letter whatever its case', async () => {
    for (const q of ['trace:ü', 'trace:ÜBERFAHRT', 'über']) expect(await same(q)).toBeGreaterThan(5);
  });

  it('leaves to whoever gives the rows what of the archived there is', async () => {
    for (const q of ['archived:yes', 'archived:yes util>5', '-archived:no']) await same(q, {}, withArchived);
    for (const q of ['archived:no', '-archived:yes -cca:bbr']) await same(q);
  });

  it.each(SORT_FIELDS)('sorts the same by %s', async (field) => {
    for (const down of [false, true]) await same('', { sort: { field, down } });
  });

  it('turns pages the same', async () => {
    for (const q of ['', '-state:failed', 'id:nosuch'])
      for (const after of [0, 7, 14, 56, 63, 70, 500])
        for (const limit of [0, 1, 7]) await same(q, { after, limit, sort: { field: 'p95', down: true } });
  });

  it.each(GROUP_FIELDS)('groups the same by %s, and by it and others', async (field) => {
    await same('', { group: [field], limit: 0 });
    for (const other of ['cca', 'trace', 'rtt0']) await same('util>=3', { group: [field, other], limit: 3 });
    await same(' -state:failed ', {
      group: [field === 'queue' ? 'engine' : 'queue', 'buffer', field],
      figures: ['rtt', 'd3', 'nosuch'],
    });
    await same('id:nosuch', { group: [field], figures: [] });
  });

  it('refuses the same', async () => {
    for (const q of ['cca:bbr utl<3', 'util:x', '"', 'util:5..3 starred:perhaps', 'x'.repeat(2000), 'a '.repeat(50)]) {
      const answer = runTableOf(inSight, { ...ASKED, q });
      if (!('problem' in answer)) throw new Error(`${q} was answered`);
      const { detail, ...details } = answer.problem;
      await expect(tables.find({ ...ASKED, q })).rejects.toMatchObject({ message: detail, details });
    }
  });

  it('completes the same where all of the store is in sight', async () => {
    store.db.exec('UPDATE labels SET archived_at = NULL, deleted_at = NULL');
    const { rows } = await tables.find(ASKED);
    expect(rows).toHaveLength(RUNS);
    for (const field of RUN_FIELDS) {
      const all = runValuesOf(rows, field, 100, others);
      const wanted = await tables.values(field, 100);
      // How many tags were put on, and which experiment came first, rows do not tell.
      if (field.kind === 'set') expect(all.sort(), field.id).toEqual(wanted.sort());
      else
        expect([all, runValuesOf(rows, field, 3, others)], field.id).toEqual([wanted, await tables.values(field, 3)]);
    }
  });
});
