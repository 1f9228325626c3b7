// Means with intervals, and quantiles. Repetitions are few, so intervals use Student's t, and none is given for fewer than three.

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

/** P(|T| > t) for `df` degrees of freedom. */
export const studentTails = (t: number, df: number): number => incompleteBeta(df / 2, 0.5, df / (df + t * t));

function findT(tails: number, df: number): number {
  const outside = (t: number): number => studentTails(t, df);
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

/**
 * P(Z > z) of the standard normal for z >= 0, relative error below 1e-12: near the middle by the series of Abramowitz and Stegun 26.2.11,
 * in the tail, where a difference from one half would lose digits, by their continued fraction 26.2.14.
 */
export function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let [term, series] = [z, z];
    for (let k = 1; term > series * 1e-17; k++) series += term *= (z * z) / (2 * k + 1);
    return 0.5 - density * series;
  }
  let fraction = z;
  for (let k = 150; k >= 1; k--) fraction = z + k / fraction;
  return density / fraction;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Where a quantity can be; infinite where there is no bound. */
export type Range = readonly [least: number, most: number];
const ANYWHERE: Range = [-Infinity, Infinity];

/** With two values the interval is a dozen times their distance: true, and of no use. */
export const FEWEST_FOR_INTERVAL = 3;

/** A scale that a bounded quantity can go along for ever: an interval that is even there stays where the quantity can be. */
interface Stretch {
  readonly to: (value: number) => number;
  readonly from: (stretched: number) => number;
  readonly slope: (value: number) => number;
}

/** Logarithm of the distance from a bound, logit between two. */
function stretchOf([least, most]: Range): Stretch {
  if (Number.isFinite(least) && Number.isFinite(most))
    return {
      to: (x) => Math.log((x - least) / (most - x)),
      from: (y) => least + (most - least) / (1 + Math.exp(-y)),
      slope: (x) => 1 / (x - least) + 1 / (most - x),
    };
  if (Number.isFinite(least))
    return { to: (x) => Math.log(x - least), from: (y) => least + Math.exp(y), slope: (x) => 1 / (x - least) };
  if (Number.isFinite(most))
    return { to: (x) => -Math.log(most - x), from: (y) => most - Math.exp(-y), slope: (x) => 1 / (most - x) };
  return { to: (x) => x, from: (y) => y, slope: () => 1 };
}

/**
 * 95 % interval around a mean: Student's t on the stretched scale of its range, where the standard error is carried by the slope
 * (delta method). Unlike an interval of the logarithms' mean it is about the mean itself. docs/metrics.md has how often this and
 * its rivals cover the truth.
 */
export function intervalAround(centre: number, standardError: number, df: number, range: Range = ANYWHERE): Interval {
  const t = studentT(0.05, df);
  const [least, most] = range;
  // On the bound itself (a clock may even put it beyond) there is nothing to stretch.
  if (centre <= least || centre >= most)
    return {
      low: Math.max(centre - t * standardError, Math.min(least, centre)),
      high: Math.min(centre + t * standardError, Math.max(most, centre)),
    };
  const { to, from, slope } = stretchOf(range);
  const half = t * standardError * slope(centre);
  return { low: Math.min(from(to(centre) - half), centre), high: Math.max(from(to(centre) + half), centre) };
}

/** A mean with its 95 % interval; the interval is null when there are fewer than three values to judge by. */
export interface Estimate {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly sd: number | null;
  readonly n: number;
  /** One value per repetition, so that the dots can be drawn. */
  readonly values: readonly number[];
}

/** Mean of a quantity that can be in `range`, with its interval; null of nothing. */
export function estimate(values: readonly number[], range: Range = ANYWHERE): Estimate | null {
  const centre = mean(values);
  if (centre === null) return null;
  const sd = standardDeviation(values);
  const n = values.length;
  const { low, high } =
    sd === null || n < FEWEST_FOR_INTERVAL
      ? { low: null, high: null }
      : intervalAround(centre, sd / Math.sqrt(n), n - 1, range);
  return { mean: centre, low, high, sd, n, values };
}

/**
 * Standard error of what was resampled: the spread of the replicates, which of means of `n` values each is too narrow by
 * sqrt((n - 1) / n). Percentiles of so few values would be much too narrow: of three, the least and the greatest replicate
 * hold the truth three times in four.
 */
function resampledError(replicates: ArrayLike<number>, n: number): number {
  let [centre, squares] = [0, 0];
  for (let i = 0; i < replicates.length; i++) {
    const value = replicates[i] ?? 0;
    const away = value - centre;
    centre += away / (i + 1);
    squares += away * (value - centre);
  }
  return Math.sqrt((squares / Math.max(replicates.length - 1, 1)) * (n / (n - 1)));
}

/** What bootstrap replicates of an average came from: each resampled `n` values, with `df` independent deviations in all. */
export interface Resampled {
  readonly n: number;
  readonly df: number;
}

/** 95 % interval of a value between 0 and 1 whose bootstrap replicates these are. */
export const resampledInterval = (
  value: number,
  replicates: ArrayLike<number>,
  { n, df }: Resampled,
  range: Range = [0, 1],
): Interval | null =>
  n < FEWEST_FOR_INTERVAL ? null : intervalAround(value, resampledError(replicates, n), df, range);

/** How likely a difference at least so far from zero is by chance alone; null: of too few values to say. */
export function resampledP(difference: number, replicates: ArrayLike<number>, { n, df }: Resampled): number | null {
  if (n < FEWEST_FOR_INTERVAL) return null;
  const error = resampledError(replicates, n);
  return error === 0 ? Number(difference === 0) : studentTails(difference / error, df);
}

/** What p is held against. */
export const SIGNIFICANT = 0.05;

export const BOOTSTRAP_REPLICATES = 4000;
