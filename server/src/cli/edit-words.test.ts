import { describe, expect, it } from 'vitest';
import { milliseconds, STEP_WORDS, TO_THE_END } from './edit-words.ts';

const step = (option: string, word: string): unknown => STEP_WORDS[option]?.(word);

describe('steps of an edit as words', () => {
  it('times have units', () => {
    expect(['0', '200ms', '1.5s', '2min', '1h'].map((word) => milliseconds(word, '--loop'))).toEqual([
      0, 200, 1500, 120_000, 3_600_000,
    ]);
    for (const word of ['10', '', 's', '-1s', '1,5s', '1d'])
      expect(() => milliseconds(word, '--loop')).toThrow(`--loop: ${JSON.stringify(word)} is not a time`);
  });

  it('parts may begin at the beginning and go on to the end', () => {
    expect(step('cut', '10s..40s')).toEqual({ op: 'cut', from_ms: 10_000, to_ms: 40_000 });
    expect(step('remove', '..500ms')).toEqual({ op: 'remove', from_ms: 0, to_ms: 500 });
    expect(step('cut', '1min..')).toEqual({ op: 'cut', from_ms: 60_000, to_ms: TO_THE_END });
    for (const word of ['10s', '1s..2s..3s']) expect(() => step('cut', word)).toThrow('is not a part of a trace');
  });

  it('outages, handovers and factors', () => {
    expect(step('outage', '5s+2s')).toEqual({ op: 'outage', at_ms: 5000, duration_ms: 2000, mode: 'overwrite' });
    expect(step('outage', '0+20ms:insert')).toMatchObject({ at_ms: 0, duration_ms: 20, mode: 'insert' });
    expect(step('handover', '5s')).toEqual({ op: 'handover', at_ms: 5000, interruption_ms: 30, ramp_ms: 0 });
    expect(step('handover', '5s+40ms+300ms')).toMatchObject({ interruption_ms: 40, ramp_ms: 300 });
    expect([step('scale', '0.5'), step('scale', '50%')]).toEqual(Array(2).fill({ op: 'scale', factor: 0.5 }));
    expect(() => step('outage', '5s')).toThrow('is not an outage');
    expect(() => step('outage', '5s+2s:drop')).toThrow('neither insert nor overwrite');
    expect(() => step('handover', '1s+1s+1s+1s')).toThrow('is not a handover');
    for (const word of ['', '0', '-1', 'half']) expect(() => step('scale', word)).toThrow('is not a factor');
  });
});
