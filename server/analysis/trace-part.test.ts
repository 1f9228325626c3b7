import { describe, expect, test } from 'vitest';
import { tracePart } from '#analysis/trace-part';

describe('the part of a trace that runs', () => {
  test('is its beginning, unless the run is as long or begins elsewhere each time', () => {
    const recording = 780_000;
    expect(tracePart({ duration_s: 60, vary: [] }, recording)).toEqual({
      kind: 'beginning',
      seconds: 60,
      share: 60 / 780,
    });
    expect(tracePart({ duration_s: 60, vary: ['trace_phase'] }, recording)).toEqual({ kind: 'scattered', seconds: 60 });
    expect(tracePart({ duration_s: 780, vary: ['trace_phase'] }, recording)).toEqual({ kind: 'whole' });
    expect(tracePart({ duration_s: 900, vary: [] }, recording)).toEqual({ kind: 'whole' });
  });
});
