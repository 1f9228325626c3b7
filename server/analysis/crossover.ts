// Where two curves over a swept quantity cross: from which queue limit on Cubic has more of the link than BBR (Zeus, figure 9). Between two
// swept values the difference of the curves is taken to be a straight line over the logarithm, as such axes are swept by factors.
import { generator } from '#analysis/seeds';
import {
  BOOTSTRAP_REPLICATES,
  FEWEST_FOR_INTERVAL,
  mean,
  resampledInterval,
  type Interval,
} from '#analysis/statistics';

/** Both curves at one swept value: a value per repetition. */
export interface Swept {
  /** Above zero. */
  readonly at: number;
  readonly a: readonly number[];
  readonly b: readonly number[];
}

export type Crossover =
  /** `above`: which curve lies above the other all along; null: they are one, or nothing was measured. */
  | { readonly kind: 'none'; readonly above: 'a' | 'b' | null }
  | {
      readonly kind: 'one';
      readonly at: number;
      /** Which curve lies above the other beyond it. */
      readonly above: 'a' | 'b';
      /** 95 %, over repetitions; null: fewer than three at some value, or too many samples of them cross elsewhere than once. */
      readonly interval: Interval | null;
      /** Share of the samples of the repetitions that cross just once; null: there are too few to sample. */
      readonly once: number | null;
    }
  | { readonly kind: 'several'; readonly at: readonly number[] };

/** Fewer samples that cross once, and an interval of those alone would leave out what it should tell of. */
export const MOSTLY_ONCE = 0.95;

interface Difference {
  readonly at: number;
  readonly by: number;
}

/** Where the difference goes through zero. A stretch of zeros on the way counts as one crossing, in its middle. */
function zeros(differences: readonly Difference[]): number[] {
  const told = differences.filter(({ by }) => by !== 0);
  return told.slice(1).flatMap((right, i) => {
    const left = told[i];
    if (left === undefined || left.by > 0 === right.by > 0) return [];
    const level = differences.filter(({ at, by }) => by === 0 && at > left.at && at < right.at);
    const [first, last] = [level[0], level.at(-1)];
    if (first !== undefined && last !== undefined) return [Math.sqrt(first.at * last.at)];
    return [left.at * (right.at / left.at) ** (left.by / (left.by - right.by))];
  });
}

const differenceOf = ({ at, a, b }: Swept): Difference => ({ at, by: (mean(a) ?? NaN) - (mean(b) ?? NaN) });

/** Repetitions of both curves are drawn together where there are as many: they share phase and seed. */
function drawn({ at, a, b }: Swept, random: () => number): Difference {
  const picks = a.map(random);
  const taken = (values: readonly number[], by: readonly number[]): number =>
    mean(by.map((pick) => values[Math.floor(pick * values.length)] ?? NaN)) ?? NaN;
  return { at, by: taken(a, picks) - taken(b, a.length === b.length ? picks : b.map(random)) };
}

/** `points` in any order; those where a curve has no value are left out. */
export function crossover(points: readonly Swept[], seed = 1, replicates = BOOTSTRAP_REPLICATES): Crossover {
  const swept = points.filter(({ a, b }) => a.length > 0 && b.length > 0).toSorted((one, other) => one.at - other.at);
  for (const { at } of swept)
    if (!(at > 0 && at < Infinity)) throw new RangeError(`${at} has no place on a logarithmic axis`);
  const differences = swept.map(differenceOf);
  const found = zeros(differences);
  const end = differences.findLast(({ by }) => by !== 0)?.by ?? 0;
  const [at, ...more] = found;
  if (at === undefined) return { kind: 'none', above: end === 0 ? null : end > 0 ? 'a' : 'b' };
  if (more.length > 0) return { kind: 'several', at: found };
  const above = end > 0 ? 'a' : 'b';
  const n = Math.min(...swept.map(({ a, b }) => Math.min(a.length, b.length)));
  if (n < FEWEST_FOR_INTERVAL) return { kind: 'one', at, above, interval: null, once: null };
  const random = generator(seed);
  const logs: number[] = [];
  for (let b = 0; b < replicates; b++) {
    const [only, ...others] = zeros(swept.map((point) => drawn(point, random)));
    if (only !== undefined && others.length === 0) logs.push(Math.log(only));
  }
  const once = logs.length / replicates;
  if (once < MOSTLY_ONCE) return { kind: 'one', at, above, interval: null, once };
  // On the logarithm, and the two swept values beside it have repetitions of their own to judge by.
  const ofLog = resampledInterval(Math.log(at), logs, { n, df: 2 * (n - 1) }, [-Infinity, Infinity]);
  return {
    kind: 'one',
    at,
    above,
    interval: ofLog === null ? null : { low: Math.exp(ofLog.low), high: Math.exp(ofLog.high) },
    once,
  };
}
