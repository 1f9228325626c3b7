import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  LONG_TERM_K,
  SHORT_TERM_K,
  fairnessTerm,
  jainIndex,
  missingOfAll,
  missingText,
  sharedFairness,
  windowsText,
} from '#analysis/fairness';
import { summaryOf } from '#analysis/testing';
import type { RunSummary } from '#protocol/summary';

describe('Jain’s index', () => {
  test('by hand', () => {
    expect(jainIndex([5, 5])).toBe(1);
    expect(jainIndex([7, 0])).toBe(0.5);
    // (3 + 1)^2 / (2 (9 + 1)) = 0.8.
    expect(jainIndex([3, 1])).toBeCloseTo(0.8, 12);
    // Jain 1984: k of n users served equally, the others not at all: k / n.
    expect(jainIndex([2, 2, 0, 0, 0])).toBeCloseTo(0.4, 12);
    expect(jainIndex([0, 0])).toBeNull();
    expect(jainIndex([])).toBeNull();
  });

  test('lies in [1/n, 1], and does not depend on scale or order', () => {
    const rate = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true }));
    const rates = fc.array(rate, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rates, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (values, scale) => {
        const index = jainIndex(values);
        if (index === null) {
          expect(values.every((v) => v === 0)).toBe(true);
          return;
        }
        expect(index).toBeGreaterThanOrEqual(1 / values.length - 1e-12);
        expect(index).toBeLessThanOrEqual(1 + 1e-12);
        expect(jainIndex(values.map((v) => v * scale).reverse())).toBeCloseTo(index, 9);
      }),
    );
  });
});

describe('fairness term', () => {
  const run = (fairness: [number, number | null][]) =>
    fairnessTerm(summaryOf({ utilisation: 1, queueing_ms: 1, fairness }));

  test('with all ten windows it is their plain mean', () => {
    const values = [0.7, 0.75, 0.8, 0.85, 0.9, 0.91, 0.92, 0.95, 0.98, 1];
    const term = run([...SHORT_TERM_K, ...LONG_TERM_K].map((k, i) => [k, values[i]!]));
    expect(term.value).toBeCloseTo(0.876, 12); // sum 8.76
    expect(term.short).toBeCloseTo(0.8, 12);
    expect(term.long).toBeCloseTo(0.952, 12);
    expect(term.measured_k).toHaveLength(10);
    expect([term.missing_k, windowsText(term.missing_k)]).toEqual([[], null]);
  });

  test('long windows that do not fit leave short and long term of equal weight', () => {
    expect(
      run([
        [1, 0.6],
        [20, 0.8],
        [50, 1],
        [3000, null],
      ]).value,
    ).toBeCloseTo((0.7 + 1) / 2, 12);
  });

  test('without a long window, or without windows, it is not measured', () => {
    expect(
      run([
        [1, 0.6],
        [20, 0.8],
      ]),
    ).toMatchObject({ value: null, short: 0.7, long: null });
    expect(run([]).value).toBeNull();
  });

  test('says which windows it stands without', () => {
    const ks = [...SHORT_TERM_K, ...LONG_TERM_K];
    const short = run(ks.map((k) => [k, k === 3000 ? null : 0.9]));
    const shorter = run(ks.slice(0, 8).map((k) => [k, 0.9]));
    expect([short.missing_k, windowsText(short.missing_k)]).toEqual([[3000], '9 of 10']);
    expect(shorter.missing_k).toEqual([1000, 3000]);
    expect(missingOfAll([short, shorter, run(ks.map((k) => [k, 1]))])).toEqual([1000, 3000]);
    expect(missingText(shorter.missing_k)).toContain('windows of 1000, 3000 base RTTs');
    // A single flow has no windows to miss.
    expect(run([]).missing_k).toEqual([]);
  });

  test('other windows are not mixed in', () => {
    expect(
      run([
        [1, 0.8],
        [7, 0.1],
        [50, 0.8],
      ]).value,
    ).toBeCloseTo(0.8, 12);
  });
});

describe('fairness where some flow does not pass the link', () => {
  const rolling = [...SHORT_TERM_K, ...LONG_TERM_K].map((k) => ({
    k,
    window_ms: k,
    windows: 9,
    mean: 0.5,
    p25: 0.5,
    p50: 0.5,
    p75: 0.5,
  }));
  const of = (rates: readonly number[], beside: readonly number[]) =>
    sharedFairness(
      {
        fairness: rolling,
        receivers: rates.map((throughput_mbps, flow) => ({
          flow,
          throughput_mbps,
        })) as unknown as RunSummary['receivers'],
      },
      beside,
    );

  test('is that of the others, over the whole run', () => {
    // (3 + 1)^2 / (2 (9 + 1)) = 0.8, however fast the third is behind the link.
    const share = expect.closeTo(0.8, 12) as number;
    expect(of([3, 1, 90], [2])).toEqual({
      value: share,
      throughput: share,
      short: null,
      long: null,
      measured_k: [],
      missing_k: [],
      flows: [0, 1],
    });
    expect(of([3, 90, 1], [1]).flows).toEqual([0, 2]);
  });

  test('is nothing when one alone passes it, and as ever when all do or none', () => {
    expect(of([3, 90], [1])).toMatchObject({ value: null, throughput: null, flows: [0] });
    expect(of([3, 1], [])).toMatchObject({ value: 0.5, short: 0.5, flows: [0, 1] });
    expect(of([3, 1], [0, 1])).toMatchObject({ value: 0.5, flows: [0, 1] });
  });
});
