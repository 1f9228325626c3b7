import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive, fnv1a, generator, mix64, toSeed, toUnit } from '#analysis/seeds';

describe('seeds', () => {
  test('mix64 and fnv1a give the published values', () => {
    // First output of splitmix64 with seed 0 (reference implementation of S. Vigna).
    expect(mix64(0n)).toBe(0xe220a8397b1dcdafn);
    // FNV reference test vectors: "" and "a".
    expect(fnv1a('')).toBe(0xcbf29ce484222325n);
    expect(fnv1a('a')).toBe(0xaf63dc4c8601ec8cn);
  });

  test('derived numbers depend on the seed and on every part, in order', () => {
    const all = [
      derive(1, 'a', 0),
      derive(1, 'a', 1),
      derive(1, 'b', 0),
      derive(2, 'a', 0),
      derive(1, 0, 'a'),
      derive(1, 'a'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('seeds are integers that JSON carries exactly, units lie in [0, 1)', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.string(), (seed, part) => {
        const bits = derive(seed, part);
        expect(Number.isSafeInteger(toSeed(bits))).toBe(true);
        expect(toUnit(bits)).toBeGreaterThanOrEqual(0);
        expect(toUnit(bits)).toBeLessThan(1);
      }),
    );
  });

  test('the generator repeats itself for a seed and spreads evenly', () => {
    const draw = generator(7);
    const values = Array.from({ length: 20_000 }, draw);
    const again = generator(7);
    expect(values.slice(0, 10)).toEqual(Array.from({ length: 10 }, again));
    // Mean of n uniforms: 1/2 with standard error 1 / sqrt(12 n) = 0.002.
    expect(Math.abs(values.reduce((a, b) => a + b, 0) / values.length - 0.5)).toBeLessThan(0.01);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
  });
});
