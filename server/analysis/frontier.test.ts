import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceBetween, frontiersOf, paretoFront, staircase } from '#analysis/frontier';
import { resultsOf } from '#analysis/results';
import { LISTING, experimentOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const frontiers = (runs: readonly TestRun[], axes = { x: 'queueing_mean', y: 'throughput' } as const) =>
  frontiersOf(resultsOf(experimentOf(runs), LISTING.ccas), axes);

const RUNS: readonly TestRun[] = [
  { cca: 'base', buffer: { bdp: 5 }, utilisation: 1, queueing_ms: 80 },
  { cca: 'base', buffer: { bdp: 1 }, utilisation: 0.8, queueing_ms: 10 },
  { cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.7, queueing_ms: 20 },
  { cca: 'rival', buffer: { bdp: 5 }, utilisation: 0.95, queueing_ms: 20 },
  { cca: 'seer', buffer: { bdp: 1 }, utilisation: 0.9, queueing_ms: 1 },
  { cca: 'seer', buffer: { bdp: 5 }, utilisation: 1, queueing_ms: 5 },
  { cca: 'perfect', utilisation: 1, queueing_ms: 0 },
];

describe('Pareto front', () => {
  test('by hand', () => {
    const points = [
      { x: 1, y: 1 },
      { x: 2, y: 3 },
      { x: 3, y: 2 },
      { x: 2, y: 3 },
      { x: 4, y: 5 },
      { x: 1, y: 0 },
    ];
    expect(paretoFront(points)).toEqual([true, true, false, true, true, false]);
    expect(staircase(points)).toEqual([
      { x: 1, y: 1 },
      { x: 2, y: 1 },
      { x: 2, y: 3 },
      { x: 4, y: 3 },
      { x: 4, y: 5 },
    ]);
  });

  test('nobody on it is beaten, everybody else is beaten by somebody on it', () => {
    const point = fc.record({ x: fc.nat(20), y: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const on = paretoFront(points);
        const beats = (a: { x: number; y: number }, b: { x: number; y: number }) =>
          a.x <= b.x && a.y >= b.y && (a.x < b.x || a.y > b.y);
        points.forEach((p, i) => {
          const beaten = points.some((q, j) => on[j] && beats(q, p));
          expect(beaten).toBe(!on[i]);
        });
        const steps = staircase(points);
        steps.forEach((step, i) => {
          expect(step.x).toBeGreaterThanOrEqual(steps[i - 1]?.x ?? -Infinity);
          expect(step.y).toBeGreaterThanOrEqual(steps[i - 1]?.y ?? -Infinity);
        });
      }),
    );
  });
});

describe('frontier', () => {
  test('a series per CCA with its limits from small to large; who is on the front', () => {
    const [facet] = frontiers(RUNS);
    expect(
      facet!.series.map((s) => [s.label, s.reference, s.points.map((p) => [p.limit, p.x.mean, p.on_front])]),
    ).toEqual([
      [
        'BASE',
        false,
        [
          ['1 BDP', 10, true],
          ['5 BDP', 80, true],
        ],
      ],
      [
        'RIVAL',
        false,
        [
          ['1 BDP', 20, false],
          ['5 BDP', 20, true],
        ],
      ],
      [
        'SEER',
        true,
        [
          ['1 BDP', 1, false],
          ['5 BDP', 5, false],
        ],
      ],
      ['PERFECT', true, [['∞', 0, false]]],
    ]);
    expect(facet!.hull.map(({ x }) => x)).toEqual([10, 20, 20, 80, 80]);
    expect(facet!.capacity_mbps).toBe(12);
  });

  test('distances in the plane of utilisation and base / mean RTT, by hand', () => {
    const [facet] = frontiers(RUNS);
    const base = facet!.series[0]!.points[0]!;
    // Utilisation 0.8, RTT 30 of base 20: (0.8 - 1, 2/3 - 1) from the optimal at (1, 1).
    expect(base.to_optimal?.distance).toBeCloseTo(Math.hypot(0.2, 1 / 3), 12);
    expect(base.to_optimal?.delay_ms).toBeCloseTo(10, 9);
    expect(base.to_optimal?.utilisation).toBeCloseTo(-0.2, 12);
    // The oracle is its largest limit: utilisation 1, RTT 25.
    expect(base.to_oracle?.distance).toBeCloseTo(Math.hypot(0.2, 20 / 25 - 20 / 30), 12);
    // Oracle and optimal both saturate: their distance in ms is the oracle's queueing delay, as in Zeus table 1.
    expect(facet!.oracle_to_optimal?.delay_ms).toBeCloseTo(5, 9);
    expect(facet!.closest_to_optimal).toMatchObject({ cca: { id: 'base' }, buffer: { bdp: 1 } });
    expect(facet!.closest_to_oracle).toMatchObject({ cca: { id: 'base' }, buffer: { bdp: 1 } });
  });

  test('distance is a metric', () => {
    const place = fc.record({
      utilisation: fc.double({ min: 0, max: 1, noNaN: true }),
      delay_inflation: fc.double({ min: 1, max: 100, noNaN: true }),
      base_rtt_ms: fc.constant(20),
    });
    fc.assert(
      fc.property(place, place, place, (a, b, c) => {
        const d = (p: typeof a, q: typeof a) => distanceBetween(p, q).distance;
        expect(d(a, a)).toBe(0);
        expect(d(a, b)).toBeCloseTo(d(b, a), 12);
        expect(d(a, c)).toBeLessThanOrEqual(d(a, b) + d(b, c) + 1e-12);
        expect(d(a, b)).toBeLessThanOrEqual(Math.SQRT2);
      }),
    );
  });

  test('repetitions give intervals in both directions', () => {
    const [facet] = frontiers([
      { cca: 'rival', utilisation: 0.8, queueing_ms: 10 },
      { cca: 'rival', utilisation: 0.9, queueing_ms: 14, repetition: 1 },
      { cca: 'rival', utilisation: 0.85, queueing_ms: 12, repetition: 2 },
    ]);
    const point = facet!.series[0]!.points[0]!;
    expect([point.x.mean, point.x.n, point.x.values]).toEqual([12, 3, [10, 14, 12]]);
    // t(0.05, 2) = 4.303; sd = 2: half 4.303 x 2 / (sqrt(3) x 12) = 0.4140 on the logarithm.
    expect(point.x.low).toBeCloseTo(12 * Math.exp(-0.414), 2);
    expect(point.x.high).toBeCloseTo(12 * Math.exp(0.414), 2);
  });

  test('two repetitions are two points, not an interval', () => {
    const [facet] = frontiers([
      { cca: 'rival', utilisation: 0.8, queueing_ms: 10 },
      { cca: 'rival', utilisation: 0.9, queueing_ms: 14, repetition: 1 },
    ]);
    const { x, y } = facet!.series[0]!.points[0]!;
    expect([x.values, x.low, x.high, y.low, y.high]).toEqual([[10, 14], null, null, null, null]);
  });

  test('one plane per trace and loss; the ideal is in each plane of its trace', () => {
    const facets = frontiers([
      ...RUNS,
      { cca: 'base', utilisation: 0.5, queueing_ms: 1, loss: 0.01 },
      { cca: 'base', utilisation: 0.5, queueing_ms: 1, trace: '5g.down' },
    ]);
    expect(facets.map((f) => [f.cell.trace_name, f.cell.loss, f.series.at(-1)!.label])).toEqual([
      ['lte.down', 0, 'PERFECT'],
      ['lte.down', 0.01, 'PERFECT'],
      ['5g.down', 0, 'BASE'],
    ]);
  });

  test('without references there are no distances; references alone are shown', () => {
    const [facet] = frontiers(RUNS.slice(0, 2));
    expect(facet).toMatchObject({ closest_to_optimal: null, closest_to_oracle: null, oracle_to_optimal: null });
    expect(facet!.series[0]!.points[0]!.to_optimal).toBeNull();
    expect(frontiers(RUNS.slice(-1))[0]!.series.map((s) => s.label)).toEqual(['PERFECT']);
    expect(frontiers([])).toEqual([]);
  });

  test('a cell without a valid run has no point', () => {
    const [facet] = frontiers([...RUNS.slice(0, 1), { cca: 'rival', state: 'failed', utilisation: 1, queueing_ms: 1 }]);
    expect(facet!.series.map((s) => s.label)).toEqual(['BASE']);
  });
});
