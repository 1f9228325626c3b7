import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crossover, type Swept } from '#analysis/crossover';
import { normal } from '#analysis/testing-series';

const point = (at: number, a: number, b: number): Swept => ({ at, a: [a], b: [b] });

describe('where curves cross', () => {
  test('by hand: halfway between two limits on the logarithm', () => {
    // +2 at 1 BDP, -2 at 16: zero in the middle of the logarithm, at 4.
    const found = crossover([point(1, 3, 1), point(16, 1, 3)]);
    expect(found).toMatchObject({ kind: 'one', above: 'b', interval: null, once: null });
    expect(found.kind === 'one' ? found.at : NaN).toBeCloseTo(4, 12);
    // +1 and -3: a quarter of the way from 1 to 16 is 2.
    const early = crossover([point(16, 0, 3), point(1, 1, 0)]);
    expect(early.kind === 'one' ? early.at : NaN).toBeCloseTo(2, 12);
  });

  test('they need not, and may more than once', () => {
    expect(crossover([point(1, 3, 1), point(2, 2, 1)])).toEqual({ kind: 'none', above: 'a' });
    expect(crossover([point(1, 1, 1), point(2, 2, 2)])).toEqual({ kind: 'none', above: null });
    expect(crossover([])).toEqual({ kind: 'none', above: null });
    const twice = crossover([point(1, 1, 0), point(4, 0, 1), point(16, 1, 0)]);
    expect(twice.kind === 'several' ? twice.at.map((at) => Math.round(at * 1e9) / 1e9) : null).toEqual([2, 8]);
  });

  test('to touch is not to cross; to run together on the way is one crossing, in its middle', () => {
    expect(crossover([point(1, 1, 0), point(2, 0, 0), point(4, 1, 0)])).toEqual({ kind: 'none', above: 'a' });
    expect(crossover([point(1, 1, 0), point(2, 0, 0), point(8, 0, 0), point(16, 0, 1)])).toMatchObject({ at: 4 });
    expect(crossover([point(1, 0, 0), point(2, 1, 0)])).toEqual({ kind: 'none', above: 'a' });
  });

  test('zero has no place on the axis, and what was not measured is left out', () => {
    expect(() => crossover([point(0, 1, 0), point(1, 0, 1)])).toThrow('0 has no place on a logarithmic axis');
    expect(crossover([point(1, 1, 0), { at: 4, a: [], b: [1] }, point(16, 0, 1)])).toMatchObject({ at: 4 });
  });

  test('lies between the swept values, turns with the curves and stretches with the axis', () => {
    const curve = fc.array(
      fc.tuple(fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true })),
      {
        minLength: 2,
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(curve, (values) => {
        const points = values.map(([a, b], i) => point(2 ** i, a, b));
        const found = crossover(points);
        const swapped = crossover(points.map(({ at, a, b }) => ({ at, a: b, b: a })));
        const stretched = crossover(points.map((each) => ({ ...each, at: 10 * each.at })));
        expect(swapped.kind).toBe(found.kind);
        expect(stretched.kind).toBe(found.kind);
        if (found.kind !== 'one' || swapped.kind !== 'one' || stretched.kind !== 'one') return;
        expect(found.at).toBeGreaterThanOrEqual(1);
        expect(found.at).toBeLessThanOrEqual(2 ** (values.length - 1));
        expect(swapped.at).toBeCloseTo(found.at, 9);
        expect(swapped.above).not.toBe(found.above);
        expect(stretched.at / found.at).toBeCloseTo(10, 9);
      }),
    );
  });
});

describe('its interval', () => {
  /** a falls by 1 per factor of e, b rises: they cross at `truth`. */
  const sweep = (truth: number, repetitions: number, noise: number, draw: () => number): Swept[] =>
    [1, 2, 4, 8, 16].map((at) => {
      const level = Math.log(truth / at);
      const values = (sign: number) => Array.from({ length: repetitions }, () => sign * level + noise * draw());
      return { at, a: values(0.5), b: values(-0.5) };
    });

  test('holds the truth about as often as it says', () => {
    const draw = normal(7);
    for (const n of [3, 5, 10]) {
      let [covered, all] = [0, 0];
      for (let trial = 0; trial < 400; trial++) {
        const found = crossover(sweep(5, n, 0.25, draw), trial, 200);
        if (found.kind !== 'one' || found.interval === null) continue;
        all++;
        if (found.interval.low <= 5 && 5 <= found.interval.high) covered++;
      }
      expect(all).toBeGreaterThan(350);
      expect(covered / all).toBeGreaterThan(0.91);
      expect(covered / all).toBeLessThanOrEqual(0.99);
    }
  });

  test('is none where repetitions do not agree that there is one', () => {
    const flat = [1, 2, 4].map((at, i) => ({ at, a: [1, 0, 1, 0, 0.1 - i * 0.1], b: [0, 1, 0, 1, 0] }));
    const found = crossover(flat);
    expect(found.kind).toBe('one');
    if (found.kind !== 'one') return;
    expect(found.interval).toBeNull();
    expect(found.once).toBeLessThan(0.95);
  });
});
