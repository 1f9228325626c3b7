// What a run's samples come to, against series whose values can be worked out by hand.
import { describe, expect, test } from 'vitest';
import { cellSampled } from '#analysis/pooled-samples';
import type { ColumnOf } from '#analysis/run-dynamics';
import { FAMILIES, SAMPLED_VALUES } from '#analysis/sampled';
import { bucketOf, histogramOf } from '#analysis/sampled-rto';
import { finish } from '#analysis/steps';
import { manifestOf, type MadeFlow } from '#analysis/testing-flows';
import { seriesOf, type Pieces } from '#analysis/testing-rates';
import { NO_STORY } from '#analysis/trace-marks';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { RunSampled, SampleFamily } from '#protocol/sampled';

interface Made extends MadeFlow {
  readonly throughput: Pieces;
  readonly owd?: Pieces;
  readonly rtt?: Pieces;
  readonly inflight?: Pieces;
  readonly rto?: Pieces;
}

interface Around {
  readonly capacity?: Pieces;
  readonly period_ms?: number;
}

function sampled(family: SampleFamily, flows: readonly Made[], { capacity, period_ms = 10 }: Around = {}): RunSampled {
  const link = capacity ?? [[flows[0]?.throughput.at(-1)?.[0] ?? 0, 100]];
  const columns = new Map<string, Pieces | undefined>([
    [`${FORWARD_LINK_STREAM}/capacity_mbps`, link],
    [`${FORWARD_LINK_STREAM}/delivered_mbps`, flows.length === 1 ? flows[0]?.throughput : link],
  ]);
  for (const [flow, { throughput, owd, rtt, inflight, rto }] of flows.entries()) {
    columns.set(`${receiverStream(flow)}/throughput_mbps`, throughput);
    columns.set(`${receiverStream(flow)}/owd_mean_ms`, owd);
    columns.set(`${senderStream(flow)}/latest_rtt_ms`, rtt);
    columns.set(`${senderStream(flow)}/inflight_bytes`, inflight);
    columns.set(`${senderStream(flow)}/rto_ms`, rto);
  }
  const column: ColumnOf = (stream, name) => {
    const pieces = columns.get(`${stream}/${name}`);
    return pieces === undefined ? null : seriesOf(pieces, period_ms / 1000);
  };
  const manifest = manifestOf(flows, link.at(-1)?.[0] ?? 0, period_ms);
  for (const [stream, name] of FAMILIES[family].needs(manifest)) expect(columns.has(`${stream}/${name}`)).toBe(true);
  return finish(FAMILIES[family].steps(manifest, column, NO_STORY));
}

describe('the course in numbers', () => {
  const outage: Pieces = [
    [10, 100],
    [11, 0],
    [30, 100],
  ];

  test('the time to recover is that of the fall that took most', () => {
    const { values } = sampled(
      'course',
      [
        {
          throughput: [
            [10, 100],
            [11, 0],
            [14, 40],
            [20, 100],
            [20.5, 15],
            [21, 30],
            [30, 100],
          ],
        },
      ],
      {
        capacity: [
          [10, 100],
          [11, 0],
          [20, 100],
          [20.5, 15],
          [30, 100],
        ],
      },
    );
    // Half of the level is back when half of 100 ms is: at 11.05 s. Of windows of 200 ms, 40 ms apart, the first with a mean of 80 or more
    // begins 2.92 s later: at 13.97 s it has 30 ms at 40 and 170 ms at 100.
    expect(values['recovery_s']).toBeCloseTo(2.92, 6);
    expect(values['recovered']).toBe(1);
  });

  test('what never recovers has no time, and is counted', () => {
    const { values } = sampled(
      'course',
      [
        {
          throughput: [
            [10, 100],
            [11, 0],
            [30, 60],
          ],
        },
      ],
      { capacity: outage },
    );
    expect(values).not.toHaveProperty('recovery_s');
    expect(values['recovered']).toBe(0);
  });

  test('a link that never fails tells nothing of recovering, nor do samples longer than 100 ms', () => {
    expect(sampled('course', [{ throughput: [[30, 100]] }]).values).not.toHaveProperty('recovered');
    const coarse = sampled('course', [{ throughput: outage }], { capacity: outage, period_ms: 200 });
    expect(coarse.values).not.toHaveProperty('recovered');
    const fine = sampled('course', [{ throughput: outage }], { capacity: outage });
    expect(fine.values['recovered']).toBe(1);
  });

  test('Jain’s index of RTT stands beside that of throughput, over windows of as many base RTTs', () => {
    const { values } = sampled('course', [
      { throughput: [[30, 60]], rtt: [[30, 30]] },
      { throughput: [[30, 20]], rtt: [[30, 60]] },
    ]);
    // (60 + 20)^2 / (2 (60^2 + 20^2)), and (30 + 60)^2 / (2 (30^2 + 60^2)).
    expect(values['jain_throughput:100']).toBeCloseTo(0.8, 9);
    expect(values['jain_rtt:100']).toBeCloseTo(0.9, 9);
    // 20 ms are two samples: too few.
    expect(values).not.toHaveProperty('jain_rtt:1');
  });

  test('converged is the last, and only when all are', () => {
    const { values } = sampled('course', [
      { throughput: [[40, 50]] },
      {
        throughput: [
          [4, 10],
          [40, 50],
        ],
      },
    ]);
    expect(values['converged']).toBe(1);
    // Within a fifth of 50: 40 or more of windows of 200 ms, from 3.96 s on (40 ms at 10, 160 ms at 50 are 42).
    expect(values['converged_s']).toBeCloseTo(3.96, 6);
  });
});

describe('the spread over time', () => {
  test('is of windows of 100 ms: a quarter at 10 Mbps, three at 30', () => {
    const { values, sketches } = sampled('spread', [
      {
        throughput: [
          [5, 10],
          [20, 30],
        ],
        owd: [
          [5, 20],
          [20, 60],
        ],
      },
    ]);
    const rounded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(6))]));
    expect(rounded).toEqual({
      throughput_p05_mbps: 10,
      throughput_p25_mbps: 10,
      throughput_p50_mbps: 30,
      throughput_p75_mbps: 30,
      throughput_p95_mbps: 30,
      throughput_max_mbps: 30,
      delay_p05_ms: 20,
      delay_p25_ms: 20,
      delay_p50_ms: 60,
      delay_p75_ms: 60,
      delay_p95_ms: 60,
      delay_max_ms: 60,
    });
    expect(sketches['throughput']?.n).toBe(200);
  });

  test('adds flows, of which one joins late, and weighs their delays by what arrived', () => {
    const { values } = sampled('spread', [
      { throughput: [[20, 10]], owd: [[20, 20]] },
      {
        start_s: 10,
        throughput: [
          [10, NaN],
          [20, 30],
        ],
        owd: [
          [10, NaN],
          [20, 40],
        ],
      },
    ]);
    expect(values['throughput_p25_mbps']).toBeCloseTo(10, 6);
    expect(values['throughput_p75_mbps']).toBeCloseTo(40, 6);
    expect(values['delay_p25_ms']).toBeCloseTo(20, 6);
    // (10 x 20 + 30 x 40) / 40
    expect(values['delay_p75_ms']).toBeCloseTo(35, 6);
  });

  test('has no delay of what did not arrive', () => {
    const { values } = sampled('spread', [
      {
        throughput: [
          [10, 0],
          [20, 30],
        ],
        owd: [
          [10, NaN],
          [20, 40],
        ],
      },
    ]);
    expect(values['throughput_p25_mbps']).toBe(0);
    expect(values['delay_p05_ms']).toBeCloseTo(40, 6);
  });
});

describe('bytes in flight against RTT', () => {
  test('a window that grows with the RTT has points on a line', () => {
    const stairs = (scale: number): Pieces => [1, 2, 3, 4, 5].map((step) => [step, scale * step]);
    const { values, moments } = sampled('plane', [{ throughput: [[5, 8]], rtt: stairs(20), inflight: stairs(10_000) }]);
    expect(values['inflight_kb']).toBeCloseTo(30, 6);
    expect(values['inflight_p95_kb']).toBeCloseTo(50, 6);
    expect(values['inflight_rtt_correlation']).toBeCloseTo(1, 9);
    expect(moments['inflight:1 s']).toMatchObject({ n: 5 });
    expect(moments['inflight:1 s']?.x).toBeCloseTo(60, 6);
    expect(moments['inflight:10 ms']?.n).toBe(500);
    expect(moments['inflight:5 s']?.n).toBe(1);
    // All of it is 8 Mbps, whatever the RTT.
    expect(moments['throughput:1 s']?.yy).toBeCloseTo(0, 6);
  });

  test('points are no nearer than samples', () => {
    const { moments, values } = sampled(
      'plane',
      [{ throughput: [[20, 8]], rtt: [[20, 30]], inflight: [[20, 10_000]] }],
      { period_ms: 500 },
    );
    expect(Object.keys(moments)).toEqual(['inflight:1 s', 'throughput:1 s', 'inflight:5 s', 'throughput:5 s']);
    expect(values).toEqual({});
  });

  test('the throughput of all flows stands against the mean of their RTTs', () => {
    const { moments } = sampled('plane', [
      { throughput: [[20, 8]], rtt: [[20, 30]], inflight: [[20, 10_000]] },
      { throughput: [[20, 4]], rtt: [[20, 50]], inflight: [[20, 20_000]] },
    ]);
    expect(moments['throughput:5 s']?.x).toBeCloseTo(40, 6);
    expect(moments['throughput:5 s']?.y).toBeCloseTo(12, 6);
    // Of bytes in flight each flow has its own points.
    expect(moments['inflight:5 s']?.n).toBe(8);
    expect(moments['inflight:5 s']?.y).toBeCloseTo(15, 6);
  });
});

describe('RTO less RTT', () => {
  test('is of the samples in which both are known', () => {
    const { values, histograms } = sampled('rto', [
      {
        throughput: [[20, 8]],
        rtt: [
          [10, 50],
          [20, 150],
        ],
        rto: [
          [10, 200],
          [15, 250],
          [20, NaN],
        ],
      },
    ]);
    expect(values['rto_less_rtt_ms']).toBeCloseTo((150 * 1000 + 100 * 500) / 1500, 6);
    expect(values['rto_less_rtt_p95_ms']).toBeCloseTo(150, 6);
    expect(values['rto_less_rtt_max_ms']).toBeCloseTo(150, 6);
    // Above 64 ms bounds are 2 ms apart, above 128 ms 4 ms: 150 is within 152.
    expect(histograms['rto']).toEqual([100, 500, 152, 1000]);
  });

  test('a run of an earlier engine tells none', () => {
    expect(sampled('rto', [{ throughput: [[20, 8]], rtt: [[20, 50]] }])).toEqual({
      values: {},
      sketches: {},
      moments: {},
      histograms: {},
    });
  });

  test('a value is in the least bucket that holds it', () => {
    for (const ms of [0.25, 0.26, 0.5, 1, 1.1, 63.9, 64, 64.1, 1000]) {
      expect(bucketOf(ms)).toBeGreaterThanOrEqual(ms);
      expect(bucketOf(ms)).toBeLessThanOrEqual(Math.max(0.25, ms * (1 + 1 / 32)));
    }
    expect(histogramOf([-5, 0, 0.1, 1])).toEqual([0.25, 3, 1, 1]);
  });
});

describe('the runs of a cell', () => {
  const run = (values: RunSampled['values'], at: number[] = []): RunSampled => ({
    values,
    sketches: at.length === 0 ? {} : { throughput: { n: at.length, at } },
    moments: {},
    histograms: at.length === 0 ? {} : { rto: [1, at.length] },
  });

  test('are averaged where they tell something, and pooled window by window', () => {
    const cell = cellSampled('a', [
      run({ recovered: 1, recovery_s: 2 }, [1, 2, 3, 4]),
      run({ recovered: 0 }, [100, 200, 300, 400]),
      run({ recovered: 1, recovery_s: 4 }),
      null,
    ]);
    expect(cell).toMatchObject({ key: 'a', runs: 4, told: 3 });
    expect(cell.values['recovery_s']).toMatchObject({ mean: 3, n: 2, low: null });
    expect(cell.values['recovered']).toMatchObject({ n: 3 });
    expect(cell.values['recovered']?.mean).toBeCloseTo(2 / 3, 9);
    // The interval of a share stays within what a share can be.
    expect(cell.values['recovered']?.high).toBeLessThanOrEqual(1);
    expect(cell.boxes['throughput']).toEqual({ p05: 1, p25: 2, p50: 4, p75: 200, p95: 400, n: 8, runs: 2 });
    expect(cell.histograms['rto']).toEqual([1, 8]);
  });

  test('of no run are nothing, and never zero', () => {
    expect(cellSampled('a', [null])).toEqual({
      key: 'a',
      runs: 1,
      told: 0,
      values: {},
      boxes: {},
      ellipses: {},
      histograms: {},
    });
  });
});

test('every value has one name and one family', () => {
  const names = Object.values(FAMILIES).flatMap(({ values }) => Object.keys(values));
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(SAMPLED_VALUES).sort()).toEqual(names.toSorted());
});
