// Many values by some of their quantiles: percentiles of runs cannot be joined, and of thousands of runs not every value can be kept.
import { sortedQuantile } from '#analysis/statistics';
import type { Sketch } from '#protocol/sampled';

/** Each stands for a half percent of the values: so far off a pooled quantile can be, in rank. */
export const SKETCHED = 200;
/** Samples are 32-bit floats: what is behind these digits is nothing. */
const DIGITS = 7;

/** null of nothing. `values` rise. */
export function sketchOf(sorted: ArrayLike<number>): Sketch | null {
  const n = sorted.length;
  if (n === 0) return null;
  const kept = Math.min(n, SKETCHED);
  const at = Array.from({ length: kept }, (_, i) => sorted[Math.floor(((i + 0.5) * n) / kept)] ?? NaN);
  return { n, at: at.map((value) => Number(value.toPrecision(DIGITS))) };
}

/** What several stand for, together: values that rise, with how much each weighs. */
export interface Pooled {
  readonly n: number;
  readonly values: readonly number[];
  /** Up to and with each, of `n`. */
  readonly below: readonly number[];
}

/** Every value counts alike, whichever run it is of. */
export function pooledSketches(sketches: readonly Sketch[]): Pooled {
  const points = sketches
    .flatMap(({ n, at }) => at.map((value) => ({ value, weight: n / at.length })))
    .sort((a, b) => a.value - b.value);
  let n = 0;
  const below = points.map(({ weight }) => (n += weight));
  return { n: Math.round(n), values: points.map(({ value }) => value), below };
}

/** The smallest value with at least a share q of all at or below it; null of nothing. */
export function pooledQuantile({ values, below }: Pooled, q: number): number | null {
  const all = below.at(-1) ?? 0;
  // 0.95 has no exact binary form, and sums of weights round.
  const place = below.findIndex((weight) => weight >= q * all - 1e-9 * all);
  return values[place] ?? null;
}

/** Of values that rise, by name. */
export const quantilesOf = (
  sorted: ArrayLike<number>,
  named: Readonly<Record<string, number>>,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(named).flatMap(([name, q]) => {
      const value = sortedQuantile(sorted, q);
      return value === null ? [] : [[name, value] as const];
    }),
  );
