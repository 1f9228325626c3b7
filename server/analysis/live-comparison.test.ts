import { describe, expect, it } from 'vitest';
import { compareLive as compare, meansOver, verdictOf, type TimeSeries } from '#analysis/live-comparison';
import { coarsen, type Span } from '#analysis/live-intervals';
import { generator } from '#analysis/seeds';
import { madeMeasurement } from '#analysis/testing-iperf3';

/** A run's rows of 10 ms. */
const series = (seconds: number, value: (t: number) => number): TimeSeries => {
  const rows = Math.round(seconds * 100);
  const time = Float64Array.from({ length: rows }, (_, i) => (i + 1) / 100);
  return { time, values: Float32Array.from(time, (t) => value(t - 0.005)), rows };
};
const spans = (n: number, length: number) =>
  Array.from({ length: n }, (_, i) => ({ start_s: i * length, end_s: (i + 1) * length }));

const noise = (seed: number, mean: number, sd: number, n: number): number[] => {
  const random = generator(seed);
  return Array.from({ length: n }, () => mean + sd * (random() + random() + random() - 1.5) * 2);
};
const measured = (mbps: readonly number[]) => madeMeasurement({ mbps: mbps.map((rate) => (rate * 1448) / 1500) });
/** Rates that are known to a packet. */
const compareLive = (intervals: readonly Span[], run: TimeSeries, offset_s: number) =>
  compare({ intervals, interval_s: 0.1, joined: 1, resolution_mbps: 0.12, side: 'receiver' }, run, offset_s);
const rowsOf = (mbps: readonly number[]): TimeSeries =>
  series(mbps.length / 10 + 0.1, (t) => mbps[Math.min(mbps.length - 1, Math.floor(t * 10))] ?? 0);

describe('a run over a measurement’s intervals', () => {
  it('has the exact mean of each, also when rows lie across their edges', () => {
    const ramp = series(2, (t) => t);
    expect(meansOver(ramp, spans(4, 0.5), 0)).toEqual(
      [0.25, 0.75, 1.25, 1.75].map((v) => expect.closeTo(v, 5) as number),
    );
    expect(meansOver(ramp, [{ start_s: 0.105, end_s: 0.125 }], 0)[0]).toBeCloseTo(0.115, 5);
  });

  it('moves with the offset, and is unknown where the run is not', () => {
    const ramp = series(2, (t) => t);
    expect(meansOver(ramp, spans(4, 0.5), 1)).toEqual([expect.closeTo(1.25, 5), expect.closeTo(1.75, 5), null, null]);
    expect(meansOver(ramp, spans(4, 0.5), -0.5)).toEqual([
      null,
      expect.closeTo(0.25, 5),
      expect.closeTo(0.75, 5),
      expect.closeTo(1.25, 5),
    ]);
    expect(meansOver({ time: [], values: [], rows: 0 }, spans(1, 1), 0)).toEqual([null]);
  });

  it('passes over rows whose value is not known', () => {
    expect(
      meansOver(
        series(1, (t) => (t < 0.2 ? Number.NaN : 4)),
        spans(1, 1),
        0,
      ),
    ).toEqual([4]);
    expect(
      meansOver(
        series(1, (t) => (t < 0.8 ? Number.NaN : 4)),
        spans(1, 1),
        0,
      ),
    ).toEqual([null]);
  });
});

describe('the comparison', () => {
  it('finds runs of the same distribution similar and tells how far their shares of time differ', () => {
    const comparison = compareLive(measured(noise(1, 50, 5, 300)).total, rowsOf(noise(2, 50, 5, 300)), 0);
    if (comparison === null) throw new Error('there are intervals enough');
    expect(comparison.live.values).toHaveLength(300);
    expect(comparison.live.mean).toBeCloseTo(50, -0.5);
    expect(verdictOf(comparison)).toMatchObject({
      similar: true,
      sentence: expect.stringMatching(
        /^Similar: 300 intervals .* by at most [\d.]+ % beyond the 0\.12 Mbps .*, the means by [\d.]+ %/,
      ) as string,
    });
  });

  it('tells different means and different spreads apart', () => {
    for (const other of [noise(2, 55, 5, 300), noise(2, 50, 15, 300)]) {
      const comparison = compareLive(measured(noise(1, 50, 5, 300)).total, rowsOf(other), 0);
      if (comparison === null) throw new Error('there are intervals enough');
      expect(comparison.pIndependent).toBeLessThan(0.001);
      expect(verdictOf(comparison)).toMatchObject({
        similar: false,
        sentence: expect.stringContaining('Different: ') as string,
      });
    }
    const faster = compareLive(measured(noise(1, 50, 5, 300)).total, rowsOf(noise(2, 40, 5, 300)), 0);
    expect(faster?.mannWhitney.share).toBeGreaterThan(0.9);
  });

  it('says how far the means lie apart, for a difference that is certain may be tiny', () => {
    const steady = (mbps: number): number[] => noise(4, mbps, 0.01, 100);
    const comparison = compareLive(measured(steady(20)).total, rowsOf(steady(20.3)), 0);
    if (comparison === null) throw new Error('there are intervals enough');
    const { similar, sentence } = verdictOf(comparison);
    expect(similar).toBe(false);
    expect(sentence).toMatch(/^Different: 100 % .* the means lie 1\.5 % apart\.$/);
  });

  it('does not take slow waves for many independent values', () => {
    const wave = (phase: number): number[] => Array.from({ length: 300 }, (_, i) => 50 + 10 * Math.sin(i / 40 + phase));
    const comparison = compareLive(measured(wave(0)).total, rowsOf(wave(1)), 0);
    expect(comparison?.kolmogorovSmirnov.p).toBeLessThan(0.05);
    expect(comparison?.pIndependent).toBeGreaterThan(0.05);
  });

  it('says nothing when too little lies within the run', () => {
    expect(compareLive(measured(noise(1, 50, 5, 300)).total, rowsOf(noise(2, 50, 5, 300)), 29.7)).toBeNull();
  });
});

describe('longer intervals', () => {
  it('carry the same bytes over the same time', () => {
    const { total } = measured(noise(1, 50, 10, 95));
    const joined = coarsen(total, 1);
    expect(joined).toHaveLength(9);
    expect(joined[8]?.end_s).toBeCloseTo(9, 2);
    const bytes = (spans: readonly { start_s: number; end_s: number; throughput_mbps: number }[]): number =>
      spans.reduce((all, one) => all + one.throughput_mbps * (one.end_s - one.start_s), 0);
    expect(bytes(joined)).toBeCloseTo(bytes(total.slice(0, 90)), 1);
    expect(coarsen(total, 0.1).map((one) => one.throughput_mbps)).toEqual(
      total.map((one) => expect.closeTo(one.throughput_mbps, 9) as number),
    );
  });

  it('are not joined across a hole', () => {
    const { total } = measured(noise(1, 50, 10, 40));
    const holed = total.filter((_, i) => i < 12 || i > 20);
    expect(coarsen(holed, 1).map(({ start_s }) => Math.round(start_s * 10))).toEqual([0, 21]);
  });

  it('find a rough measurement of a smooth rate similar', () => {
    const rough = Array.from({ length: 400 }, (_, i) => (i % 5 === 0 ? 46 : 51) + (noise(5, 0, 1, 400)[i] ?? 0));
    const { total } = measured(rough);
    const smooth = rowsOf(noise(6, 50, 0.5, 400));
    const tell = (spans: Parameters<typeof compareLive>[0]): number =>
      compareLive(spans, smooth, 0)?.kolmogorovSmirnov.d ?? 0;
    expect(tell(coarsen(total, 2))).toBeLessThan(0.75 * tell(total));
  });
});
