// Every run of every experiment: what SQLite finds is what looking at each run finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIGURE_FIELDS, RUN_FIELD } from '#analysis/run-fields';
import { parseRunQuery, type Term } from '#analysis/run-query';
import type { RunTableAsked } from '#analysis/run-rows';
import type { RunTableRow } from '#protocol/run-table';
import { Slices } from '../slices.ts';
import { Store } from '../store/store.ts';
import { addExperiment, addRun } from '../testing/runs.ts';
import { RunTables } from './run-table.ts';

let folder: string;
let store: Store;
let tables: RunTables;
const ASKED: RunTableAsked = { q: '', sort: { field: 'made', down: true }, group: [], after: 0, limit: 500 };
const find = (q: string, more: Partial<RunTableAsked> = {}) => tables.find({ ...ASKED, q, ...more });

const CCAS = ['bbr', 'bbr2', 'cubic', 'copa'];
const RUNS = 160;

/** Rows as they are made from runs, and figures that no engine had to be started for. */
function spread(): void {
  const set = store.db.prepare(
    `UPDATE run_facts SET ccas = ?, trace = ?, words = ?, buffer = ?, state = ?, rtt0 = ?, rep = ?, made = ?,
       f_utilisation = ?, f_queueing_p95 = ? WHERE run_id = ?`,
  );
  const ids = store.db.prepare('SELECT run_id FROM run_facts ORDER BY run_id').pluck().all() as string[];
  for (const [i, id] of ids.entries()) {
    const ccas = i % 5 === 0 ? `${CCAS[i % 4]} cubic` : (CCAS[i % 4] ?? '');
    const trace = i % 3 === 0 ? 'LTE walk' : '5G, 100% [drive]';
    set.run(
      ` ${ccas} `,
      trace,
      `${trace} ${ccas}`.toLowerCase(),
      ['1bdp', '5bdp', 'inf'][i % 3],
      i % 7 === 0 ? 'failed' : 'done',
      20 + (i % 4),
      i % 10,
      `2026-11-${String((i % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
      i % 6 === 0 ? null : (i % 100) / 100,
      (i * 37) % 211,
      id,
    );
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-test-'));
  store = new Store(`${folder}/paceline.db`);
  tables = new RunTables(store, new Slices(), Infinity);
  const runs = Array.from({ length: RUNS }, (_, i) => addRun(store, i + 1));
  addExperiment(store, 'Thesis', runs.slice(0, 90));
  addExperiment(store, 'Other work', runs.slice(80, 130));
  addExperiment(store, 'Put away', runs.slice(125));
  await find('');
  spread();
  const say = store.db.prepare(
    'INSERT INTO labels (kind, object_id, name, starred, archived_at) VALUES (?, ?, ?, ?, ?)',
  );
  say.run('experiment', 'Put away', null, 0, '2026-01-01');
  say.run('experiment', 'Other work', 'Work of others', 1, null);
  store.db.prepare('INSERT INTO tags VALUES (?, ?, ?)').run('experiment', 'Thesis', 'good');
  store.db.prepare('INSERT INTO tags VALUES (?, ?, ?)').run('run', runs[100], 'Good');
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Which experiments a run is in, and what they are called. */
const homesOf = (id: string): string[] =>
  store.db.prepare('SELECT experiment_id FROM experiment_runs WHERE run_id = ?').pluck().all(id) as string[];
const CALLED: Readonly<Record<string, string>> = {
  'Other work': 'Work of others',
  Thesis: 'Thesis',
  'Put away': 'Put away',
};

function holds(term: Term, row: RunTableRow): boolean {
  const names = homesOf(row.id).map((id) => CALLED[id] ?? '');
  const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
  const valueOf = (): unknown =>
    (({ ...row, ...row.figures }) as Readonly<Record<string, unknown>>)['field' in term ? term.field.id : ''];
  switch (term.kind) {
    case 'anywhere':
      return has(`${row.trace} ${row.ccas.join(' ')}`, term.text) || names.some((name) => has(name, term.text));
    case 'values':
      return term.values.some((value) => {
        if (term.field.id === 'experiment') return names.some((name) => has(name, value));
        if (term.field.id === 'tag')
          return homesOf(row.id).includes('Thesis')
            ? value.toLowerCase() === 'good'
            : row.tags.some((tag) => tag.toLowerCase() === value.toLowerCase());
        if (term.field.id === 'trace') return has(row.trace, value);
        const whole = term.field.id === 'cca' ? row.ccas : [String(valueOf())];
        return whole.some((one) => (value.endsWith('*') ? one.startsWith(value.slice(0, -1)) : one === value));
      });
    case 'within': {
      const value = valueOf();
      return (
        typeof value === 'number' &&
        term.ranges.some(
          ({ low, high, open }) =>
            (open === 'low' ? value > low : value >= low) && (open === 'high' ? value < high : value <= high),
        )
      );
    }
    case 'date':
      return term.field.id === 'since' ? row.made >= term.day : row.made < term.day;
    case 'flag':
      return homesOf(row.id).includes('Other work') === term.yes;
  }
}

const someTerm = fc.constantFrom(
  'cca:bbr',
  'cca:bbr*',
  'cca:copa,cubic',
  'trace:"100% ["',
  'trace:lte',
  'buffer:5bdp',
  'state:failed',
  'util<0.5',
  'util>=0.21',
  'p95:50..100',
  'rtt0:20,22',
  'rep>6',
  'since:2026-11-10',
  'before:2026-11-20',
  'walk',
  'thesis',
  'experiment:others',
  'experiment:Thesis',
  'tag:good',
  'starred:yes',
  'starred:no',
  'id:a*',
);

describe('the table of every run', () => {
  it('finds what looking at each run finds, turned round or not, sorted, page by page', async () => {
    const all = (await find('')).rows;
    expect(all.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), someTerm), { maxLength: 3 }),
        fc.constantFrom('made', 'util', 'p95', 'trace', 'rep'),
        fc.boolean(),
        async (parts, field, down) => {
          const q = parts.map(([not, term]) => `${not ? '-' : ''}${term}`).join(' ');
          const { terms, faults } = parseRunQuery(q);
          expect(faults).toEqual([]);
          const wanted = all.filter((row) => terms.every((term) => holds(term, row) !== term.not)).map(({ id }) => id);
          const found = [];
          for (let after: number | null = 0; after !== null;) {
            const page = await find(q, { sort: { field, down }, after, limit: 40 });
            expect(page.total).toBe(wanted.length);
            found.push(...page.rows);
            after = page.next;
          }
          expect(found.map(({ id }) => id).sort()).toEqual(wanted.sort());
          const values = found
            .map((row): Readonly<Record<string, unknown>> => ({ ...row, ...row.figures }))
            .map((row) => row[field] ?? null);
          const known = values.filter((value) => value !== null);
          expect(values.slice(0, known.length)).toEqual(known);
          for (let i = 1; i < known.length; i++) {
            const [a, b] = down ? [known[i], known[i - 1]] : [known[i - 1], known[i]];
            expect((a as number) <= (b as number)).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('leaves out what is archived until it is asked for, but not what another experiment has as well', async () => {
    expect((await find('')).total).toBe(130);
    expect((await find('archived:yes')).total).toBe(RUNS);
    expect((await find('-archived:yes')).total).toBe(130);
    expect((await find('experiment:"Put away"')).rows.map(({ id }) => homesOf(id).length)).toEqual([2, 2, 2, 2, 2]);
  });

  it('groups, with means that the runs of a group have, and a query that finds them', async () => {
    const { groups } = await find('-state:failed', { group: ['cca', 'buffer'], limit: 0 });
    expect(groups?.length).toBeGreaterThan(6);
    for (const { query, runs, figures } of groups ?? []) {
      const { rows, total } = await find(query);
      expect(total).toBe(runs);
      const values = rows.flatMap((row) => row.figures['p95'] ?? []);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      expect(figures['p95']?.mean).toBeCloseTo(mean, 9);
      if (values.length >= 3) expect(figures['p95']?.low).toBeLessThan(mean);
    }
  });

  it('has a run anew when its state changes, and loses one whose experiment goes', async () => {
    const run = addRun(store, 9999);
    addExperiment(store, 'short-lived', [run]);
    expect((await find('experiment:short-lived')).rows[0]).toMatchObject({ id: run, state: 'queued' });
    store.runs.start(run, new Date().toISOString());
    expect((await find('experiment:short-lived state:running')).total).toBe(1);
    store.experiments.removeRuns('short-lived', { from: 0, to: 10 });
    store.experiments.remove('short-lived');
    expect((await find(`id:${run}`)).total).toBe(0);
  });

  it('refuses a query with the place of its faults', async () => {
    await expect(find('cca:bbr utl<3')).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      details: { where: 'q, characters 9 to 13' },
    });
  });

  it('has a column of the store for every field that can be sorted by', () => {
    const columns = new Set((store.db.pragma('table_info(run_facts)') as { name: string }[]).map(({ name }) => name));
    for (const { column } of RUN_FIELD.values()) if (column !== undefined) expect(columns).toContain(column);
    expect(FIGURE_FIELDS.length).toBeGreaterThan(10);
  });

  it('completes with what there is', async () => {
    expect(await tables.values(RUN_FIELD.get('cca')!, 10)).toEqual(expect.arrayContaining(['bbr', 'copa']));
    expect(await tables.values(RUN_FIELD.get('experiment')!, 10)).toEqual(['Work of others', 'Thesis']);
  });
});
