import { describe, expect, it } from 'vitest';
import { generator } from '#analysis/seeds';
import { relabel, signFlip } from '#analysis/sign-flip';

describe('signs of pairs exchanged', () => {
  it('counts all exchanges of few pairs', () => {
    expect(signFlip([1, 2, 3, 4, 5], generator(1))).toEqual({ p: 1 / 32, least: 1 / 32, method: 'exact' });
    // Of the eight sums of ±1 ±2 ±3 two are at least 4: 6 and 4.
    expect(signFlip([-1, 2, 3], generator(1)).p).toBe(2 / 8);
    expect(signFlip([-1, -2, -3], generator(1)).p).toBe(1);
    // A pair that is the same says nothing either way.
    expect(signFlip([0, 1, 1], generator(1)).p).toBe(2 / 8);
  });

  it('knows that pairs that are the same make the smallest p larger', () => {
    expect(signFlip([0, 1, 1], generator(1)).least).toBe(1 / 4);
    expect(signFlip([0, 0, 0.5, 0.6, 0.3, 0.4], generator(1))).toEqual({ p: 1 / 16, least: 1 / 16, method: 'exact' });
    const many = [...Array.from({ length: 18 }, () => 0), 1, 1];
    expect(signFlip(many, generator(1)).least).toBe(1 / 4);
  });

  it('takes sums that only rounding tells apart for equal', () => {
    expect(signFlip([0.1, 0.2, 0.3], generator(1)).p).toBe(1 / 8);
    expect(signFlip([0.1, 0.2, -0.3], generator(1)).p).toBe(5 / 8);
  });

  it('draws from the exchanges of many, and errs upwards', () => {
    const differences = Array.from({ length: 20 }, (_, i) => (i < 14 ? 1 : -1));
    // P(X ≥ 14) of 20 fair coins: 60460 / 2^20.
    const { p, method, least } = signFlip(differences, generator(1));
    expect([method, least]).toEqual(['drawn', 1 / 20_001]);
    expect(Math.abs(p - 60_460 / 2 ** 20)).toBeLessThan(4 * Math.sqrt((0.0577 * 0.9423) / 20_000));
    expect(
      signFlip(
        Array.from({ length: 30 }, () => 1),
        generator(1),
      ).p,
    ).toBe(1 / 20_001);
  });
});

describe('before and after exchanged within conditions', () => {
  it('comes to the share of divisions that are as bad', () => {
    // Only one of the twenty divisions has the three largest after.
    const { p, least } = relabel([{ before: [1, 2, 3], after: [4, 5, 6] }], generator(1));
    expect(least).toBeCloseTo(1 / 20, 12);
    expect(Math.abs(p - 1 / 20)).toBeLessThan(4 * Math.sqrt(0.0475 / 20_000));
    expect(relabel([{ before: [4, 5, 6], after: [1, 2, 3] }], generator(1)).p).toBe(1);
  });

  it('knows that equal values make the smallest p larger', () => {
    // Two of three have a 1 after, whichever of the two ones it is, and so have two of three divisions.
    expect(relabel([{ before: [1, 0], after: [1] }], generator(1)).least).toBeCloseTo(2 / 3, 12);
    expect(relabel([{ before: [0, 0, 0], after: [0, 1, 2] }], generator(1)).least).toBeCloseTo(4 / 20, 12);
    expect(relabel([{ before: [1, 1], after: [1, 1] }], generator(1)).least).toBe(1);
  });

  it('does not take what tells conditions apart for a difference', () => {
    const strata = [
      { before: [1, 2, 3], after: [3, 1, 2] },
      { before: [101, 102], after: [102, 101] },
    ];
    expect(relabel(strata, generator(1)).p).toBeGreaterThan(0.5);
    const worse = strata.map(({ before }) => ({ before, after: before.map((value) => value + 50) }));
    expect(relabel(worse, generator(1)).p).toBeLessThan(0.02);
  });
});
