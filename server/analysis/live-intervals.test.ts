import { describe, expect, it } from 'vitest';
import { compareLive, verdictOf, type LiveComparison, type TimeSeries } from '#analysis/live-comparison';
import { comparedIntervals, countedOf } from '#analysis/live-intervals';
import { madeMeasurement, type MadeReport } from '#analysis/testing-iperf3';
import { LIVE_LINK as link } from '#analysis/testing-live-link';
import type { Measurement } from '#protocol/measurement';

const measured = (made: MadeReport): Measurement => madeMeasurement(made);
const payload = (bytes: readonly number[]): number[] => bytes.map((count) => (count * 8) / 1e5);
const sender = measured({ mbps: payload(link.sender_bytes), cwnd_bytes: (i) => link.cwnd_bytes[i] ?? 0 });
const receiver = measured({ mbps: payload(link.receiver_bytes), sender: false });
const rowsOf = (mbps: readonly number[]): TimeSeries => ({
  time: mbps.map((_, i) => (i + 1) / 10),
  values: mbps,
  rows: mbps.length,
});
const against = (measurement: Measurement, mbps: readonly number[], by?: number): LiveComparison => {
  const comparison = compareLive(comparedIntervals(measurement, by), rowsOf([...mbps, 48]), 0);
  if (comparison === null) throw new Error('there are intervals enough');
  return comparison;
};

describe('a real connection over 48 Mbps against the same link', () => {
  it('is as alike by its sender, whose bursts are 0 and 65 Mbps, as by its receiver', () => {
    expect(new Set(sender.total.slice(50, 80).map((one) => Math.round(one.throughput_mbps / 5) * 5))).toEqual(
      new Set([0, 65]),
    );
    const bySender = against(sender, link.run_mbps);
    expect(bySender.interval_s).toBeCloseTo(2, 2);
    expect(verdictOf(bySender)).toMatchObject({ similar: true, decided: true });
    const byReceiver = against(receiver, link.run_mbps);
    expect(byReceiver.interval_s).toBeCloseTo(0.1, 2);
    expect(verdictOf(byReceiver)).toMatchObject({ similar: true, decided: true });
    expect(verdictOf(against(sender, link.run_mbps, 0.1)).similar).toBe(true);
  });

  it('is told from another link by both, the receiver’s intervals seeing more', () => {
    const slower = (share: number): number[] => link.run_mbps.map((rate) => rate * share);
    expect(verdictOf(against(receiver, slower(0.97))).similar).toBe(false);
    expect(verdictOf(against(sender, slower(0.97))).similar).toBe(true);
    expect(verdictOf(against(sender, slower(0.5))).similar).toBe(false);
  });

  it('is told from one of twice the rate by a short report of its sender', () => {
    const short = measured({ mbps: Array.from({ length: 100 }, (_, i) => 6 + (i % 5) / 10), cwnd_bytes: () => 75_000 });
    expect(verdictOf(against(short, Array<number>(100).fill(12))).similar).toBe(false);
  });

  it('is compared by what the receiver counted where both are known', () => {
    const both: Measurement = { ...sender, received: receiver.total };
    expect(countedOf(both)).toMatchObject({ side: 'receiver', intervals: receiver.total });
    expect(comparedIntervals(both)).toEqual(comparedIntervals(receiver));
  });
});

describe('the intervals of a comparison', () => {
  const rate = (seconds: number, mbps: number): number[] => Array.from({ length: seconds * 10 }, () => mbps);

  it('grow until what is ahead is 5 % of the rate, as long as ten are left', () => {
    const long = comparedIntervals(measured({ mbps: rate(400, 48), cwnd_bytes: () => 600_000 }));
    expect(long.interval_s).toBeGreaterThan(2);
    expect(long.interval_s).toBeLessThan(3);
    expect(long.resolution_mbps).toBeLessThan(0.05 * 50);
    const short = comparedIntervals(measured({ mbps: rate(10, 48), cwnd_bytes: () => 600_000 }));
    expect([short.joined, short.intervals.length]).toEqual([10, 10]);
    expect(short.resolution_mbps).toBeGreaterThan(5);
  });

  it('of a receiver are its own, but where it counts whole blocks', () => {
    const fine = comparedIntervals(measured({ mbps: rate(60, 48), sender: false }));
    expect([fine.joined, fine.resolution_mbps < 0.3]).toEqual([1, true]);
    const blocks = rate(60, 0).map((_, i) => ((i % 5 === 0 ? 4 : 5) * 131_072 * 8) / 100_030);
    const coarse = comparedIntervals(measured({ mbps: blocks, sender: false }));
    expect(coarse.joined).toBe(5);
  });

  it('are what is asked for, and never none', () => {
    const asked = comparedIntervals(measured({ mbps: rate(60, 48) }), 1);
    expect([asked.joined, asked.intervals.length]).toEqual([10, 60]);
    expect(comparedIntervals(measured({ mbps: rate(60, 48) }), 0).intervals).toHaveLength(600);
    expect(comparedIntervals(measured({ mbps: rate(60, 0), cwnd_bytes: () => 0 })).intervals).toHaveLength(10);
  });
});
