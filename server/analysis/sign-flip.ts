// Exact tests by exchange: how often would what belongs together, had its two sides been swapped by chance, come out at least so bad? No
// distribution is assumed, only that without a difference either side could as well have been the other.
import { sum } from '#analysis/statistics';

export interface ExchangeTest {
  /** One-sided: small where the differences are greater than zero. */
  readonly p: number;
  /** The smallest p that so few values can give. */
  readonly least: number;
  /** `drawn`: a sample of the exchanges, with the observed one counted in, so that p errs upwards. */
  readonly method: 'exact' | 'drawn';
}

/** Up to so many pairs all exchanges are gone through: 65 536. */
const MOST_EXACT = 16;
const DRAWN = 20_000;

/** Sums of the same numbers in another order are the same number. */
const tolerance = (values: readonly number[]): number => 1e-12 * sum(values.map(Math.abs));

/** Which share of all exchanges come out as bad as any: a pair that is the same comes out so either way. */
function leastOf(differences: readonly number[]): number {
  const most = Math.max(...differences.map(Math.abs));
  const equal = differences.filter((difference) => Math.abs(difference) <= 1e-12 * most).length;
  return 2 ** (equal - differences.length);
}

/** Of pairs, by their differences: each sign could as well have been the other (Fisher's randomisation test, 1935). */
export function signFlip(differences: readonly number[], random: () => number): ExchangeTest {
  const n = differences.length;
  const observed = sum(differences) - tolerance(differences);
  if (n > MOST_EXACT) {
    let count = 1;
    for (let i = 0; i < DRAWN; i++) {
      let total = 0;
      for (const difference of differences) total += random() < 0.5 ? difference : -difference;
      if (total >= observed) count++;
    }
    return { p: count / (DRAWN + 1), least: Math.max(leastOf(differences), 1 / (DRAWN + 1)), method: 'drawn' };
  }
  let count = 0;
  for (let signs = 0; signs < 2 ** n; signs++) {
    let total = 0;
    for (let i = 0; i < n; i++) total += ((signs >> i) & 1) === 0 ? (differences[i] ?? 0) : -(differences[i] ?? 0);
    if (total >= observed) count++;
  }
  return { p: count / 2 ** n, least: leastOf(differences), method: 'exact' };
}

/** What was measured under one condition before and after, by runs that have nothing in common. */
export interface Stratum {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** In how many ways n values can be divided so. */
function divisions(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/** In how many of the ways do the largest values come after? Among equal ones it is all the same which do. */
function extremes(values: readonly number[], after: number): number {
  const ordered = values.toSorted((a, b) => b - a);
  const last = ordered[after - 1];
  return divisions(
    values.filter((value) => value === last).length,
    ordered.slice(0, after).filter((v) => v === last).length,
  );
}

/** Difference of means, after less before, summed over conditions; within each it is by chance which values came after. */
export function relabel(strata: readonly Stratum[], random: () => number): ExchangeTest {
  const pools = strata.map(({ before, after }) => {
    const values = [...before, ...after];
    return { values, from: before.length, total: sum(values) };
  });
  const difference = (early: number, { values, from, total }: (typeof pools)[number]): number =>
    (total - early) / (values.length - from) - early / from;
  const observed =
    sum(pools.map((pool) => difference(sum(pool.values.slice(0, pool.from)), pool))) -
    tolerance(pools.flatMap(({ values }) => values));
  let count = 1;
  for (let i = 0; i < DRAWN; i++) {
    let statistic = 0;
    for (const pool of pools) {
      const { values, from } = pool;
      let early = 0;
      // The first ones of a shuffled list (Fisher and Yates); where it began is all one.
      for (let at = 0; at < from; at++) {
        const other = at + Math.floor(random() * (values.length - at));
        const value = values[other] ?? 0;
        values[other] = values[at] ?? 0;
        values[at] = value;
        early += value;
      }
      statistic += difference(early, pool);
    }
    if (statistic >= observed) count++;
  }
  const least = pools.reduce(
    (share, { values, from }) => (share * extremes(values, values.length - from)) / divisions(values.length, from),
    1,
  );
  return { p: count / (DRAWN + 1), least: Math.max(least, 1 / (DRAWN + 1)), method: 'drawn' };
}
