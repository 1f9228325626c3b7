// Do the conditions of an experiment put its algorithms in the same order? Kendall's tau of every two of them, by one metric.
import type { MetricId } from '#analysis/metrics';
import { rankAgreement, type RankAgreement } from '#analysis/rank-correlation';
import { ccaKey, conditionKey, groupBy, isReference, type CellBrief } from '#analysis/results';
import type { Cell } from '#protocol/api';

/** With fewer the order is one of two or six: nothing to agree on. */
export const FEWEST_RANKED = 4;
/** The intervals of a matrix are looked at, not quoted: so many will do. */
const REPLICATES = 1000;

export interface OrderPair {
  /** Places among the conditions; `a` comes first. */
  readonly a: number;
  readonly b: number;
  /** null: not enough algorithms have the metric in both, or one has no order. */
  readonly agreement: RankAgreement | null;
}

export interface OrderAgreements {
  /** A cell of each: they differ in the algorithm alone. */
  readonly conditions: readonly Cell[];
  readonly pairs: readonly OrderPair[];
}

/** Of at most so many conditions, the first. */
export function orderAgreements(results: readonly CellBrief[], metric: MetricId, most: number): OrderAgreements {
  const competing = results.filter((result) => !isReference(result) && result.figures.metrics[metric] !== null);
  const groups = [...groupBy(competing, ({ cell }) => conditionKey(cell)).values()].slice(0, most);
  const values = groups.map(
    (own) =>
      new Map(
        own.map(({ cell, figures: { metrics } }): [string, readonly number[]] => {
          const found = metrics[metric];
          // Of very many runs only the mean is left.
          return [ccaKey(cell), found === null ? [] : found.values.length > 0 ? found.values : [found.mean]];
        }),
      ),
  );
  const pairs = values.flatMap((x, a) =>
    values.slice(a + 1).map((y, i): OrderPair => {
      const things = [...x].flatMap(([key, own]) => {
        const other = y.get(key);
        return other === undefined ? [] : [{ x: own, y: other }];
      });
      const agreement = things.length < FEWEST_RANKED ? null : rankAgreement(things, 1, REPLICATES);
      return { a, b: a + 1 + i, agreement };
    }),
  );
  return { conditions: groups.flatMap(([first]) => first?.cell ?? []), pairs };
}
