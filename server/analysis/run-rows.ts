// The table of every run where all of its rows are at hand and no database is: what server/src/store/run-search.ts finds in SQL, to the
// same answer.
import { RUN_FIELD, type RunField } from '#analysis/run-fields';
import { MOST_GROUPS, groupFigures, groupOf, type AlikeRuns, type FigureSums } from '#analysis/run-groups';
import { parseRunQuery, queryProblem, type QueryProblem, type Term, type Within } from '#analysis/run-query';
import type { RunTable, RunTableRow } from '#protocol/run-table';

export interface SearchOrder {
  readonly field: string;
  readonly down: boolean;
}
export interface RunTableAsked {
  readonly q: string;
  readonly sort: SearchOrder;
  readonly group: readonly string[];
  /** Of groups; absent: the usual ones. */
  readonly figures?: readonly string[] | undefined;
  readonly after: number;
  readonly limit: number;
}

/** An experiment that has a run besides the one in its row: of several any counts. */
export interface OtherHome {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly starred: boolean;
}
/** By run. */
export type OtherHomes = ReadonlyMap<string, readonly OtherHome[]>;
const NONE: OtherHomes = new Map();

type Value = string | number | null;

/** What the store has in the column of a field. */
function valueOf(row: RunTableRow, id: string): Value {
  if (id === 'cca') return ` ${row.ccas.join(' ')} `;
  const value = row.figures[id] ?? (row as Readonly<Record<string, unknown>>)[id];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** SQLite knows no other letters' cases. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const isWithin = (value: number, { low, high, open }: Within): boolean =>
  (open === 'low' ? value > low : value >= low) && (open === 'high' ? value < high : value <= high);

const named = (text: string, homes: readonly { readonly id: string; readonly name: string }[]): boolean =>
  homes.some(({ id, name }) => id === text || name.toLowerCase().includes(text.toLowerCase()));

/** With `*` at its end the beginning is enough. */
function isWord(field: RunField, own: string, value: string): boolean {
  const begins = value.endsWith('*');
  const wanted = begins ? value.slice(0, -1) : value;
  if (field.id === 'cca') return own.includes(` ${wanted}${begins ? '' : ' '}`);
  return begins ? lowerAscii(own).startsWith(wanted) : lowerAscii(own) === wanted;
}

function hasValue({ field, exact }: { field: RunField; exact: boolean }, value: string, row: RunTableRow): boolean {
  const own = String(valueOf(row, field.id) ?? '');
  if (exact) return lowerAscii(own.replace(/^ +| +$/g, '')) === lowerAscii(value);
  if (field.kind === 'text') return own.toLowerCase().includes(value.toLowerCase());
  return isWord(field, own, value.toLowerCase());
}

function holds(term: Term, row: RunTableRow, others: readonly OtherHome[]): boolean {
  const homes = [row.experiment, ...others];
  switch (term.kind) {
    case 'anywhere':
      return (
        `${row.trace} ${row.ccas.join(' ')}`.toLowerCase().includes(term.text.toLowerCase()) || named(term.text, homes)
      );
    case 'within': {
      const value = valueOf(row, term.field.id);
      return typeof value === 'number' && term.ranges.some((range) => isWithin(value, range));
    }
    case 'date':
      return term.field.id === 'since' ? row.made >= term.day : row.made < term.day;
    case 'flag':
      return (row.starred || others.some(({ starred }) => starred)) === term.yes;
    case 'values': {
      if (term.field.id === 'experiment') return term.values.some((value) => named(value, homes));
      if (term.field.id !== 'tag') return term.values.some((value) => hasValue(term, value, row));
      const tags = [...row.tags, ...others.flatMap((other) => other.tags)].map(lowerAscii);
      return term.values.some((value) => tags.includes(lowerAscii(value)));
    }
  }
}

/** Whether all terms hold of a run in one experiment. */
export const isFound = (terms: readonly Term[], row: RunTableRow, others: readonly OtherHome[] = []): boolean =>
  terms.every((term) => holds(term, row, others) !== term.not);

/** Of UTF-8's bytes, as SQLite has it: UTF-16's would put what is beyond U+FFFF before what is below it. */
function compareText(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i >= a.length || i >= b.length) return a.length - b.length;
  return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
}
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));

/** What has no value comes last, whichever way. */
function sorted(rows: readonly RunTableRow[], { field, down }: SearchOrder): RunTableRow[] {
  const way = down ? -1 : 1;
  return rows
    .map((row) => ({ row, value: valueOf(row, field) }))
    .sort((a, b) => {
      if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
      const first = a.value === null || b.value === null ? 0 : compare(a.value, b.value);
      return way * (first || compareText(a.row.made, b.row.made) || compareText(a.row.id, b.row.id));
    })
    .map(({ row }) => row);
}

/** Neumaier's, which is how SQLite adds up. */
function sumOf(values: readonly number[]): number {
  let [sum, rest] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    rest += Math.abs(sum) > Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + rest;
}

function sumsOf(rows: readonly RunTableRow[], id: string): FigureSums {
  const values = rows.flatMap((row) => row.figures[id] ?? []);
  const n = values.length;
  return n === 0
    ? { n, mean: null, squares: null }
    : { n, mean: sumOf(values) / n, squares: sumOf(values.map((value) => value * value)) };
}

function alike(rows: readonly RunTableRow[], by: readonly RunField[], figures: readonly RunField[]): AlikeRuns[] {
  const groups = new Map<string, { readonly keys: (string | number)[]; readonly rows: RunTableRow[] }>();
  for (const row of rows) {
    const keys = by.map(({ id }) => valueOf(row, id) ?? '');
    const key = JSON.stringify(keys);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { keys, rows: [row] });
    else group.rows.push(row);
  }
  const inOrder = [...groups.values()].sort((a, b) =>
    a.keys.reduce<number>((so, key, i) => so || compare(key, b.keys[i] ?? ''), 0),
  );
  return inOrder.slice(0, MOST_GROUPS).map((group) => ({
    keys: group.keys,
    runs: group.rows.length,
    sums: figures.map(({ id }) => sumsOf(group.rows, id)),
  }));
}

/** Rows are what is in sight: whether a query asks for what was archived is for whoever gives them. */
export function runTableOf(
  rows: readonly RunTableRow[],
  { q, sort, group, figures, after, limit }: RunTableAsked,
  others = NONE,
): { readonly table: RunTable } | { readonly problem: QueryProblem } {
  const { terms, faults } = parseRunQuery(q);
  const problem = queryProblem(faults);
  if (problem !== null) return { problem };
  const asked = terms.filter((term) => term.kind !== 'flag' || term.field.id !== 'archived');
  const found = rows.filter((row) => isFound(asked, row, others.get(row.id)));
  const page = limit === 0 ? [] : sorted(found, sort).slice(after, after + limit);
  const fields = group.flatMap((id) => RUN_FIELD.get(id) ?? []);
  const wanted = groupFigures(figures);
  return {
    table: {
      total: found.length,
      rows: page,
      next: page.length > 0 && after + page.length < found.length ? after + page.length : null,
      groups: fields.length === 0 ? null : alike(found, fields, wanted).map((one) => groupOf(one, fields, wanted, q)),
      pending: 0,
    },
  };
}

/** Names of experiments, the newest first: none is older than its newest run. */
function experimentNames(rows: readonly RunTableRow[], others: OtherHomes): string[] {
  const oldestFirst = [...rows].sort((a, b) => compareText(a.made, b.made));
  const names = new Map<string, string>();
  for (const row of oldestFirst)
    for (const { id, name } of [...(others.get(row.id) ?? []), row.experiment]) {
      names.delete(id);
      names.set(id, name);
    }
  return [...new Set(names.values())].reverse();
}

/** The commonest values of a field; tags by how many runs have them, where the store counts what each was put on. */
export function runValuesOf(rows: readonly RunTableRow[], field: RunField, most: number, others = NONE): string[] {
  if (field.id === 'experiment') return experimentNames(rows, others).slice(0, most);
  if (field.id !== 'tag' && field.kind !== 'word' && field.kind !== 'text') return [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    const tags = (): string[] => [...row.tags, ...(others.get(row.id) ?? []).flatMap((other) => other.tags)];
    for (const value of field.id === 'tag' ? new Set(tags()) : [String(valueOf(row, field.id) ?? '')])
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const found = [...counts]
    .sort(([a, n], [b, m]) => m - n || compareText(a, b))
    .slice(0, most)
    .map(([value]) => value);
  return field.id === 'cca' ? [...new Set(found.flatMap((ids) => ids.trim().split(' ')))] : found;
}
