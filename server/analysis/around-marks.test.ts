import { describe, expect, test } from 'vitest';
import { aroundMarks } from '#analysis/around-marks';
import type { TimeSeries } from '#analysis/live-comparison';
import { AROUND } from '#analysis/sampled-around';
import { finish } from '#analysis/steps';
import type { RunSignal, RunStory } from '#analysis/trace-marks';
import type { RunManifest } from '#protocol/manifest';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';

const ROWS = 3000;
/** Rows of 10 ms: value by the middle of the row. */
const series = (value: (at_s: number) => number): TimeSeries => ({
  time: Array.from({ length: ROWS }, (_, i) => (i + 1) / 100),
  values: Array.from({ length: ROWS }, (_, i) => value((i + 0.5) / 100)),
  rows: ROWS,
});
const manifest = {
  duration_s: 30,
  sample_period_ms: 10,
  flows: [{ start_s: 0, stop_s: null }],
  forward: {},
} as unknown as RunManifest;

const HANDOVERS = [5, 12, 21].map((at_s) => ({ kind: 'handover' as const, at_s, lasts_s: 0.5 }));
/** For half a second after each nothing arrives, and for a second after it packets have waited 100 ms longer. */
const since = (at_s: number): number =>
  Math.min(...HANDOVERS.map((mark) => (at_s < mark.at_s ? Infinity : at_s - mark.at_s)));
const columns = new Map<string, TimeSeries>([
  [`${receiverStream(0)}/throughput_mbps`, series((t) => (since(t) < 0.5 ? 0 : 10))],
  [`${senderStream(0)}/latest_rtt_ms`, series((t) => (since(t) < 1 ? 140 : 40))],
  [`${FORWARD_LINK_STREAM}/sojourn_mean_ms`, series((t) => (since(t) < 1 ? 100 : 0))],
  [`${FORWARD_LINK_STREAM}/capacity_mbps`, series((t) => (since(t) < 0.5 ? 0 : 12))],
]);
const column = (stream: number, name: string): TimeSeries | null => columns.get(`${stream}/${name}`) ?? null;

describe('a run around its handovers', () => {
  const found = aroundMarks(manifest, HANDOVERS, column);
  const of = (quantity: string) => found?.series.find((one) => one.quantity === quantity);
  const at = (quantity: string, at_s: number) =>
    of(quantity)?.around.find((bin) => Math.abs(bin.at_s - at_s) < 0.051)?.value;

  test('is what it does from two seconds before them to four after, worked by hand', () => {
    expect(found?.of).toBe('handovers');
    expect(of('throughput')?.around).toHaveLength(60);
    expect(at('throughput', -0.05)?.mean).toBeCloseTo(10, 9);
    expect(at('throughput', 0.25)).toMatchObject({ n: 3 });
    expect(at('throughput', 0.25)?.mean).toBeCloseTo(0, 9);
    expect(at('throughput', 0.55)?.mean).toBeCloseTo(10, 9);
    expect(at('rtt', 0.95)?.mean).toBeCloseTo(140, 9);
    expect(at('rtt', 1.05)?.mean).toBeCloseTo(40, 9);
    expect(at('queueing', 0.25)?.mean).toBeCloseTo(100, 9);
  });

  test('has the second either side of them in one box, and all else in another', () => {
    const { near, rest } = of('throughput') ?? {};
    // 2 s around each of three marks in bins of 100 ms; a quarter of them are silent.
    expect(near?.n).toBe(60);
    expect(rest?.n).toBe(240);
    expect(near?.mean).toBeCloseTo(7.5, 9);
    expect(rest?.least).toBeCloseTo(10, 9);
    expect(rest?.most).toBeCloseTo(10, 9);
    expect(of('rtt')?.near?.mean).toBeCloseTo(90, 9);
    expect(of('rtt')?.rest?.mean).toBeCloseTo(40, 9);
  });

  test('is around the outages of the link where nobody tells of handovers, and nothing where there are too few', () => {
    const outages = aroundMarks(manifest, [], column);
    expect(outages?.of).toBe('outages');
    expect(outages?.marks.map(({ kind }) => kind)).toEqual(['outage', 'outage', 'outage']);
    expect(outages?.marks.map(({ at_s }) => Math.round(at_s * 10) / 10)).toEqual([5.1, 12.1, 21.1]);
    columns.set(
      `${FORWARD_LINK_STREAM}/capacity_mbps`,
      series(() => 12),
    );
    expect(aroundMarks(manifest, HANDOVERS.slice(0, 2), column)).toBeNull();
  });
});

test('as numbers for studies: near handovers over the inside of cells, and with the signal', () => {
  // Strong for the first half.
  const signal: RunSignal = { mean_db: 10, at: (at_s) => (at_s < 15 ? 20 : 0) };
  const worth = (story: RunStory) => finish(AROUND.steps(manifest, column, story)).values;
  const found = worth({ handovers: HANDOVERS, signal });
  // A quarter of the two seconds around each nothing arrives, and half of them RTTs are 140 ms instead of 40.
  expect(found['handover_throughput']).toBeCloseTo(0.75, 9);
  expect(found['handover_rtt']).toBeCloseTo(90 / 40, 9);
  // Of the six windows of 5 s the second, third and fifth carry 9 Mbps instead of 10: covariance -10, variances 600 and 1.5, all times 6.
  expect(found['signal_correlation']).toBeCloseTo(-10 / Math.sqrt(600 * 1.5), 9);
  // Of too few handovers nothing is told of them, and of a model that knows no signal nothing at all.
  expect(Object.keys(worth({ handovers: HANDOVERS.slice(1), signal }))).toEqual(['signal_correlation']);
  expect(worth({ handovers: HANDOVERS, signal: null })).toEqual({});
});
