import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generator } from '#analysis/seeds';
import {
  estimate,
  intervalAround,
  mean,
  resampledInterval,
  resampledP,
  sortedQuantile,
  standardDeviation,
  studentT,
  studentTails,
  sum,
  type Range,
} from '#analysis/statistics';
import { coverage, DISTRIBUTIONS } from '#analysis/testing-coverage';

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

  test('two values stand for themselves: t(0.05, 1) = 12.7 makes an interval that says nothing', () => {
    expect(estimate([1300, 3320], [0, Infinity])).toMatchObject({
      mean: 2310,
      low: null,
      high: null,
      n: 2,
      values: [1300, 3320],
    });
    expect(estimate([1300, 3320, 2310], [0, Infinity])?.low).not.toBeNull();
  });

  test('on the logarithm of a delay and the logit of a share, by hand', () => {
    // mean 20, sd 10: t sd / (sqrt(3) mean) = 4.3027 x 0.28868 = 1.2421; 20 x exp(-+1.2421).
    const delay = estimate([10, 20, 30], [0, Infinity]);
    expect(delay?.low).toBeCloseTo(5.776, 2);
    expect(delay?.high).toBeCloseTo(69.26, 1);
    // mean 0.9, sd 0.05: logit 2.19722, half 4.3027 x 0.028868 / (0.9 x 0.1) = 1.38010.
    const share = estimate([0.85, 0.9, 0.95], [0, 1]);
    expect(share?.low).toBeCloseTo(1 / (1 + Math.exp(-(2.19722 - 1.3801))), 4);
    expect(share?.high).toBeCloseTo(1 / (1 + Math.exp(-(2.19722 + 1.3801))), 4);
    // Harm is bounded from above only: the mirror image of the delay.
    const harm = estimate([90, 80, 70], [-Infinity, 100]);
    expect(harm?.low).toBeCloseTo(100 - 69.26, 1);
    expect(harm?.high).toBeCloseTo(100 - 5.776, 2);
  });

  test('an interval holds its mean and stays strictly where the quantity can be', () => {
    const inside = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
    const ranges: readonly (readonly [Range, (unit: number) => number])[] = [
      [[0, 1], (u) => u],
      [[20, Infinity], (u) => 20 - 50 * Math.log(u)],
      [[-Infinity, 100], (u) => 100 + 50 * Math.log(u)],
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...ranges),
        fc.array(inside, { minLength: 3, maxLength: 12 }),
        ([range, place], units) => {
          const result = estimate(units.map(place), range)!;
          expect(result.low).toBeGreaterThanOrEqual(range[0]);
          expect(result.high).toBeLessThanOrEqual(range[1]);
          expect(result.low).toBeLessThanOrEqual(result.mean);
          expect(result.high).toBeGreaterThanOrEqual(result.mean);
        },
      ),
    );
  });

  test('values on a bound, or a clock’s error beyond it, still have an interval', () => {
    expect(estimate([1, 1, 1], [0, 1])).toMatchObject({ low: 1, high: 1 });
    expect(estimate([0, 0, 0], [0, Infinity])).toMatchObject({ low: 0, high: 0 });
    const beyond = estimate([0.999, 0.9995, 0.9998], [1, Infinity]);
    expect(beyond?.low).toBeLessThanOrEqual(beyond?.mean ?? 0);
    expect(beyond?.high).toBeGreaterThan(beyond?.mean ?? 0);
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

describe('coverage of skewed and bounded quantities', () => {
  const TRIALS = 1500;
  /** Three standard errors of a share of 0.9. */
  const ERROR = 0.025;
  const ours = (values: readonly number[], range: Range) => {
    const { low, high } = estimate(values, range)!;
    return { low: low!, high: high! };
  };
  const cut = (values: readonly number[], [least, most]: Range) => {
    const { low, high } = intervalAround(
      mean(values)!,
      standardDeviation(values)! / Math.sqrt(values.length),
      values.length - 1,
    );
    return { low: Math.max(low, least), high: Math.min(high, most) };
  };

  test.each([3, 5, 10, 20])(
    'of %i repetitions is never behind Student’s interval cut at the bounds, and better on the whole',
    (n) => {
      const measured = DISTRIBUTIONS.map((distribution) => ({
        name: distribution.name,
        used: coverage(distribution, n, ours, TRIALS),
        student: coverage(distribution, n, cut, TRIALS),
      }));
      for (const { name, used, student } of measured) expect(used, name).toBeGreaterThan(student - ERROR);
      const [used, student] = [mean(measured.map((one) => one.used))!, mean(measured.map((one) => one.student))!];
      expect(used).toBeGreaterThan(n < 10 ? 0.9 : 0.925);
      expect(used).toBeGreaterThan(student + (n < 10 ? 0.015 : 0));
    },
  );

  test('is what it says where nothing is seldom: all but the rare spike and the longest tail', () => {
    for (const distribution of DISTRIBUTIONS.filter(
      ({ name }) => !/one time in four|σ = 1$|exponential|beta\(0.5, 50\)/.test(name),
    ))
      expect(coverage(distribution, 3, ours, TRIALS), distribution.name).toBeGreaterThan(0.95 - 2 * ERROR);
  });
});

describe('resampled averages', () => {
  const average = (values: readonly number[]) => sum(values) / values.length;
  const resampled = (values: readonly number[], random: () => number, replicates: number) =>
    Array.from({ length: replicates }, () => average(values.map(() => values[Math.floor(random() * values.length)]!)));

  test('have the interval of the values themselves', () => {
    const random = generator(11);
    for (const n of [3, 5, 200]) {
      const values = Array.from({ length: n }, random);
      const direct = estimate(values, [0, 1])!;
      const other = resampledInterval(average(values), resampled(values, random, 8000), { n, df: n - 1 })!;
      expect(other.low).toBeCloseTo(direct.low!, 1);
      expect(other.high).toBeCloseTo(direct.high!, 1);
    }
  });

  test('of three values cover the true mean as often as they say', () => {
    const random = generator(5);
    const trials = 1500;
    let covered = 0;
    for (let i = 0; i < trials; i++) {
      const values = Array.from({ length: 3 }, random);
      const { low, high } = resampledInterval(average(values), resampled(values, random, 400), { n: 3, df: 2 })!;
      if (low <= 0.5 && high >= 0.5) covered++;
    }
    expect(covered / trials).toBeGreaterThan(0.92);
  });

  test('differ by chance no more often than one time in twenty', () => {
    const random = generator(9);
    const trials = 1500;
    let told = 0;
    for (let i = 0; i < trials; i++) {
      const differences = Array.from({ length: 3 }, () => random() - 0.5);
      if (resampledP(average(differences), resampled(differences, random, 400), { n: 3, df: 2 })! < 0.05) told++;
    }
    expect(told / trials).toBeLessThan(0.08);
  });

  test('of fewer than three values say nothing', () => {
    expect(resampledInterval(0.5, [0.5, 0.5, 0.5], { n: 2, df: 8 })).toBeNull();
    expect(resampledP(1, [1, 1, 1], { n: 2, df: 8 })).toBeNull();
  });

  test('p is that of Student’s t, and agrees with the interval', () => {
    // Published quantiles: t(0.975; 2) = 4.303, t(0.995; 10) = 3.169.
    expect(studentTails(4.303, 2)).toBeCloseTo(0.05, 4);
    expect(studentTails(-3.169, 10)).toBeCloseTo(0.01, 4);
    expect(studentTails(0, 5)).toBeCloseTo(1, 12);
    const replicates = [0.9, 1, 1.1];
    for (const difference of [-1, 0.1, 0.52, 0.53, 0.54, 1]) {
      const { low, high } = resampledInterval(difference, replicates, { n: 3, df: 2 }, [-Infinity, Infinity])!;
      expect(resampledP(difference, replicates, { n: 3, df: 2 })! < 0.05).toBe(low > 0 || high < 0);
    }
    // What does not vary at all is told from all but itself.
    expect([0, 1].map((difference) => resampledP(difference, [1, 1], { n: 3, df: 2 }))).toEqual([1, 0]);
  });
});
