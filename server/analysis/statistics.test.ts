import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generator } from '#analysis/seeds';
import {
  bootstrapInterval,
  bootstrapSign,
  estimate,
  mean,
  sortedQuantile,
  standardDeviation,
  studentT,
  sum,
} from '#analysis/statistics';

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });

describe('mean, deviation, quantile', () => {
  test('by hand', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBeNull();
    // Deviations -2, -1, 3: (4 + 1 + 9) / 2 = 7.
    expect(standardDeviation([1, 2, 6])).toBeCloseTo(Math.sqrt(7), 12);
    expect(standardDeviation([1])).toBeNull();
  });

  test('nearest-rank quantiles', () => {
    // The five-number example of the nearest-rank method: P5 = 15, P30 = 20, P40 = 20, P50 = 35, P100 = 50.
    const values = [35, 20, 15, 50, 40];
    expect([0.05, 0.3, 0.4, 0.5, 1].map((q) => sortedQuantile(sorted(values), q))).toEqual([15, 20, 20, 35, 50]);
    // 0.95 x 20 = 19 exactly, although not in binary.
    expect(
      sortedQuantile(
        Array.from({ length: 20 }, (_, i) => i + 1),
        0.95,
      ),
    ).toBe(19);
    expect(sortedQuantile([], 0.5)).toBeNull();
  });

  test('a quantile is one of the values, and has its share at or below', () => {
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
        const x = sortedQuantile(sorted(values), q) ?? Number.NaN;
        expect(values).toContain(x);
        expect(values.filter((v) => v <= x).length / values.length).toBeGreaterThanOrEqual(q - 1e-9);
      }),
    );
  });
});

describe('Student’s t', () => {
  test('two-sided 95 % and 99 % points as printed in tables', () => {
    const table: [number, number, number][] = [
      [0.05, 1, 12.706],
      [0.05, 2, 4.303],
      [0.05, 4, 2.776],
      [0.05, 9, 2.262],
      [0.05, 30, 2.042],
      [0.05, 1000, 1.962],
      [0.01, 4, 4.604],
      [0.1, 10, 1.812],
    ];
    for (const [tails, df, t] of table) expect(studentT(tails, df)).toBeCloseTo(t, 3);
  });
});

describe('estimate', () => {
  test('mean and t-interval by hand', () => {
    // mean 3, sd sqrt(7), half width 4.3027 x sqrt(7 / 3) = 6.572.
    const result = estimate([1, 2, 6]);
    expect(result).toMatchObject({ mean: 3, n: 3, values: [1, 2, 6] });
    expect(result?.low).toBeCloseTo(3 - 6.572, 2);
    expect(result?.high).toBeCloseTo(3 + 6.572, 2);
  });

  test('one value has no interval, none has no estimate', () => {
    expect(estimate([5])).toEqual({ mean: 5, low: null, high: null, sd: null, n: 1, values: [5] });
    expect(estimate([])).toBeNull();
  });

  test('the interval stays where the quantity can be', () => {
    const result = estimate([0.99, 1], [0, 1]);
    expect(result?.high).toBe(1);
    expect(result?.low).toBeGreaterThan(0.9);
  });

  test('the interval covers the true mean in 95 % of samples', () => {
    const random = generator(3);
    const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let covered = 0;
    for (let i = 0; i < 4000; i++) {
      const result = estimate(Array.from({ length: 5 }, gauss));
      if (result?.low !== null && result?.high !== null && result !== null && result.low <= 0 && result.high >= 0)
        covered++;
    }
    // Standard error of the coverage: sqrt(0.05 x 0.95 / 4000) = 0.0034.
    expect(Math.abs(covered / 4000 - 0.95)).toBeLessThan(0.015);
  });

  test('holds its mean, and does not care about order', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const a = estimate(values);
        const b = estimate(values.toReversed());
        expect(a?.mean).toBeCloseTo(b?.mean ?? Number.NaN, 6);
        if (a?.low !== null && a?.high !== null && a !== null) {
          expect(a.low).toBeLessThanOrEqual(a.mean);
          expect(a.high).toBeGreaterThanOrEqual(a.mean);
        }
      }),
    );
  });
});

describe('bootstrap', () => {
  const average = (values: readonly number[]) => sum(values) / values.length;
  const resampled = (values: readonly number[], random: () => number, replicates: number) =>
    Array.from({ length: replicates }, () => average(values.map(() => values[Math.floor(random() * values.length)]!)));

  test('of many values agrees with the t-interval of the mean', () => {
    const random = generator(11);
    const values = Array.from({ length: 200 }, random);
    const t = estimate(values);
    const b = bootstrapInterval(resampled(values, random, 4000), values.length);
    expect(b?.low).toBeCloseTo(t?.low ?? Number.NaN, 2);
    expect(b?.high).toBeCloseTo(t?.high ?? Number.NaN, 2);
  });

  test('of five values covers the true mean nearly as often as it says; unexpanded it would not', () => {
    const random = generator(5);
    const trials = 1500;
    let expanded = 0;
    let plain = 0;
    for (let i = 0; i < trials; i++) {
      const replicates = resampled(Array.from({ length: 5 }, random), random, 1000);
      const covers = (n: number) => {
        const interval = bootstrapInterval(replicates, n);
        return interval !== null && interval.low <= 0.5 && interval.high >= 0.5 ? 1 : 0;
      };
      expanded += covers(5);
      plain += covers(1_000_000);
    }
    expect(expanded / trials).toBeGreaterThan(0.91);
    expect(plain / trials).toBeLessThan(0.88);
  });

  test('needs two values', () => {
    expect(bootstrapInterval([1, 1, 1], 1)).toBeNull();
    expect(bootstrapInterval([], 2)).toBeNull();
  });

  test('the sign says where the interval lies', () => {
    const many = fc.array(fc.integer({ min: -3, max: 60 }), { minLength: 100, maxLength: 400 });
    fc.assert(
      fc.property(many, fc.integer({ min: 2, max: 20 }), fc.boolean(), (values, n, flip) => {
        const replicates = flip ? values.map((v) => -v) : values;
        const interval = bootstrapInterval(replicates, n);
        const expected = (interval?.low ?? 0) > 0 ? 1 : (interval?.high ?? 0) < 0 ? -1 : 0;
        expect(bootstrapSign(replicates, n)).toBe(expected);
      }),
    );
    expect(bootstrapSign([1, 2], 1)).toBe(0);
  });

  test('few values widen the interval', () => {
    const replicates = Array.from({ length: 4001 }, (_, i) => i);
    // For many values the tails are 2.5 %; for five, P(Z > 1.118 x 2.776) = P(Z > 3.104) = 0.00096: rank 4 of 4001.
    expect(bootstrapInterval(replicates, 1_000_000)?.low).toBe(100);
    expect(bootstrapInterval(replicates, 5)?.low).toBe(3);
  });
});
