import { describe, expect, test } from 'vitest';
import { METRIC_IDS, type MetricId } from '#analysis/metrics';
import { orderAgreements } from '#analysis/order-agreement';
import type { CellBrief } from '#analysis/results';
import { estimate, type Estimate } from '#analysis/statistics';
import type { Cell } from '#protocol/api';

const cellOf = (cca: string, trace_name: string): Cell => ({
  key: `${trace_name}/${cca}`,
  trace: { trace: trace_name },
  trace_name,
  cca: { id: cca, params: {} },
  buffer: { bdp: 1 },
  queue: { id: 'droptail', params: {} },
  base_rtt_ms: 20,
  loss: 0,
  limit_bytes: 60_000,
});

/** Utilisations of five algorithms over each network, the same in each repetition but for a hair. */
const results = (networks: Readonly<Record<string, readonly (number | null)[]>>): CellBrief[] =>
  Object.entries(networks).flatMap(([trace, values]) =>
    values.map((value, i): CellBrief => {
      const found = value === null ? null : estimate([value - 0.001, value, value + 0.001], [0, 1]);
      return {
        cell: cellOf(`cca${i}`, trace),
        cca: null,
        figures: {
          n: 3,
          metrics: Object.fromEntries(METRIC_IDS.map((id) => [id, id === 'utilisation' ? found : null])) as Record<
            MetricId,
            Estimate | null
          >,
          capacity: { sum: 0, n: 0 },
        },
        left_out: 0,
        excluded: [],
        running: false,
        planned: 3,
        pending: 0,
      };
    }),
  );

describe('the orders of conditions', () => {
  test('are the same, reversed, or one pair of ten off', () => {
    const { conditions, pairs } = orderAgreements(
      results({
        a: [0.1, 0.2, 0.3, 0.4, 0.5],
        b: [0.5, 0.6, 0.7, 0.8, 0.9],
        c: [0.9, 0.8, 0.7, 0.6, 0.5],
        d: [0.2, 0.1, 0.3, 0.4, 0.5],
      }),
      'utilisation',
      10,
    );
    expect(conditions.map(({ trace_name }) => trace_name)).toEqual(['a', 'b', 'c', 'd']);
    const taus = Object.fromEntries(pairs.map(({ a, b, agreement }) => [`${a}${b}`, agreement?.tau]));
    // Of ten pairs one is the other way: (9 - 1) / 10.
    expect(taus).toEqual({ '01': 1, '02': -1, '03': 0.8, '12': -1, '13': 0.8, '23': -0.8 });
    const [same] = pairs;
    expect(same?.agreement?.interval_repetitions?.low).toBeCloseTo(1, 9);
  });

  test('of fewer than four algorithms in both are not told, nor of more conditions than asked for', () => {
    const networks = { a: [0.1, 0.2, 0.3, 0.4], b: [0.1, 0.2, null, 0.4], c: [0.4, 0.3, 0.2, 0.1] };
    const { pairs } = orderAgreements(results(networks), 'utilisation', 10);
    expect(pairs.map(({ agreement }) => agreement?.tau ?? null)).toEqual([null, -1, null]);
    expect(orderAgreements(results(networks), 'utilisation', 2).pairs).toHaveLength(1);
  });
});
