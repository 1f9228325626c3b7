import { describe, expect, test } from 'vitest';
import { resultsOf } from '#analysis/results';
import { sortRows, tableOf } from '#analysis/table';
import { LISTING, experimentOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const rows = (runs: readonly TestRun[]) => tableOf(resultsOf(experimentOf(runs), LISTING.ccas));
const missing = [2, 5, 10, 20, 100, 500, 1000, 3000];
const pair = (role: 'self_pair' | 'baseline_pair', jain: number, repetition = 0): TestRun => ({
  cca: 'rival',
  role,
  ccas: ['rival', 'base'],
  utilisation: 1,
  queueing_ms: 20,
  fairness: [
    [1, jain],
    [50, jain],
  ],
  repetition,
});

describe('table', () => {
  test('a row has every figure with its n', () => {
    const [row] = rows([
      { cca: 'rival', utilisation: 0.8, queueing_ms: 20 },
      { cca: 'rival', utilisation: 0.9, queueing_ms: 20, repetition: 1 },
      { cca: 'rival', utilisation: 0.1, queueing_ms: 20, repetition: 2, duration_s: 3 },
      { cca: 'rival', utilisation: 0.1, queueing_ms: 20, repetition: 3, state: 'queued' },
      pair('self_pair', 0.9),
      pair('baseline_pair', 0.6),
    ]);
    expect(row).toMatchObject({ label: 'RIVAL', limit: '∞', reference: false, n: 2, planned: 4, pending: 1 });
    expect(row!.metrics.utilisation?.mean).toBeCloseTo(0.85, 12);
    expect(row!.metrics.delay_inflation?.mean).toBe(2);
    expect([row!.intra?.mean, row!.inter?.mean]).toEqual([0.9, 0.6]);
    // The pairs have the windows of 1 and 50 base RTTs only.
    expect(row!.missing_k).toEqual({ intra: missing, inter: missing });
    expect(row!.excluded.map(({ repetition }) => repetition)).toEqual([2]);
    // Mixed: 0.2 x 0.85 + 0.2 x 0.5 + 0.3 x 0.9 + 0.3 x 0.6 = 0.72. One repetition has pairs: no interval.
    expect(row!.scores?.['mixed']?.score.value).toBeCloseTo(0.72, 12);
    expect(row!.scores?.['mixed']?.interval).toBeNull();
  });

  test('scores of repetitions give the interval', () => {
    const [row] = rows(
      [0, 1, 2].flatMap((r) => [
        { cca: 'rival', utilisation: 0.8 + r / 20, queueing_ms: 20, repetition: r },
        pair('self_pair', 0.9, r),
        pair('baseline_pair', 0.6, r),
      ]),
    );
    // Bulk scores have sd 0.75 x 0.05: half 4.303 x 0.0375 / sqrt(3) = 0.0931 around 0.8275, over 0.8275 x 0.1725 on the logit.
    const score = row!.scores!['bulk']!;
    expect(score.score.value).toBeCloseTo(0.75 * 0.85 + 0.05 * 0.5 + 0.15 * 0.9 + 0.05 * 0.6, 12);
    const [odds, half] = [Math.log(0.8275 / 0.1725), 0.09316 / (0.8275 * 0.1725)];
    expect(score.interval!.low).toBeCloseTo(1 / (1 + Math.exp(half - odds)), 3);
    expect(score.interval!.high).toBeCloseTo(1 / (1 + Math.exp(-half - odds)), 3);
  });

  test('without pairs fairness and scores are not measured; references have no scores', () => {
    const [rival, perfect] = rows([
      { cca: 'rival', utilisation: 0.8, queueing_ms: 20 },
      { cca: 'perfect', utilisation: 1, queueing_ms: 0 },
    ]);
    expect(rival).toMatchObject({ intra: null, inter: null });
    expect(rival!.scores!['mixed']!.score).toMatchObject({ value: null, missing: ['intra', 'inter'] });
    expect(perfect).toMatchObject({ reference: true, scores: null });
  });

  test('rows sort by any column, rows without a value last in both directions', () => {
    const table = rows([
      { cca: 'base', buffer: { infinite: true }, utilisation: 0.9, queueing_ms: 5 },
      { cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.7, queueing_ms: 9, state: 'failed' },
      { cca: 'rival', buffer: { bdp: 5 }, utilisation: 0.8, queueing_ms: 1 },
    ]);
    const order = (...args: Parameters<typeof sortRows> extends [unknown, ...infer Rest] ? Rest : never) =>
      sortRows(table, ...args).map((row) => `${row.label} ${row.limit}`);
    expect(order('utilisation')).toEqual(['RIVAL 5 BDP', 'BASE ∞', 'RIVAL 1 BDP']);
    expect(order('utilisation', true)).toEqual(['BASE ∞', 'RIVAL 5 BDP', 'RIVAL 1 BDP']);
    expect(order('limit')).toEqual(['RIVAL 1 BDP', 'RIVAL 5 BDP', 'BASE ∞']);
    expect(order('cca', true)).toEqual(['RIVAL 1 BDP', 'RIVAL 5 BDP', 'BASE ∞']);
    expect(order('score:mixed')).toHaveLength(3);
  });
});
