// How often 95 % intervals of few repetitions hold the true mean: the tables of docs/metrics.md. Ours beside what else could be used.
import { generator } from '#analysis/seeds';
import { intervalAround, mean, normalTail, standardDeviation, type Interval } from '#analysis/statistics';
import { coverage, DISTRIBUTIONS, type IntervalOf } from '#analysis/testing-coverage';

const REPETITIONS = [3, 5, 10, 20];
const TRIALS = 4000;
const REPLICATES = 999;
const TAIL = 0.025;

const errorOf = (values: readonly number[]): number => (standardDeviation(values) ?? 0) / Math.sqrt(values.length);

const ours: IntervalOf = (values, range) =>
  intervalAround(mean(values) ?? 0, errorOf(values), values.length - 1, range);

const student: IntervalOf = (values, [least, most]) => {
  const { low, high } = intervalAround(mean(values) ?? 0, errorOf(values), values.length - 1);
  return { low: Math.max(low, least), high: Math.min(high, most) };
};

/** Means of resampled values, in ascending order. */
function resampled(values: readonly number[], random: () => number): Float64Array {
  const n = values.length;
  return new Float64Array(REPLICATES)
    .map(() => {
      let total = 0;
      for (let i = 0; i < n; i++) total += values[Math.floor(random() * n)] ?? 0;
      return total / n;
    })
    .sort();
}

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))] ?? 0;

const percentile: IntervalOf = (values, _, random) => {
  const sorted = resampled(values, random);
  return { low: at(sorted, TAIL), high: at(sorted, 1 - TAIL) };
};

const normal = (z: number): number => (z < 0 ? normalTail(-z) : 1 - normalTail(z));
function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normal(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Efron's bias-corrected and accelerated percentiles. */
const bca: IntervalOf = (values, _, random): Interval => {
  const sorted = resampled(values, random);
  const centre = mean(values) ?? 0;
  const below = sorted.reduce((count, x) => count + (x < centre ? 1 : x === centre ? 0.5 : 0), 0) / REPLICATES;
  const bias = normalQuantile(Math.min(Math.max(below, 1e-6), 1 - 1e-6));
  const away = values.map((value) => value - centre);
  const squares = away.reduce((total, d) => total + d ** 2, 0);
  const acceleration = squares === 0 ? 0 : away.reduce((total, d) => total + d ** 3, 0) / (6 * squares ** 1.5);
  const corrected = (z: number): number => at(sorted, normal(bias + (bias + z) / (1 - acceleration * (bias + z))));
  const z = normalQuantile(1 - TAIL);
  return { low: corrected(-z), high: corrected(z) };
};

const METHODS: readonly (readonly [name: string, of: IntervalOf])[] = [
  ['Student’s t on the stretched scale (used)', ours],
  ['Student’s t, cut at the bounds', student],
  ['bootstrap, percentiles', percentile],
  ['bootstrap, BCa', bca],
];

const percent = (share: number): string => (share * 100).toFixed(0);
const row = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
const head = (first: string): void => {
  row([first, ...REPETITIONS.map((n) => `n = ${n}`)]);
  row(['---', ...REPETITIONS.map(() => '---')]);
};

const seeds = generator(1);
const measured = METHODS.map(([name, of]) => ({
  name,
  rows: DISTRIBUTIONS.map((distribution) =>
    REPETITIONS.map((n) => coverage(distribution, n, of, TRIALS, Math.floor(seeds() * 2 ** 32))),
  ),
}));

head('mean over the distributions, %');
for (const { name, rows } of measured)
  row([name, ...REPETITIONS.map((_, i) => percent(mean(rows.map((cells) => cells[i] ?? 0)) ?? 0))]);
console.log('');
head('used (Student’s, cut), %');
const [used, cut] = measured;
for (const [d, { name }] of DISTRIBUTIONS.entries())
  row([name, ...REPETITIONS.map((_, i) => `${percent(used?.rows[d]?.[i] ?? 0)} (${percent(cut?.rows[d]?.[i] ?? 0)})`)]);
