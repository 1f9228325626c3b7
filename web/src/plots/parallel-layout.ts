// Parallel coordinates of cells: the axes, what each cell has on them, their order, and which cells are within the kept parts.
import type { MetricId } from '#analysis/metrics';
import { SCENARIOS } from '#analysis/scores';
import type { TableRow } from '#analysis/table';

export interface Dimension {
  readonly id: string;
  readonly title: string;
  readonly of: (row: TableRow) => number | null;
  readonly better: 'more' | 'less';
  /** Ends of the scale where they do not follow from what was measured. */
  readonly ends?: readonly [number, number];
  /** Shares are written as %. */
  readonly percent?: true;
}

const mean = (row: TableRow, id: MetricId): number | null => row.metrics[id]?.mean ?? null;

const MEASURED: readonly Dimension[] = [
  {
    id: 'utilisation',
    title: 'utilisation',
    of: (row) => mean(row, 'utilisation'),
    better: 'more',
    ends: [0, 1],
    percent: true,
  },
  { id: 'delay', title: 'delay, × base', of: (row) => mean(row, 'delay_inflation'), better: 'less' },
  {
    id: 'p95',
    title: 'RTT p95, × base',
    of: (row) => {
      const p95 = mean(row, 'rtt_p95');
      return p95 === null || row.cell.base_rtt_ms <= 0 ? null : p95 / row.cell.base_rtt_ms;
    },
    better: 'less',
  },
  { id: 'loss', title: 'loss', of: (row) => mean(row, 'loss'), better: 'less', percent: true },
  // Jain’s index of two flows is never below a half.
  { id: 'intra', title: 'Jain, self', of: (row) => row.intra?.mean ?? null, better: 'more', ends: [0.5, 1] },
  { id: 'inter', title: 'Jain, base', of: (row) => row.inter?.mean ?? null, better: 'more', ends: [0.5, 1] },
];

const SHORT: Readonly<Record<string, string>> = { 'real-time': 'real-time', bulk: 'bulk', mixed: 'mixed' };
const SCORES: readonly Dimension[] = SCENARIOS.filter(({ main }) => main).map(({ id }) => ({
  id: `score-${id}`,
  title: `score ${SHORT[id] ?? id}`,
  of: (row) => row.scores?.[id]?.score.value ?? null,
  better: 'more',
  ends: [0, 1],
}));

export const ORDERS = ['measured', 'scores', 'alike'] as const;
export type Order = (typeof ORDERS)[number];

export interface Axis extends Dimension {
  /** From the worse end to the better one. */
  readonly from: number;
  readonly to: number;
}

export interface ParallelLine {
  readonly row: TableRow;
  /** Along each axis from 0, the worse end, to 1; null: not measured. */
  readonly places: readonly (number | null)[];
}

export interface Parallel {
  readonly axes: readonly Axis[];
  readonly lines: readonly ParallelLine[];
}

function axisOf(dimension: Dimension, rows: readonly TableRow[]): Axis[] {
  const values = rows.flatMap((row) => dimension.of(row) ?? []);
  if (values.length === 0) return [];
  const [low, high] = dimension.ends ?? [Math.min(...values, dimension.percent === true ? 0 : 1), Math.max(...values)];
  // All the same: the scale has a length all the same.
  const top = high > low ? high : low + 1;
  return [{ ...dimension, ...(dimension.better === 'more' ? { from: low, to: top } : { from: top, to: low }) }];
}

const placeOn = ({ of, from, to }: Axis, row: TableRow): number | null => {
  const value = of(row);
  return value === null ? null : Math.max(0, Math.min(1, (value - from) / (to - from)));
};

/** How alike two axes put the cells, from 0 to 1: the absolute correlation of places. */
function likeness(lines: readonly ParallelLine[], a: number, b: number): number {
  const pairs = lines.flatMap(({ places }) => {
    const [x, y] = [places[a] ?? null, places[b] ?? null];
    return x === null || y === null ? [] : [[x, y] as const];
  });
  const n = pairs.length;
  if (n < 3) return 0;
  const [mx, my] = [0, 1].map((k) => pairs.reduce((sum, pair) => sum + (pair[k] ?? 0), 0) / n) as [number, number];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xy += (x - mx) * (y - my);
    xx += (x - mx) ** 2;
    yy += (y - my) ** 2;
  }
  return xx > 0 && yy > 0 ? Math.abs(xy) / Math.sqrt(xx * yy) : 0;
}

/** Each axis beside the one most like it, of those left: lines between neighbours cross least. */
function byLikeness(parallel: Parallel): Parallel {
  const left = parallel.axes.map((_, i) => i);
  const order: number[] = left.splice(0, 1);
  while (left.length > 0) {
    const last = order.at(-1) ?? 0;
    const next = left.reduce((best, i) =>
      likeness(parallel.lines, last, i) > likeness(parallel.lines, last, best) ? i : best,
    );
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return {
    axes: order.flatMap((i) => parallel.axes[i] ?? []),
    lines: parallel.lines.map(({ row, places }) => ({ row, places: order.map((i) => places[i] ?? null) })),
  };
}

/** Axes that nobody was measured on are left out, and so are cells with fewer than two values. */
export function parallelOf(rows: readonly TableRow[], order: Order): Parallel {
  const axes = (order === 'scores' ? [...SCORES, ...MEASURED] : [...MEASURED, ...SCORES]).flatMap((dimension) =>
    axisOf(dimension, rows),
  );
  const lines = rows
    .map((row) => ({ row, places: axes.map((axis) => placeOn(axis, row)) }))
    .filter(({ places }) => places.filter((place) => place !== null).length > 1);
  const made = { axes, lines };
  return order === 'alike' ? byLikeness(made) : made;
}

/** Kept parts by the axes' ids, in % of the axes from their worse ends. */
export type Kept = ReadonlyMap<string, readonly [from: number, to: number]>;

const WHOLE = [0, 100] as const;
const PART = /^([a-z0-9-]{1,40}):(\d{1,3})-(\d{1,3})$/;

/** `utilisation:80-100;loss:50-100`; what is not understood is left out. */
export function readKept(text: string): Kept {
  return new Map(
    text.split(';').flatMap((part): [string, readonly [number, number]][] => {
      const [, id, from, to] = PART.exec(part) ?? [];
      const [low, high] = [Number(from), Number(to)];
      return id === undefined || !(low < high) || high > 100 ? [] : [[id, [low, high]]];
    }),
  );
}

export const writeKept = (kept: Kept): string => [...kept].map(([id, [from, to]]) => `${id}:${from}-${to}`).join(';');

export function withKept(kept: Kept, id: string, [from, to]: readonly [number, number]): Kept {
  const next = new Map(kept);
  const [low, high] = [Math.max(0, Math.round(from)), Math.min(100, Math.round(to))];
  if (low <= WHOLE[0] && high >= WHOLE[1]) next.delete(id);
  else if (low < high) next.set(id, [low, high]);
  return next;
}

/** What was not measured on an axis of which a part is kept is not within it. */
export const isKept = ({ axes }: Parallel, { places }: ParallelLine, kept: Kept): boolean =>
  axes.every(({ id }, i) => {
    const part = kept.get(id);
    const place = places[i] ?? null;
    return part === undefined || (place !== null && place * 100 >= part[0] - 1e-9 && place * 100 <= part[1] + 1e-9);
  });
