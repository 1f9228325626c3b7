import { describe, expect, test } from 'vitest';
import { eventAverage } from '#analysis/event-average';
import { meanBetween } from '#analysis/series-mean';

/** A row each tenth of a second. */
const series = (values: readonly number[]) => ({
  time: values.map((_, i) => (i + 1) / 10),
  values,
  rows: values.length,
});
const RULE = { before_s: 0.1, after_s: 0.2, bin_s: 0.1 };

describe('a series around events', () => {
  test('by hand', () => {
    //                      0    .1 .2 .3  .4 .5  .6 .7  .8
    const rtt = meanBetween(series([10, 50, 20, 10, 12, 70, 30, 10]));
    const found = eventAverage(rtt, [0.1, 0.5], RULE, { from_s: 0, to_s: 0.8 });
    expect(found.map(({ at_s }) => Math.round(at_s * 1000) / 1000)).toEqual([-0.05, 0.05, 0.15]);
    expect(found.map(({ value }) => Math.round((value?.mean ?? NaN) * 1e9) / 1e9)).toEqual([11, 60, 25]);
    expect(found.map(({ value }) => value?.n)).toEqual([2, 2, 2]);
    // Two events are two values: no interval.
    expect(found[0]?.value?.low).toBeNull();
  });

  test('what reaches beyond the series is not known, nor is a gap', () => {
    const rtt = meanBetween(series([NaN, 50, 20, 10]));
    const found = eventAverage(rtt, [0, 0.1, 0.3], RULE, { from_s: 0, to_s: 0.4 });
    expect(found.map(({ value }) => value?.n ?? 0)).toEqual([1, 2, 2]);
    expect(eventAverage(rtt, [], RULE, { from_s: 0, to_s: 0.4 }).map(({ value }) => value)).toEqual([null, null, null]);
    expect(() => eventAverage(rtt, [0], { ...RULE, bin_s: 0 }, { from_s: 0, to_s: 1 })).toThrow(RangeError);
  });
});
