// Do two lists put the same things in the same order? Kendall's tau-b (Rank correlation methods, 1945), which knows equal values: 1 is
// the same order, -1 the reverse, 0 neither. What a paper printed against what was measured is the usual pair.
import { generator } from '#analysis/seeds';
import {
  BOOTSTRAP_REPLICATES,
  FEWEST_FOR_INTERVAL,
  intervalAround,
  mean,
  resampledInterval,
  sum,
  type Interval,
} from '#analysis/statistics';

export interface RankCorrelation {
  readonly tau: number;
  /** Pairs that both lists put in the same order, in opposite orders; the others are equal in one of them. */
  readonly concordant: number;
  readonly discordant: number;
  /** Things that were compared. */
  readonly n: number;
}

/** Without the difference, which two infinite values have none of. */
const order = (a: number, b: number): number => Number(a > b) - Number(a < b);

/** null: fewer than two things, one without a value, or a list in which all are equal has no order. */
export function kendallTau(x: ArrayLike<number>, y: ArrayLike<number>): RankCorrelation | null {
  if (x.length !== y.length) throw new RangeError(`${x.length} values cannot be paired with ${y.length}`);
  const n = x.length;
  for (let i = 0; i < n; i++) if (Number.isNaN(x[i]) || Number.isNaN(y[i])) return null;
  let [concordant, discordant, tiedX, tiedY] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const dx = order(x[i] ?? NaN, x[j] ?? NaN);
      const dy = order(y[i] ?? NaN, y[j] ?? NaN);
      if (dx === 0) tiedX++;
      if (dy === 0) tiedY++;
      if (dx * dy > 0) concordant++;
      else if (dx * dy < 0) discordant++;
    }
  const pairs = (n * (n - 1)) / 2;
  const ordered = Math.sqrt((pairs - tiedX) * (pairs - tiedY));
  return ordered > 0 ? { tau: (concordant - discordant) / ordered, concordant, discordant, n } : null;
}

/** One thing as both lists have it: the repetitions of a measurement, or the one value that somebody printed. */
export interface Ranked {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface RankAgreement extends RankCorrelation {
  /** 95 %, over the repetitions of the same things: null where nothing has three of them. */
  readonly interval_repetitions: Interval | null;
  /** 95 %, over other things like these: null with fewer than FEWEST_THINGS of them, and where none of them matters, as in lists that agree. */
  readonly interval_things: Interval | null;
}

export const FEWEST_THINGS = 5;

const averages = (things: readonly Ranked[], side: keyof Ranked): number[] =>
  things.map((thing) => mean(thing[side]) ?? NaN);

const drawn = (values: readonly number[], random: () => number): number[] =>
  values.map(() => values[Math.floor(random() * values.length)] ?? NaN);

/** Of replicates that have an order at all. */
function resampled(things: readonly Ranked[], replicates: number, seed: number): Float64Array {
  const random = generator(seed);
  const taus: number[] = [];
  for (let b = 0; b < replicates; b++) {
    const again = things.map(({ x, y }) => ({ x: drawn(x, random), y: drawn(y, random) }));
    const tau = kendallTau(averages(again, 'x'), averages(again, 'y'))?.tau;
    if (tau !== undefined) taus.push(tau);
  }
  return Float64Array.from(taus);
}

/**
 * Standard error by leaving out each thing in turn (Quenouille and Tukey's jackknife). Drawing things with replacement would take the same one
 * several times, which are pairs without an order: of ten it makes intervals that hold the truth always.
 */
function jackknifed(x: readonly number[], y: readonly number[]): number {
  const n = x.length;
  const without = x.map((_, i) => kendallTau(x.toSpliced(i, 1), y.toSpliced(i, 1))?.tau ?? 0);
  const middle = mean(without) ?? 0;
  return Math.sqrt(((n - 1) / n) * sum(without.map((tau) => (tau - middle) ** 2)));
}

/** Tau of the averages, with how far it can be trusted. */
export function rankAgreement(
  things: readonly Ranked[],
  seed = 1,
  replicates = BOOTSTRAP_REPLICATES,
): RankAgreement | null {
  const [x, y] = [averages(things, 'x'), averages(things, 'y')];
  const whole = kendallTau(x, y);
  if (whole === null) return null;
  const sizes = things.flatMap((thing) => [thing.x.length, thing.y.length]).filter((size) => size > 1);
  const repetitions = sizes.length === 0 ? 0 : Math.min(...sizes);
  const between = [-1, 1] as const;
  const [n, error] = [things.length, jackknifed(x, y)];
  return {
    ...whole,
    interval_repetitions:
      repetitions < FEWEST_FOR_INTERVAL
        ? null
        : resampledInterval(
            whole.tau,
            resampled(things, replicates, seed),
            { n: repetitions, df: sizes.length * (repetitions - 1) },
            between,
          ),
    interval_things: n < FEWEST_THINGS || error === 0 ? null : intervalAround(whole.tau, error, n - 1, between),
  };
}
