// Rows of the table by what they have in common, with the mean of each group.
import type { Cell } from '#protocol/api';
import { canonicalJson } from '#analysis/identity';
import { ccaKey, disciplineOf, groupBy, transportOf } from '#analysis/results';
import { FEWEST_FOR_INTERVAL, intervalAround, mean, standardDeviation, sum } from '#analysis/statistics';
import type { Interval, Range } from '#analysis/statistics';
import { inOrder, sortRows, sortValue, type SortColumn, type TableRow } from '#analysis/table';

export const DIMENSIONS = ['cca', 'limit', 'trace', 'set', 'rtt', 'discipline', 'transport', 'loss', 'sweep'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Of a trace that is in none it is the trace. */
const setOf = ({ trace, trace_set }: Cell): unknown => trace_set ?? trace;
/** What tells cells apart that differ by their trace. */
const NO_TRACE = {
  key: undefined,
  trace: undefined,
  trace_name: undefined,
  trace_set: undefined,
  limit_bytes: undefined,
};

/** What rows of one group share. */
const KEYS: Readonly<Record<Dimension, (cell: Cell) => string>> = {
  cca: ccaKey,
  limit: ({ buffer }) => canonicalJson(buffer),
  trace: ({ trace }) => canonicalJson(trace),
  // All that is told apart by its trace alone: what a set means together.
  set: (cell) => canonicalJson([setOf(cell), cell.cca, { ...cell, ...NO_TRACE }]),
  rtt: ({ base_rtt_ms }) => String(base_rtt_ms),
  discipline: (cell) => canonicalJson(disciplineOf(cell)),
  transport: (cell) => transportOf(cell) ?? '',
  loss: ({ loss }) => String(loss),
  sweep: ({ sweep }) => canonicalJson(sweep?.value ?? null),
};

export interface RowGroup {
  readonly key: string;
  /** At least one. */
  readonly rows: readonly TableRow[];
}

/** Those by which there is more than one group. */
export const dimensionsOf = (rows: readonly TableRow[]): Dimension[] =>
  DIMENSIONS.filter((dimension) => {
    const groups = new Set(rows.map(({ cell }) => KEYS[dimension](cell))).size;
    // A set alone is a group worth telling of; without any, each row would be one.
    return dimension === 'set'
      ? rows.some(({ cell }) => cell.trace_set !== undefined) && groups < rows.length
      : groups > 1;
  });

export interface GroupMean {
  readonly mean: number;
  /** Cells that have the figure, of those that compete. */
  readonly n: number;
  readonly of: number;
  /** 95 % over traces, as if those were drawn from many like them; null: fewer than three, or not each has as many cells. */
  readonly interval_traces: Interval | null;
}

/**
 * Mean over the cells of a group, each as heavy as any other, whatever its repetitions. References are no competitors: they would flatter
 * the group, and count only where there is nothing else. `range`: where the figure can be.
 */
export function groupMean({ rows }: RowGroup, read: (row: TableRow) => number | null, range?: Range): GroupMean | null {
  const competing = rows.filter(({ reference }) => !reference);
  const counted = competing.length > 0 ? competing : rows;
  const measured = counted.flatMap((row) => {
    const value = read(row);
    return value === null ? [] : [{ cell: row.cell, value }];
  });
  const centre = mean(measured.map(({ value }) => value));
  if (centre === null) return null;
  return { mean: centre, n: measured.length, of: counted.length, interval_traces: overTraces(measured, centre, range) };
}

/** Student's t over the traces' own means. Where traces have unequal numbers of cells, the mean of all is not that of the traces' means. */
function overTraces(
  values: readonly { readonly cell: Cell; readonly value: number }[],
  centre: number,
  range?: Range,
): Interval | null {
  const traces = [...groupBy(values, ({ cell }) => KEYS.trace(cell)).values()];
  const cells = traces[0]?.length;
  if (traces.length < FEWEST_FOR_INTERVAL || traces.some(({ length }) => length !== cells)) return null;
  const means = traces.flatMap((own) => mean(own.map(({ value }) => value)) ?? []);
  const sd = standardDeviation(means);
  return sd === null ? null : intervalAround(centre, sd / Math.sqrt(means.length), means.length - 1, range);
}

/** What a column says of a group as a whole; null: nothing. */
function groupValue(group: RowGroup, column: SortColumn, dimension: Dimension): number | string | null {
  if (column === 'n') return sum(group.rows.map(({ n }) => n));
  if (column === dimension) return group.rows[0] === undefined ? null : sortValue(group.rows[0], column);
  if (column === 'cca' || column === 'limit' || column === 'trace' || column === 'rtt') return null;
  const read = (row: TableRow): number | null => {
    const value = sortValue(row, column);
    return typeof value === 'number' ? value : null;
  };
  return groupMean(group, read)?.mean ?? null;
}

/** Groups in the order of their first rows, or by what the column says of them; rows by it within each. Without a column as they are. */
export function groupRows(
  rows: readonly TableRow[],
  dimension: Dimension,
  column: SortColumn | null,
  descending = false,
): RowGroup[] {
  const groups = [...groupBy(rows, ({ cell }) => KEYS[dimension](cell))].map(([key, own]): RowGroup => ({
    key,
    rows: column === null ? own : sortRows(own, column, descending),
  }));
  if (column === null) return groups;
  const values = new Map(groups.map((group) => [group, groupValue(group, column, dimension)]));
  return groups.toSorted((a, b) => inOrder(values.get(a) ?? null, values.get(b) ?? null, descending));
}
