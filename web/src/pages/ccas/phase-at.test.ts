import { describe, expect, it } from 'vitest';
import type { StreamInfo } from '#protocol/control';
import { senderStream } from '#protocol/columns';
import type { RunSamples, StreamData } from '../../plots/data';
import { phaseAt, phaseVariable } from './phase-at';

const number = { name: 'rate', label: 'rate', unit: 'Mbps', states: [] };
const state = { name: 'state', label: 'state', unit: '', states: ['start', 'drain'] };

function samples(values: readonly number[]): RunSamples {
  const info: StreamInfo = { stream: senderStream(0), kind: 'sender', flow: 0, cca: 'x', columns: [] };
  const stream: StreamData = {
    info,
    rows: values.length,
    time: Float64Array.from(values, (_, i) => (i + 1) / 10),
    column: (name) => (name === 'state' ? Float32Array.from(values) : undefined),
  };
  return {
    streams: new Map([[senderStream(0), stream]]),
    events: [],
    timeS: values.length / 10,
    complete: true,
    subscribe: () => () => undefined,
  };
}

describe('the phase at a time', () => {
  it('is the first variable that has states', () => {
    expect(phaseVariable({ internals: [number, state] })).toBe(state);
    expect(phaseVariable({ internals: [number] })).toBeUndefined();
  });

  it('is that of the sample whose time it is in', () => {
    const run = samples([0, 0, 1, NaN]);
    const at = (timeS: number): string | null => phaseAt(run, state, timeS);
    expect([0, 0.1, 0.2, 0.201, 0.3].map(at)).toEqual(['start', 'start', 'start', 'drain', 'drain']);
    expect([0.4, 9].map(at)).toEqual([null, null]);
  });

  it('is none where nothing was sampled', () => {
    expect(phaseAt(samples([]), state, 1)).toBeNull();
    expect(phaseAt(samples([0]), { ...state, name: 'mode' }, 0)).toBeNull();
  });
});
