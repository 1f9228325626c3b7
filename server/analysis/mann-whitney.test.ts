import { describe, expect, it } from 'vitest';
import { mannWhitney } from '#analysis/mann-whitney';

// The example of SciPy's documentation: ages at which men and women were diagnosed.
const MEN = [19, 22, 16, 29, 24];
const WOMEN = [20, 11, 17, 12];

describe('Mann-Whitney U', () => {
  it('gives SciPy’s exact values', () => {
    const test = mannWhitney(MEN, WOMEN);
    expect(test).toMatchObject({ u: 17, method: 'exact' });
    expect(test?.p).toBeCloseTo(0.1111111111111111, 12);
    expect(test?.share).toBeCloseTo(17 / 20, 12);
  });

  it('is the same seen from the other side', () => {
    expect(mannWhitney(WOMEN, MEN)).toMatchObject({ u: 3, p: mannWhitney(MEN, WOMEN)?.p });
  });

  it('gives the normal approximation with continuity and equal values', () => {
    // By hand: ranks of [1, 2, 2, 3] among [1, 2, 2, 3, 2, 4, 4, 5] are 1, 3, 3, 5, so U = 12 - 10 = 2;
    // variance = 16/12 (9 - (24 + 6)/56) = 11.2857, z = (8 - 2 - 0.5)/3.3594 = 1.6372, p = 0.1016.
    const test = mannWhitney([1, 2, 2, 3], [2, 4, 4, 5]);
    expect(test).toMatchObject({ u: 2, method: 'asymptotic' });
    expect(test?.p).toBeCloseTo(0.1016, 4);
  });

  it('of equal samples finds no side greater', () => {
    const same = Array.from({ length: 50 }, (_, i) => i);
    expect(mannWhitney(same, same)).toMatchObject({ share: 0.5, p: 1 });
    expect(mannWhitney([7, 7], [7, 7])).toMatchObject({ share: 0.5, p: 1 });
  });

  it('exact and approximate p agree where both are good', () => {
    const a = Array.from({ length: 20 }, (_, i) => 2 * i);
    const b = Array.from({ length: 20 }, (_, i) => 2 * i + 7);
    const exact = mannWhitney(a, b);
    const approximate = mannWhitney([...a, 1000.5], [...b, 1000.5]);
    expect(exact?.method).toBe('exact');
    expect(approximate?.method).toBe('asymptotic');
    expect(Math.abs((exact?.p ?? 0) - (approximate?.p ?? 1))).toBeLessThan(0.03);
  });

  it('of nothing is nothing', () => {
    expect(mannWhitney([1], [])).toBeNull();
  });
});
