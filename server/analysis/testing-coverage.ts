// How often intervals cover the truth: draws from known distributions, skewed and bounded as delays, shares and indices are.
import { generator } from '#analysis/seeds';
import type { Interval, Range } from '#analysis/statistics';

type Draw = (random: () => number) => number;

export interface Distribution {
  readonly name: string;
  readonly mean: number;
  readonly range: Range;
  readonly draw: Draw;
}

const gauss: Draw = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const exponential: Draw = (random) => -Math.log(1 - random());

/** Marsaglia and Tsang 2000. */
function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = gauss(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
}

const delay = (name: string, mean: number, draw: Draw): Distribution => ({ name, mean, range: [0, Infinity], draw });
const share = (name: string, mean: number, draw: Draw): Distribution => ({ name, mean, range: [0, 1], draw });
const lognormal = (sigma: number): Distribution =>
  delay(
    `delay, log-normal, σ = ${sigma}`,
    50 * Math.exp(sigma ** 2 / 2),
    (random) => 50 * Math.exp(sigma * gauss(random)),
  );
const beta = (name: string, a: number, b: number): Distribution =>
  share(`${name}, beta(${a}, ${b})`, a / (a + b), (random) => {
    const [x, y] = [gamma(a, random), gamma(b, random)];
    return x / (x + y);
  });

export const DISTRIBUTIONS: readonly Distribution[] = [
  delay('delay, normal, 50 ± 5', 50, (random) => 50 + 5 * gauss(random)),
  lognormal(0.2),
  lognormal(0.5),
  lognormal(1),
  delay('delay, 20 + exponential(30)', 50, (random) => 20 + 30 * exponential(random)),
  delay('delay, 20, one time in four 200', 65, (random) => (random() < 0.25 ? 200 : 20) * (1 + 0.1 * gauss(random))),
  beta('utilisation', 90, 10),
  beta('utilisation', 9, 1),
  beta('utilisation', 50, 0.5),
  share('Jain’s index, uniform 0.5 … 1', 0.75, (random) => 0.5 + 0.5 * random()),
  beta('share', 2, 2),
  beta('share', 0.5, 0.5),
  beta('loss', 2, 200),
  beta('loss', 0.5, 50),
];

export type IntervalOf = (values: readonly number[], range: Range, random: () => number) => Interval;

/** Share of the intervals of `n` draws that hold the distribution's mean. */
export function coverage(
  { mean, range, draw }: Distribution,
  n: number,
  intervalOf: IntervalOf,
  trials: number,
  seed = 1,
): number {
  const random = generator(seed);
  let covered = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { low, high } = intervalOf(
      Array.from({ length: n }, () => draw(random)),
      range,
      random,
    );
    if (low <= mean && mean <= high) covered++;
  }
  return covered / trials;
}
