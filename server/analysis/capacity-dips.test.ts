import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capacityDips } from '#analysis/capacity-dips';
import { seriesOf } from '#analysis/testing-rates';

const brief = (pieces: Parameters<typeof seriesOf>[0]) =>
  capacityDips(seriesOf(pieces)).map(({ kind, from_s, back_s, level_mbps, low_mbps }) => [
    kind,
    Number(from_s.toFixed(3)),
    back_s === null ? null : Number(back_s.toFixed(3)),
    Number(level_mbps.toFixed(3)),
    Number(low_mbps.toFixed(3)),
  ]);

describe('dips of capacity', () => {
  test('by hand: the mean of 100 ms is a fifth after 80 ms of nothing, and half 50 ms after it ends', () => {
    expect(
      brief([
        [5, 100],
        [7, 0],
        [20, 100],
      ]),
    ).toEqual([['outage', 5.08, 7.05, 100, 0]]);
    // 100 → 10: (2 x 100 + 8 x 10) / 10 is 28, (1 x 100 + 9 x 10) / 10 is 19.
    expect(
      brief([
        [5, 100],
        [7, 10],
        [20, 100],
      ]),
    ).toEqual([['drop', 5.09, 7.05, 100, 10]]);
  });

  test('to a fifth and no less far, and not of what was little', () => {
    expect(
      brief([
        [5, 100],
        [7, 21],
        [20, 100],
      ]),
    ).toEqual([]);
    expect(
      brief([
        [5, 100],
        [9, 4],
        [9.5, 40],
        [10, 0],
        [30, 100],
      ]),
    ).toHaveLength(1);
    // A level below half of the mean is none: 10 among 100.
    expect(
      brief([
        [1, 10],
        [2, 0],
        [3, 10],
        [60, 100],
      ]),
    ).toEqual([]);
  });

  test('what stays down for ten seconds is how the link is now, and fails again from there', () => {
    const [first, second] = brief([
      [5, 100],
      [30, 20],
      [31, 0],
      [60, 20],
    ]);
    expect(first).toEqual(['drop', 5.1, null, 100, 20]);
    expect(second).toEqual(['outage', 30.08, 31.05, 20, 0]);
  });

  test('one that lasts to the end does not come back, and one at the start has no level before', () => {
    expect(
      brief([
        [5, 100],
        [8, 0],
      ]),
    ).toEqual([['outage', 5.08, null, 100, 0]]);
    expect(
      brief([
        [2, 0],
        [10, 100],
      ]),
    ).toEqual([]);
    expect(capacityDips(seriesOf([[10, 1]], 0.5))).toEqual([]);
    expect(capacityDips({ time: [], values: [], rows: 0 })).toEqual([]);
  });

  test('are in order, apart from one another, and scale with the link', () => {
    const rates = fc.array(fc.constantFrom(0, 5, 20, 60, 100), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(rates, (values) => {
        const dips = (factor: number) =>
          capacityDips(seriesOf(values.map((value, i) => [(i + 1) * 0.7, value * factor] as const)));
        const found = dips(1);
        for (const [i, { from_s, back_s, low_mbps, level_mbps }] of found.entries()) {
          expect(back_s ?? Infinity).toBeGreaterThan(from_s);
          expect(from_s).toBeGreaterThanOrEqual(found[i - 1]?.back_s ?? 0);
          expect(low_mbps).toBeLessThanOrEqual(level_mbps / 5 + 1e-9);
        }
        expect(dips(4).map(({ kind, from_s }) => [kind, from_s])).toEqual(
          found.map(({ kind, from_s }) => [kind, from_s]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
