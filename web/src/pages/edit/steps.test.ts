import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EditStep } from '#protocol/edit';
import { finished, inWords, moved, OPERATIONS, OPS, spanOf, stepsText, withSpan, withValue } from './steps.ts';

const CUT: EditStep = { op: 'cut', from_ms: 1000, to_ms: 4000 };
const SCALE: EditStep = { op: 'scale', factor: 0.5 };
const OUTAGE: EditStep = { op: 'outage', at_ms: 500, duration_ms: 200, mode: 'insert' };

describe('the steps of an edit', () => {
  it('are fresh for the trace they are added to, and take what is selected on the time axis', () => {
    for (const op of OPS) {
      if (op === 'concatenate') continue;
      for (const length of [1, 2, 9, 60_000])
        for (const span of [null, [0, 1], [3000, 90_000]] as const)
          expect(EditStep.safeParse(OPERATIONS[op].fresh(length, span))).toMatchObject({ success: true });
    }
    expect(OPERATIONS.cut.fresh(9000, null)).toEqual({ op: 'cut', from_ms: 3000, to_ms: 6000 });
    expect(OPERATIONS.cut.fresh(9000, [8000, 12_000])).toEqual({ op: 'cut', from_ms: 8000, to_ms: 9000 });
    expect(OPERATIONS.outage.fresh(9000, [500, 700])).toEqual({ ...OUTAGE, mode: 'overwrite' });
  });

  it('stand in the address and come back, also with a trace that is still to be chosen', () => {
    const steps = [CUT, SCALE, OUTAGE, { op: 'reverse' }, { op: 'concatenate', trace: '' }] as EditStep[];
    const text = z.encode(stepsText, steps);
    expect(text).toBe('cut:1000,4000_scale:0.5_outage:500,200,insert_reverse_concatenate:');
    expect(z.decode(stepsText, text)).toEqual(steps);
    expect(z.decode(stepsText, '')).toEqual([]);
    for (const wrong of ['melt:1', 'cut:1', 'cut:1,x', 'cut:1,', 'scale:-1', 'outage:1,2,drop'])
      expect(stepsText.safeParse(wrong).success, wrong).toBe(false);
  });

  it('are asked of the server up to the first that is not filled in', () => {
    expect(finished([CUT, { op: 'concatenate', trace: '' }, SCALE])).toEqual([CUT]);
    expect(finished([CUT, withValue(SCALE, 'factor', 0)])).toEqual([CUT]);
    expect(finished([CUT, SCALE])).toEqual([CUT, SCALE]);
  });

  it('are moved, and moving over either end changes nothing', () => {
    expect(moved([CUT, SCALE, OUTAGE], 0, 2)).toEqual([SCALE, OUTAGE, CUT]);
    expect(moved([CUT, SCALE], 0, -1)).toEqual([CUT, SCALE]);
    expect(moved([CUT, SCALE], 1, 2)).toEqual([CUT, SCALE]);
  });

  it('show their span on the time axis, and take one from there', () => {
    expect([CUT, OUTAGE, SCALE].map(spanOf)).toEqual([[1000, 4000], [500, 700], null]);
    expect(withSpan(CUT, [5, 8])).toEqual({ op: 'cut', from_ms: 5, to_ms: 8 });
    expect(withSpan(OUTAGE, [5, 8])).toEqual({ ...OUTAGE, at_ms: 5, duration_ms: 3 });
    expect(withSpan({ op: 'handover', at_ms: 0, interruption_ms: 30, ramp_ms: 0 }, [5, 8])).toMatchObject({ at_ms: 5 });
    expect(withSpan(SCALE, [5, 8])).toEqual(SCALE);
  });

  it('are told in words', () => {
    expect([CUT, SCALE, OUTAGE].map((step) => inWords(step, String))).toEqual([
      'keep 1 s … 4 s',
      'times 0.5',
      'outage of 0.2 s at 0.5 s, inserted',
    ]);
  });
});
