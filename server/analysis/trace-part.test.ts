import { describe, expect, test } from 'vitest';
import { meanOf, tracePart, windowsOf } from '#analysis/trace-part';

describe('the part of a trace that runs', () => {
  test('is its beginning, unless the run is as long or begins elsewhere each time', () => {
    const recording = 780_000;
    expect(tracePart({ duration_s: 60, vary: [] }, recording)).toEqual({
      kind: 'stretch',
      from_s: 0,
      seconds: 60,
      from: 0,
      share: 60 / 780,
    });
    expect(tracePart({ duration_s: 60, vary: ['trace_phase'] }, recording)).toEqual({ kind: 'scattered', seconds: 60 });
    expect(tracePart({ duration_s: 780, vary: ['trace_phase'] }, recording)).toEqual({ kind: 'whole' });
    expect(tracePart({ duration_s: 900, vary: [] }, recording)).toEqual({ kind: 'whole' });
  });
});

describe('the part that begins elsewhere', () => {
  test('is told by its place, which is within the trace', () => {
    const part = { kind: 'stretch', from_s: 20, seconds: 10, from: 0.2, share: 0.1 };
    expect(tracePart({ duration_s: 10, vary: [], trace_from_s: 20 }, 100_000)).toEqual(part);
    expect(tracePart({ duration_s: 10, vary: [], trace_from_s: 120 }, 100_000)).toEqual(part);
  });

  test('goes on at the beginning where it passes the end, and its mean is of both pieces', () => {
    expect(windowsOf({ from_s: 20, seconds: 10 }, 100_000)).toEqual([{ from_ms: 20_000, to_ms: 30_000 }]);
    const [end, beginning] = windowsOf({ from_s: 97, seconds: 10 }, 100_000);
    expect([end, beginning]).toEqual([
      { from_ms: 97_000, to_ms: 100_000 },
      { from_ms: 0, to_ms: 7000 },
    ]);
    expect(
      meanOf([
        { window: end!, mean: 20 },
        { window: beginning!, mean: 10 },
      ]),
    ).toBeCloseTo(13, 12);
    expect(meanOf([{ window: end!, mean: 0.1 + 0.2 }])).toBe(0.1 + 0.2);
  });
});
