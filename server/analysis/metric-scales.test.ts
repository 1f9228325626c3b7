import { describe, expect, it } from 'vitest';
import { METRIC_IDS } from '#analysis/metrics';
import { METRIC_SCALES, placeOn } from '#analysis/metric-scales';

const at = (metric: keyof typeof METRIC_SCALES, value: number, base_rtt_ms: number | null = 20) =>
  placeOn(METRIC_SCALES[metric], value, { base_rtt_ms, capacity_mbps: 50 });

describe('the colours of a heat map', () => {
  it('mean the same whatever else was measured: shares from none to all, delays in base RTTs', () => {
    expect([0, 0.5, 0.93, 1].map((value) => at('utilisation', value))).toEqual([0, 0.5, 0.93, 1]);
    expect([0.5, 1].map((value) => at('jain', value))).toEqual([0.5, 1]);
    expect([20, 200, 2000].map((value) => at('rtt_mean', value))).toEqual([0, 0.5, 1]);
    // Twice the base RTT, twice the delay: the same.
    expect(at('rtt_p95', 400, 40)).toBeCloseTo(at('rtt_p95', 200, 20)!, 12);
    expect(at('delay_inflation', 10)).toBeCloseTo(0.5, 12);
    expect(at('throughput', 25)).toBeCloseTo(0.5, 12);
    expect(at('loss', 0.01)).toBeCloseTo(0.5, 12);
  });

  it('end at the ends of the scale, and are not made up without what a value is held against', () => {
    expect([0, 15_000].map((value) => at('queueing_mean', value))).toEqual([0, 1]);
    expect(at('rtt_mean', 20, null)).toBeNull();
  });

  it('are declared for every metric, from less to more', () => {
    for (const id of METRIC_IDS) {
      const { ticks, kind } = METRIC_SCALES[id];
      expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
      expect(ticks.length).toBeGreaterThan(2);
      if (kind === 'log') expect(ticks[0]).toBeGreaterThan(0);
    }
  });
});
