import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanBetween, periodOf } from '#analysis/series-mean';

const series = (values: readonly number[]) => ({ time: values.map((_, i) => i + 1), values, rows: values.length });

describe('means of a series', () => {
  test('by hand: a value holds from the row before to its own time', () => {
    const mean = meanBetween(series([4, 8, 2]));
    expect(mean(0, 3)).toBeCloseTo(14 / 3, 12);
    expect(mean(0.5, 1.5)).toBeCloseTo(6, 12);
    expect(mean(2.25, 2.5)).toBeCloseTo(2, 12);
    expect(periodOf(series([1, 2]))).toBe(1);
  });

  test('there is none where less than half is known', () => {
    const mean = meanBetween(series([4, NaN, 2]));
    expect(mean(0, 2)).toBeCloseTo(4, 12);
    expect(mean(0.1, 2)).toBeNull();
    expect(mean(3, 4)).toBeNull();
    expect(mean(1, 1)).toBeNull();
    expect(meanBetween(series([]))(0, 1)).toBeNull();
  });

  test('of parts make that of the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 4, maxLength: 50 }),
        (values) => {
          const mean = meanBetween(series(values));
          const [end, cut] = [values.length, values.length / 3];
          const joined = ((mean(0, cut) ?? NaN) * cut + (mean(cut, end) ?? NaN) * (end - cut)) / end;
          expect(joined).toBeCloseTo(mean(0, end) ?? NaN, 8);
          expect(mean(0, end)).toBeCloseTo(values.reduce((a, b) => a + b, 0) / end, 8);
        },
      ),
    );
  });
});
