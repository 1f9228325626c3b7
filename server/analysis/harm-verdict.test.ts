import { describe, expect, test } from 'vitest';
import { MARGIN, testHarm } from '#analysis/harm-verdict';
import { generator } from '#analysis/seeds';

const TRIALS = 20_000;

/** How often each outcome comes when the differences to the bar are drawn so. */
function outcomes(n: number, draw: (random: () => number) => number) {
  const random = generator(n);
  const count = { safe: 0, harmful: 0, undecided: 0 };
  for (let i = 0; i < TRIALS; i++) count[testHarm(Array.from({ length: n }, () => draw(random))).outcome]++;
  return { safe: count.safe / TRIALS, harmful: count.harmful / TRIALS };
}
const gauss = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Three standard errors of a share of 5 %: a dozen of them are held to it. */
const AT_MOST = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / TRIALS);

describe('safe', () => {
  test('by hand', () => {
    // Differences -1, 0, 1: t = (0 - 5) / (1 / sqrt 3) = -8.66, P(T < t) for df 2 = 0.00654.
    const test = testHarm([-1, 0, 1]);
    expect(test).toMatchObject({ outcome: 'safe', beyond: 0, n: 3, margin: 5 });
    expect(test.p_safe).toBeCloseTo(0.00654, 5);
    expect(test.p_safe! + test.p_harmful!).toBeCloseTo(1, 12);
    expect(testHarm([9, 10, 11]).outcome).toBe('harmful');
    expect(testHarm([-10, 0, 10]).outcome).toBe('undecided');
  });

  test('fewer than three repetitions decide nothing, none that differ leave no doubt', () => {
    expect(testHarm([])).toMatchObject({ outcome: 'undecided', beyond: null, n: 0 });
    expect(testHarm([-50, -50])).toMatchObject({ outcome: 'undecided', n: 2, p_safe: null });
    expect([0, MARGIN, 2 * MARGIN].map((d) => testHarm([d, d, d]).outcome)).toEqual(['safe', 'undecided', 'harmful']);
  });

  test('at the margin either error is made one time in twenty', () => {
    for (const n of [3, 5, 10])
      for (const sd of [1, 20]) {
        const { safe, harmful } = outcomes(n, (random) => MARGIN + sd * gauss(random));
        expect(safe, `${n} ${sd}`).toBeLessThan(AT_MOST);
        expect(harmful, `${n} ${sd}`).toBeLessThan(AT_MOST);
        expect(safe + harmful, `${n} ${sd}`).toBeGreaterThan(0.07);
      }
  });

  test('further from the margin errors are rarer, and enough repetitions tell', () => {
    const worse = outcomes(5, (random) => 2 * MARGIN + 10 * gauss(random));
    expect(worse.safe).toBeLessThan(0.02);
    expect(outcomes(20, (random) => 5 * gauss(random)).safe).toBeGreaterThan(0.95);
    expect(outcomes(20, (random) => 3 * MARGIN + 10 * gauss(random)).harmful).toBeGreaterThan(0.95);
  });
});
