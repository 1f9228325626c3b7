import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SCENARIOS, TERMS, normaliseWeights, scoreOf } from '#analysis/scores';
import type { Terms, Weights } from '#analysis/scores';

// Zeus table 2 (utilisation %, delay as a multiple of base, intra, inter) and table 3 (real-time, bulk, mixed), as printed.
const ZEUS: Readonly<Record<string, readonly [table2: readonly number[], table3: readonly number[]]>> = {
  Reno: [
    [99.7, 15.6, 0.88, 0.81],
    [0.575, 0.923, 0.719],
  ],
  Cubic: [
    [99.1, 12.2, 0.86, 0.86],
    [0.588, 0.919, 0.731],
  ],
  BBR: [
    [95.9, 4.3, 0.87, 0.63],
    [0.594, 0.893, 0.688],
  ],
  Allegro: [
    [87.6, 11.4, 0.84, 0.64],
    [0.51, 0.819, 0.637],
  ],
  Verus: [
    [84.6, 67, 0.85, 0.64],
    [0.473, 0.795, 0.619],
  ],
  'Proteus-P': [
    [80.7, 57.4, 0.92, 0.55],
    [0.451, 0.772, 0.606],
  ],
  Vivace: [
    [72.9, 3.4, 0.87, 0.66],
    [0.555, 0.725, 0.664],
  ],
  Copa: [
    [63.5, 1.5, 0.98, 0.76],
    [0.707, 0.695, 0.782],
  ],
  'Proteus-S': [
    [54.2, 25.8, 0.91, 0.54],
    [0.377, 0.572, 0.551],
  ],
  LEDBAT: [
    [4.9, 1.7, 0.91, 0.58],
    [0.457, 0.232, 0.574],
  ],
};

const weights = (id: string): Weights => SCENARIOS.find((scenario) => scenario.id === id)!.weights;
const termsOf = (row: readonly number[]): Terms => ({
  throughput: row[0]! / 100,
  delay: 1 / row[1]!,
  intra: row[2]!,
  inter: row[3]!,
});
/** Largest difference between our score of a scenario and column `column` of table 3. */
const worst = (id: string, column: number): number =>
  Math.max(...Object.values(ZEUS).map(([t2, t3]) => Math.abs(scoreOf(termsOf(t2), weights(id)).value! - t3[column]!)));

describe('Zeus table 3 from Zeus table 2', () => {
  test('bulk and mixed within 0.0005, with the printed weights', () => {
    expect(worst('bulk', 1)).toBeLessThanOrEqual(0.0005);
    expect(worst('mixed', 2)).toBeLessThanOrEqual(0.0005);
  });

  test('real-time within 0.0005 only with the weights of table 3; the printed ones are off by 0.05', () => {
    expect(worst('real-time-table3', 0)).toBeLessThanOrEqual(0.0005);
    expect(worst('real-time', 0)).toBeGreaterThan(0.05);
  });
});

describe('scenarios', () => {
  test('weights sum to one and ids are unique', () => {
    for (const scenario of SCENARIOS)
      expect(TERMS.reduce((total, term) => total + scenario.weights[term], 0)).toBeCloseTo(1, 12);
    expect(new Set(SCENARIOS.map((scenario) => scenario.id)).size).toBe(SCENARIOS.length);
    expect(SCENARIOS.filter((scenario) => scenario.main)).toHaveLength(3);
  });
});

describe('score', () => {
  const terms: Terms = { throughput: 0.9, delay: 0.5, intra: 0.8, inter: 0.6 };
  const without: Terms = { ...terms, intra: null, inter: null };

  test('by hand', () => {
    // 0.2 x 0.9 + 0.2 x 0.5 + 0.3 x 0.8 + 0.3 x 0.6 = 0.70.
    expect(scoreOf(terms, weights('mixed')).value).toBeCloseTo(0.7, 12);
  });

  test('a missing term leaves the score unknown, and says which', () => {
    const score = scoreOf(without, weights('mixed'));
    expect(score.value).toBeNull();
    expect(score.missing).toEqual(['intra', 'inter']);
    // The measured part alone: (0.2 x 0.9 + 0.2 x 0.5) / 0.4 = 0.7, with 0.4 of the weight.
    expect(score.partial?.value).toBeCloseTo(0.7, 12);
    expect(score.partial?.covered).toBeCloseTo(0.4, 12);
  });

  test('a missing term without weight does not matter', () => {
    expect(scoreOf(without, { throughput: 3, delay: 1, intra: 0, inter: 0 })).toEqual({
      value: 0.8,
      missing: [],
      partial: null,
    });
  });

  test('nothing measured gives nothing, not even in part', () => {
    const nothing: Terms = { throughput: null, delay: null, intra: null, inter: null };
    expect(scoreOf(nothing, weights('bulk'))).toMatchObject({ value: null, partial: null });
  });

  test('weights that mean nothing give no score', () => {
    expect(normaliseWeights({ throughput: 0, delay: 0, intra: 0, inter: 0 })).toBeNull();
    expect(normaliseWeights({ throughput: 1, delay: -0.1, intra: 0, inter: 0 })).toBeNull();
    expect(scoreOf(terms, { throughput: Number.NaN, delay: 1, intra: 0, inter: 0 }).value).toBeNull();
  });

  test('lies between the smallest and the largest term, and only proportions of weights matter', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const weight = fc.double({ min: 0.01, max: 10, noNaN: true });
    const record = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.record({ throughput: arbitrary, delay: arbitrary, intra: arbitrary, inter: arbitrary });
    fc.assert(
      fc.property(record(unit), record(weight), weight, (t, w, factor) => {
        const value = scoreOf(t, w).value!;
        expect(value).toBeGreaterThanOrEqual(Math.min(...Object.values(t)) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(...Object.values(t)) + 1e-12);
        const scaled = Object.fromEntries(TERMS.map((term) => [term, w[term] * factor])) as unknown as Weights;
        expect(scoreOf(t, scaled).value).toBeCloseTo(value, 12);
      }),
    );
  });
});
