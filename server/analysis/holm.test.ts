import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holm } from '#analysis/holm';

describe('Holm’s correction', () => {
  test('by hand', () => {
    // Ascending 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1 is 0.02, 0.03, 0.06, 0.04, and the last is no less than the third.
    expect([...holm([0.01, 0.04, 0.03, 0.005])].map((p) => Number(p.toFixed(12)))).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect([...holm([0.6, 0.7])]).toEqual([1, 1]);
    expect([...holm([0.04])]).toEqual([0.04]);
    expect([...holm([])]).toEqual([]);
  });

  test('gives what statsmodels 0.15 gives (multipletests, method “holm”), equal values among them', () => {
    const values = [0.0421, 0.0003, 0.2, 0.011, 0.0499, 0.0003, 0.73, 0.0098, 0.00001, 0.031, 0.5, 0.0125];
    const theirs = [0.2105, 0.0033, 0.6, 0.0882, 0.2105, 0.0033, 1, 0.0882, 0.00012, 0.186, 1, 0.0882];
    for (const [i, p] of holm(values).entries()) expect(p).toBeCloseTo(theirs[i]!, 12);
  });

  test('lies between no correction and Bonferroni’s, keeps the order, and the smallest is Bonferroni’s', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 }), (values) => {
        const adjusted = holm(values);
        for (const [i, p] of values.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, values.length * p));
          for (const [j, other] of values.entries())
            if (p < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
        }
        expect(Math.min(...adjusted)).toBe(Math.min(1, values.length * Math.min(...values)));
      }),
    );
  });
});
