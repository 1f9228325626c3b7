// Two-sample Kolmogorov-Smirnov test: do two samples come from one distribution?

export interface KolmogorovSmirnov {
  /** The largest difference between the two shares of values at or below any value. */
  readonly d: number;
  /** Where it is. */
  readonly at: number;
  /** How likely a difference at least so large is when both samples are independent draws from one distribution. */
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
}

/** Above so many pairs the exact distribution takes long to count, and the asymptotic one is as good. */
const MOST_PAIRS = 1_000_000;

/**
 * Null when a sample is empty. Equal values are no difficulty: the exact p is then that of the permutations of these values.
 *
 * With a `tolerance`, only that part of a difference counts that values wrong by so much cannot make: a share is compared with the other
 * sample's at that much more (as in Lévy's distance). Were all errors taken back, D could only be larger, so that the p which is given
 * is at least the true one.
 */
export function kolmogorovSmirnov(a: readonly number[], b: readonly number[], tolerance = 0): KolmogorovSmirnov | null {
  const x = Float64Array.from(a).sort();
  const y = Float64Array.from(b).sort();
  if (x.length === 0 || y.length === 0) return null;
  const { d: plain, at: where, ends } = largestDifference(x, y);
  const { d, at } = tolerance > 0 ? largestBeyond(x, y, tolerance) : { d: plain, at: where };
  if (x.length * y.length <= MOST_PAIRS) return { d, at, p: exactP(d, x.length, y.length, ends), method: 'exact' };
  return { d, at, p: asymptoticP(d, x.length, y.length), method: 'asymptotic' };
}

/** Walks both samples at once. `ends[k]`: the k-th value of the joined sample is the last of its equals. */
function largestDifference(x: Float64Array, y: Float64Array): { d: number; at: number; ends: Uint8Array } {
  const ends = new Uint8Array(x.length + y.length + 1);
  let [i, j, d, at] = [0, 0, 0, Math.min(x[0] ?? Infinity, y[0] ?? Infinity)];
  while (i < x.length || j < y.length) {
    const value = Math.min(x[i] ?? Infinity, y[j] ?? Infinity);
    while (i < x.length && x[i] === value) i++;
    while (j < y.length && y[j] === value) j++;
    ends[i + j] = 1;
    const difference = Math.abs(i / x.length - j / y.length);
    if (difference > d) [d, at] = [difference, value];
  }
  return { d, at, ends };
}

/** The largest amount by which one sample's share at or below any value exceeds the other's at or below that and the tolerance. */
function largestBeyond(x: Float64Array, y: Float64Array, tolerance: number): { d: number; at: number } {
  let [d, at] = [0, Math.min(x[0] ?? Infinity, y[0] ?? Infinity)];
  for (const [lower, higher] of [
    [x, y],
    [y, x],
  ] as const) {
    let j = 0;
    lower.forEach((value, i) => {
      while (j < higher.length && (higher[j] ?? 0) <= value + tolerance) j++;
      const difference = (i + 1) / lower.length - j / higher.length;
      if (difference > d) [d, at] = [difference, value];
    });
  }
  return { d, at };
}

/**
 * P(D >= d) over all ways in which the joined values can fall to the two samples: the paths through the lattice of m x n steps that
 * leave the band |i/m - j/n| < d, looked at only where a value differs from the next one (Schröer and Trenkler 1995). Each
 * row carries probabilities, not counts, so that nothing overflows.
 */
function exactP(d: number, m: number, n: number, ends: Uint8Array): number {
  // Differences are multiples of 1 / (m n): half a step keeps rounding out of the comparison.
  const limit = (Math.floor(d * m * n - 1e-7) + 0.5) / (m * n);
  const outside = (i: number, j: number): boolean => ends[i + j] === 1 && Math.abs(i / m - j / n) > limit;
  const inside = new Float64Array(n + 1);
  inside.fill(1, 0, 1);
  for (let j = 1; j <= n; j++) inside[j] = outside(0, j) ? 0 : (inside[j - 1] ?? 0);
  for (let i = 1; i <= m; i++) {
    const weight = i / (i + n);
    inside[0] = outside(i, 0) ? 0 : weight * (inside[0] ?? 0);
    for (let j = 1; j <= n; j++) inside[j] = outside(i, j) ? 0 : weight * (inside[j] ?? 0) + (inside[j - 1] ?? 0);
  }
  return Math.min(1, Math.max(0, 1 - (inside[n] ?? 0)));
}

/** Kolmogorov's distribution with Stephens' correction for finite samples; the sizes need not be whole. */
export function asymptoticP(d: number, m: number, n: number): number {
  const root = Math.sqrt((m * n) / (m + n));
  const lambda = (root + 0.12 + 0.11 / root) * d;
  // The series converges too slowly there, and its sum is 1 to ten digits.
  if (lambda < 0.2) return 1;
  let total = 0;
  for (let k = 1; k <= 100; k++) {
    const term = Math.exp(-2 * k * k * lambda * lambda);
    total += k % 2 === 1 ? term : -term;
    if (term < 1e-16) break;
  }
  return Math.min(1, Math.max(0, 2 * total));
}
