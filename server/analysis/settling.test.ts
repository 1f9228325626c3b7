import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ratioOf, timeToSettle } from '#analysis/settling';

/** A value that is `high` from `at` on, and 0 before. */
const step =
  (at: number, high = 1) =>
  (from: number, to: number) =>
    from >= at ? high : to <= at ? 0 : (high * (to - at)) / (to - from);
const PACE = { window_s: 1, hold_s: 3, step_s: 0.5 };
const enough = (value: number): boolean => value >= 0.8;

describe('time to settle', () => {
  test('by hand: the first window that does, when all do for so long', () => {
    // Windows of 1 s each half second: that from 4.5 is half before the step, that from 5 is the first above it.
    expect(timeToSettle(step(5), enough, { from_s: 0, to_s: 20, ...PACE })).toBe(5);
    expect(timeToSettle(step(5), enough, { from_s: 2, to_s: 20, ...PACE })).toBe(3);
    expect(timeToSettle(step(0), enough, { from_s: 0, to_s: 3, ...PACE })).toBe(0);
  });

  test('a visit is no stay, and one that the end cuts off is none', () => {
    const visit = (from: number, to: number): number => (from >= 5 && to <= 7 ? 1 : from >= 10 ? 1 : 0);
    expect(timeToSettle(visit, enough, { from_s: 0, to_s: 20, ...PACE })).toBe(10);
    expect(timeToSettle(visit, enough, { from_s: 0, to_s: 12.5, ...PACE })).toBeNull();
    expect(timeToSettle(() => null, enough, { from_s: 0, to_s: 20, ...PACE })).toBeNull();
  });

  test('finds a step to within a window, wherever it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 15, noNaN: true }), (at) => {
        const found = timeToSettle(step(at), enough, { from_s: 0, to_s: 30, ...PACE }) ?? NaN;
        expect(Math.abs(found - at)).toBeLessThanOrEqual(PACE.step_s + 1e-9);
      }),
    );
  });

  test('a part of nothing is not known', () => {
    const ratio = ratioOf(
      () => 3,
      (from) => (from < 1 ? 0 : 6),
    );
    expect([ratio(0, 1), ratio(1, 2)]).toEqual([null, 0.5]);
  });
});
