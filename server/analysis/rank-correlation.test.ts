import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kendallTau, rankAgreement } from '#analysis/rank-correlation';
import { normal } from '#analysis/testing-series';

const whole = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 20 });

describe('Kendall’s tau', () => {
  test('by hand', () => {
    // Pairs of 1 2 3 against 1 3 2: two alike, one turned round.
    expect(kendallTau([1, 2, 3], [1, 3, 2])).toEqual({ tau: 1 / 3, concordant: 2, discordant: 1, n: 3 });
    // Six pairs: one is equal in the first list, three are alike, two turned round.
    expect(kendallTau([1, 2, 2, 3], [1, 3, 4, 2])?.tau).toBeCloseTo((3 - 2) / Math.sqrt(30), 12);
  });

  test('there is none without an order, or where a value is missing', () => {
    expect(kendallTau([], [])).toBeNull();
    expect(kendallTau([1], [2])).toBeNull();
    expect(kendallTau([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(kendallTau([1, NaN, 3], [1, 2, 3])).toBeNull();
    expect(() => kendallTau([1, 2], [1])).toThrow(RangeError);
  });

  test('an infinite delay is the longest, and as long as another', () => {
    expect(kendallTau([1, 2, Infinity], [1, 2, 3])?.tau).toBe(1);
    expect(kendallTau([1, Infinity, Infinity], [1, 2, 2])?.tau).toBe(1);
  });

  test('is 1 with itself, turns round with the order, and does not care which list is first, nor for scale', () => {
    fc.assert(
      fc.property(whole, fc.infiniteStream(fc.integer({ min: 0, max: 8 })), (x, stream) => {
        const y = [...x.map(() => stream.next().value as number)];
        const tau = kendallTau(x, y)?.tau;
        expect(kendallTau(y, x)?.tau).toBe(tau);
        const turned = kendallTau(
          x,
          y.map((value) => -value),
        )?.tau;
        expect(tau === undefined ? turned : -(turned ?? 0) + 0).toBe(tau === undefined ? tau : tau + 0);
        expect(
          kendallTau(
            x.map((value) => Math.exp(value)),
            y,
          )?.tau,
        ).toBe(tau);
        if (new Set(x).size > 1) expect(kendallTau(x, x)?.tau).toBeCloseTo(1, 12);
        if (tau !== undefined) expect(Math.abs(tau)).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
  });
});

describe('its intervals', () => {
  const things = (count: number, repetitions: number, noise: number, seed: number) => {
    const draw = normal(seed);
    return Array.from({ length: count }, (_, i) => ({
      x: [i],
      y: Array.from({ length: repetitions }, () => i + noise * draw()),
    }));
  };

  test('are none where there is too little to sample', () => {
    const few = rankAgreement([
      { x: [1], y: [1, 1.1] },
      { x: [2], y: [2, 2.1] },
    ]);
    expect(few).toMatchObject({ tau: 1, interval_repetitions: null, interval_things: null });
    expect(
      rankAgreement([
        { x: [1], y: [] },
        { x: [2], y: [1] },
      ]),
    ).toBeNull();
  });

  test('are narrow where repetitions agree, and wide where they do not', () => {
    const sure = rankAgreement(things(8, 5, 0.01, 1));
    expect(sure?.tau).toBe(1);
    expect(sure?.interval_repetitions).toEqual({ low: 1, high: 1 });
    // Of the things themselves ten that agree say nothing.
    expect(sure?.interval_things).toBeNull();
    const unsure = rankAgreement(things(8, 5, 5, 1));
    expect(unsure?.interval_repetitions?.high).toBeGreaterThan((unsure?.interval_repetitions?.low ?? 1) + 0.2);
  });

  test('stay between -1 and 1 and around tau, and are the same again', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const own = things(6, 3, 3, seed);
      const found = rankAgreement(own, seed, 500);
      expect(rankAgreement(own, seed, 500)).toEqual(found);
      for (const interval of [found?.interval_repetitions, found?.interval_things]) {
        if (interval === null || interval === undefined) continue;
        expect(interval.low).toBeGreaterThanOrEqual(-1);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(found?.tau ?? NaN);
        expect(interval.high).toBeGreaterThanOrEqual(found?.tau ?? NaN);
      }
    }
  });

  test('over things hold the truth about as often as they say', () => {
    // Of two normal values with correlation r, tau is 2 / pi asin r. Few things are better covered than by 95 %.
    for (const [n, r] of [
      [10, 0.5],
      [20, 0.8],
    ] as const) {
      const draw = normal(n);
      const truth = (2 / Math.PI) * Math.asin(r);
      let covered = 0;
      const trials = 500;
      for (let trial = 0; trial < trials; trial++) {
        const sample = Array.from({ length: n }, () => {
          const x = draw();
          return { x: [x], y: [r * x + Math.sqrt(1 - r * r) * draw()] };
        });
        const interval = rankAgreement(sample, trial)?.interval_things;
        if (interval !== undefined && interval !== null && interval.low <= truth && truth <= interval.high) covered++;
      }
      expect(covered / trials).toBeGreaterThan(0.92);
      expect(covered / trials).toBeLessThan(0.995);
    }
  });
});
