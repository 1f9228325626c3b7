import { describe, expect, it } from 'vitest';
import { SpeedMeter } from './speed.ts';

describe('the speed meter', () => {
  it('learns the pace of the engine and the overhead of a run', () => {
    const meter = new SpeedMeter(null);
    for (let i = 0; i < 40; i++) {
      meter.learn(1_000, 0.05);
      meter.learn(8_000_000, 0.05 + 8_000_000 / 1e7);
    }
    expect(meter.state.packets_per_s).toBeGreaterThan(0.9e7);
    expect(meter.state.packets_per_s).toBeLessThan(1.1e7);
    expect(meter.seconds(1_000)).toBeCloseTo(0.05, 2);
    expect(meter.seconds(20_000_000)).toBeCloseTo(2.05, 0);
  });

  it('never expects a run to take no time, however odd a measurement', () => {
    const meter = new SpeedMeter({ packets_per_s: 1e6, overhead_s: 5 });
    for (let i = 0; i < 100; i++) meter.learn(1e7, 0.001);
    expect(meter.seconds(1e7)).toBeGreaterThan(0);
    expect(Number.isFinite(meter.seconds(1e7))).toBe(true);
  });

  it('goes on from what was remembered', () => {
    expect(new SpeedMeter({ packets_per_s: 5, overhead_s: 1 }).seconds(10)).toBe(3);
  });
});
