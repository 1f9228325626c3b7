// What a series does around events, on average over them: around handovers, outages, joins. Event by event the series is laid over itself with
// the event at zero.
import type { MeanBetween } from '#analysis/series-mean';
import { estimate, type Estimate } from '#analysis/statistics';

export interface Around {
  /** The middle of the bin, seconds from the event. */
  readonly at_s: number;
  /** One value per event that knows this bin; null: none does. */
  readonly value: Omit<Estimate, 'values'> | null;
}

export interface AroundRule {
  readonly before_s: number;
  readonly after_s: number;
  readonly bin_s: number;
}

/** Bins that reach beyond [from_s, to_s] of the series are not known. Intervals take events for independent of one another. */
export function eventAverage(
  series: MeanBetween,
  events: readonly number[],
  { before_s, after_s, bin_s }: AroundRule,
  { from_s, to_s }: { readonly from_s: number; readonly to_s: number },
): Around[] {
  if (!(bin_s > 0)) throw new RangeError(`a bin of ${bin_s} s holds nothing`);
  const [first, last] = [-Math.round(before_s / bin_s), Math.round(after_s / bin_s)];
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => {
    const start = (first + i) * bin_s;
    const values = events.flatMap((event) => {
      const [from, to] = [event + start, event + start + bin_s];
      return from < from_s - 1e-9 || to > to_s + 1e-9 ? [] : (series(from, to) ?? []);
    });
    const found = estimate(values);
    if (found === null) return { at_s: start + bin_s / 2, value: null };
    const { mean, low, high, sd, n } = found;
    return { at_s: start + bin_s / 2, value: { mean, low, high, sd, n } };
  });
}
