import { describe, expect, test } from 'vitest';
import { boxOf, rollingJain } from '#analysis/rolling-jain';
import { meanBetween } from '#analysis/series-mean';
import { seriesOf } from '#analysis/testing-rates';

describe('Jain’s index over rolling windows', () => {
  const a = meanBetween(seriesOf([[4, 10]]));
  // Half of the time all, half of it nothing.
  const b = meanBetween(
    seriesOf([
      [2, 0],
      [4, 20],
    ]),
  );

  test('by hand: short windows see the turns, the long one does not', () => {
    const rule = { from_s: 0, to_s: 4, step_s: 1 };
    const short = rollingJain([a, b], { ...rule, window_s: 2 });
    // 10 and 0: 1/2; 10 and 10: 1; 10 and 20: 900 / (2 x 500).
    expect(short.map(({ at_s, index }) => [at_s, Number(index.toFixed(9))])).toEqual([
      [2, 0.5],
      [3, 1],
      [4, 0.9],
    ]);
    const [whole, ...others] = rollingJain([a, b], { ...rule, window_s: 4 });
    expect(whole?.index).toBeCloseTo(1, 9);
    expect(others).toEqual([]);
  });

  test('windows in which nothing moved, or a flow is not known, are left out', () => {
    const late = meanBetween(
      seriesOf([
        [3, NaN],
        [4, 5],
      ]),
    );
    const silent = meanBetween(seriesOf([[4, 0]]));
    const rule = { from_s: 0, to_s: 4, window_s: 1, step_s: 1 };
    expect(rollingJain([a, late], rule)).toHaveLength(1);
    expect(rollingJain([silent, silent], rule)).toEqual([]);
    expect(rollingJain([a, b], { ...rule, window_s: 5 })).toEqual([]);
  });

  test('a box is of nearest ranks', () => {
    expect(boxOf([4, 1, 3, 2])).toEqual({ least: 1, p25: 1, p50: 2, p75: 3, most: 4, mean: 2.5, n: 4 });
    expect(boxOf([])).toBeNull();
  });
});
