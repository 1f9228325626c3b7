import { describe, expect, it } from 'vitest';
import { asymptoticP, kolmogorovSmirnov } from '#analysis/kolmogorov-smirnov';
import { generator } from '#analysis/seeds';

/** By definition: the largest difference of the two shares at any value. */
const difference = (a: readonly number[], b: readonly number[]): number => {
  const share = (values: readonly number[], limit: number): number =>
    values.filter((v) => v <= limit).length / values.length;
  return Math.max(...[...a, ...b].map((limit) => Math.abs(share(a, limit) - share(b, limit))));
};

/** By definition: the share of all ways to deal the values to the two samples that give at least this difference. */
function permutationP(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b];
  const d = difference(a, b);
  let [extreme, ways] = [0, 0];
  for (let choice = 0; choice < 2 ** all.length; choice++) {
    const first = all.filter((_, i) => ((choice >> i) & 1) === 1);
    if (first.length !== a.length) continue;
    ways++;
    if (
      difference(
        first,
        all.filter((_, i) => ((choice >> i) & 1) === 0),
      ) >=
      d - 1e-9
    )
      extreme++;
  }
  return extreme / ways;
}

describe('Kolmogorov-Smirnov', () => {
  it('of separate samples: D = 1, p = two of all arrangements', () => {
    // 2 / C(6, 3)
    expect(kolmogorovSmirnov([1, 2, 3], [4, 5, 6])).toEqual({
      d: 1,
      at: 3,
      p: expect.closeTo(0.1, 12) as number,
      method: 'exact',
    });
  });

  it('of a sample and itself: D = 0, p = 1', () => {
    expect(kolmogorovSmirnov([3, 1, 2, 2], [2, 3, 2, 1])).toMatchObject({ d: 0, p: 1 });
  });

  it('gives the exact p of the permutations, with equal values and without', () => {
    const random = generator(11);
    for (let i = 0; i < 40; i++) {
      const levels = i % 2 === 0 ? 1000 : 4;
      const draw = (n: number): number[] => Array.from({ length: n }, () => Math.floor(random() * levels));
      const [a, b] = [draw(2 + (i % 5)), draw(3 + (i % 4))];
      const test = kolmogorovSmirnov(a, b);
      expect(test?.d).toBeCloseTo(difference(a, b), 12);
      expect(test?.p).toBeCloseTo(permutationP(a, b), 10);
    }
  });

  it('says where the difference is', () => {
    expect(kolmogorovSmirnov([1, 1, 1, 9, 9], [1, 5, 9, 9, 9])).toMatchObject({
      d: expect.closeTo(0.4, 12) as number,
      at: 1,
    });
  });

  it('agrees with the asymptotic distribution for large samples', () => {
    const a = Array.from({ length: 700 }, (_, i) => i / 700);
    const b = Array.from({ length: 900 }, (_, i) => (i / 900) ** 1.1);
    const exact = kolmogorovSmirnov(a, b);
    expect(exact?.method).toBe('exact');
    expect(exact?.p).toBeGreaterThan(0.2);
    expect(asymptoticP(exact?.d ?? 0, 700, 900)).toBeCloseTo(exact?.p ?? 0, 1);
    const large = kolmogorovSmirnov([...a, ...a.map((v) => v + 1e-4)], b);
    expect(large?.method).toBe('asymptotic');
  });

  it('has Kolmogorov’s critical values', () => {
    // Q(1.3581) = 0.05, Q(1.6276) = 0.01; Stephens' correction vanishes for large samples.
    const n = 2e8;
    for (const [lambda, p] of [
      [1.3581, 0.05],
      [1.6276, 0.01],
    ] as const)
      expect(asymptoticP(lambda / Math.sqrt(n / 2), n, n)).toBeCloseTo(p, 4);
  });

  it('stays within 0 and 1 for samples that could not differ more', () => {
    const low = Array.from({ length: 600 }, (_, i) => i);
    expect(
      kolmogorovSmirnov(
        low,
        low.map((v) => v + 1000),
      )?.p,
    ).toBeCloseTo(0, 12);
  });

  it('of nothing is nothing', () => {
    expect(kolmogorovSmirnov([], [1])).toBeNull();
  });
});
