import { describe, expect, it } from 'vitest';
import { independentOf } from '#analysis/independence';
import { autoregressive, normal } from '#analysis/testing-series';

describe('independent values', () => {
  it('are most of white noise and few of a slow wave', () => {
    const worth = independentOf(Array.from({ length: 1000 }, normal(3)));
    expect(worth).toBeGreaterThan(400);
    expect(worth).toBeLessThanOrEqual(1000);
    expect(independentOf(Array.from({ length: 1000 }, (_, i) => Math.sin(i / 100)))).toBeLessThan(20);
  });

  it('are about n (1 - r) / (1 + r) where each value remembers the one before, or fewer', () => {
    for (const r of [0.5, 0.9]) {
      const worth = independentOf(autoregressive(5, 4000, r)) / ((4000 * (1 - r)) / (1 + r));
      expect(worth).toBeGreaterThan(0.25);
      expect(worth).toBeLessThan(1.3);
    }
  });

  it('are few of a slow wave under noise, which neighbours do not show', () => {
    const noise = normal(8);
    const slow = autoregressive(7, 600, 0.97).map((value) => value + 1.5 * noise());
    // One in (1 + r) / (1 - r) of the wave's share of the variance: 600 / 21. Neighbours alone would say 300.
    expect(independentOf(slow)).toBeLessThan(60);
  });

  it('know ties and short series', () => {
    expect(independentOf([5, 5, 5, 5])).toBe(4);
    expect(independentOf([1])).toBe(1);
    expect(independentOf([])).toBe(0);
    const mostlyEqual = Array.from({ length: 200 }, (_, i) => (i % 20 === 0 ? 40 : 48));
    expect(independentOf(mostlyEqual)).toBeGreaterThan(100);
  });

  it('do not see a trend in what is finer than is known', () => {
    const drifting = Array.from({ length: 100 }, (_, i) => 48.1 + i * 1e-6);
    expect(independentOf(drifting)).toBeLessThan(10);
    expect(independentOf(drifting, 0.24)).toBe(100);
  });

  it('of a day by tenths of a second are known', () => {
    const long = autoregressive(9, 864_000, 0.999);
    // Were it quadratic, the test's own time limit would end it.
    expect(independentOf(long)).toBeLessThan(2000);
  });
});
