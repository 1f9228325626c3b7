// Means with intervals, quantiles and resampling. Repetitions are few, so intervals use Student's t and say their n.

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length;

/** Sample standard deviation (divisor n - 1); null of fewer than two. */
export function standardDeviation(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/** Nearest rank of a share of `count` values, from 1. 0.95 has no exact binary form, yet 0.95 x 20 must be rank 19. */
const rankOf = (q: number, count: number): number => Math.min(Math.max(Math.ceil(q * count - 1e-9), 1), count);

/** Nearest-rank quantile of values in ascending order: the smallest with at least a share q of all at or below it. */
export const sortedQuantile = (sorted: ArrayLike<number>, q: number): number | null =>
  sorted[rankOf(q, sorted.length) - 1] ?? null;

/** Log of the gamma function for x > 0: Lanczos, g = 7, n = 9, relative error below 1e-13. */
function logGamma(x: number): number {
  const coefficients = [
    0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const z = x - 1;
  const t = z + 7.5;
  const series = coefficients.reduce((total, c, i) => (i === 0 ? c : total + c / (z + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

/** Regularised incomplete beta function by Lentz's continued fraction (Numerical Recipes 6.4). */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const safe = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

/** Found by bisection, which takes long for a table of a thousand intervals with the same few degrees of freedom. */
const knownT = new Map<string, number>();

/** The t with P(|T| > t) = `tails` for `df` degrees of freedom. */
export function studentT(tails: number, df: number): number {
  const key = `${tails} ${df}`;
  const known = knownT.get(key) ?? findT(tails, df);
  knownT.set(key, known);
  return known;
}

function findT(tails: number, df: number): number {
  const outside = (t: number): number => incompleteBeta(df / 2, 0.5, df / (df + t * t));
  let low = 0;
  let high = 1;
  while (outside(high) > tails) high *= 2;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (outside(middle) > tails) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(Z > z) of the standard normal for z >= 0: Chebyshev fit of erfc, relative error below 1.2e-7 (Numerical Recipes 6.2). */
export function normalTail(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.5 * x);
  const fit = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const polynomial = fit.reduceRight((total, c) => total * t + c, 0);
  return 0.5 * t * Math.exp(-x * x + polynomial);
}

/** A mean with its 95 % interval; the interval is null when there are fewer than two values to judge by. */
export interface Estimate {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly sd: number | null;
  readonly n: number;
  /** One value per repetition, so that the dots can be drawn. */
  readonly values: readonly number[];
}

/** t-interval of the mean, cut to where the quantity can be; null of nothing. */
export function estimate(
  values: readonly number[],
  range: readonly [number, number] = [-Infinity, Infinity],
): Estimate | null {
  const centre = mean(values);
  if (centre === null) return null;
  const sd = standardDeviation(values);
  if (sd === null) return { mean: centre, low: null, high: null, sd, n: values.length, values };
  const half = (studentT(0.05, values.length - 1) * sd) / Math.sqrt(values.length);
  const low = Math.max(centre - half, Math.min(range[0], centre));
  const high = Math.min(centre + half, Math.max(range[1], centre));
  return { mean: centre, low, high, sd, n: values.length, values };
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 95 % percentile interval of bootstrap replicates, expanded because each resampled mean is of only `n` values: plain
 * percentile intervals of few values are too narrow (Hesterberg 2015, "expanded percentile interval"). `df` is the number
 * of independent deviations behind the replicates: more than n - 1 when several samples of n are averaged.
 */
export function bootstrapInterval(replicates: ArrayLike<number>, n: number, df = n - 1): Interval | null {
  if (n < 2) return null;
  const sorted = Float64Array.from(replicates).sort();
  const tail = expandedTail(n, df);
  const low = sortedQuantile(sorted, tail);
  const high = sortedQuantile(sorted, 1 - tail);
  return low === null || high === null ? null : { low, high };
}

const expandedTail = (n: number, df: number): number => normalTail(Math.sqrt(n / (n - 1)) * studentT(0.05, df));

/** 1: the interval lies above zero, -1: below, 0: around it. By counting, because it is asked for every pair of CCAs. */
export function bootstrapSign(replicates: ArrayLike<number>, n: number, df = n - 1): -1 | 0 | 1 {
  if (n < 2 || replicates.length === 0) return 0;
  let positive = 0;
  let negative = 0;
  for (let i = 0; i < replicates.length; i++) {
    const value = replicates[i] ?? 0;
    if (value > 0) positive++;
    else if (value < 0) negative++;
  }
  const tail = expandedTail(n, df);
  if (replicates.length - positive < rankOf(tail, replicates.length)) return 1;
  return negative >= rankOf(1 - tail, replicates.length) ? -1 : 0;
}

/** Enough that the expanded tails of five repetitions (0.1 %) still rest on several replicates. */
export const BOOTSTRAP_REPLICATES = 4000;
