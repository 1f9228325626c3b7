import { describe, expect, it } from 'vitest';
import type { Cell } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import { cellSpec, runCommand, specJson } from './command';

const spec = ExperimentSpec.parse({
  name: 'two by two',
  traces: [{ rate_mbps: 12 }, { rate_mbps: 48 }],
  ccas: [{ id: 'a' }, { id: 'b' }],
  buffers: [{ bdp: 1 }, { infinite: true }],
  repetitions: 3,
  full_scores: true,
});
const cell: Cell = {
  key: 'k',
  trace: { rate_mbps: 48 },
  trace_name: '48 Mbps',
  cca: { id: 'b', params: {} },
  buffer: { infinite: true },
  queue: { id: 'droptail', params: {} },
  base_rtt_ms: 20,
  loss: 0,
  limit_bytes: null,
};

describe('the command that repeats a run', () => {
  it('holds the cell of the run and nothing else', () => {
    const own = cellSpec({ spec }, cell, 'solo');
    expect(own).toMatchObject({
      traces: [{ rate_mbps: 48 }],
      ccas: [{ id: 'b' }],
      buffers: [{ infinite: true }],
      repetitions: 3,
    });
    expect(own.full_scores).toBe(false);
    expect(cellSpec({ spec }, cell, 'self_pair').full_scores).toBe(true);
  });

  it('has the value of a sweep and the transport that the cell has, or none', () => {
    const swept = ExperimentSpec.parse({
      ...spec,
      transports: ['tcp', 'quic'],
      sweep: { path: 'flows.0.extra_rtt_ms', values: [0, 40] },
    });
    const own = { ...cell, transport: 'quic' as const, sweep: { path: 'flows.0.extra_rtt_ms', value: 40 } };
    expect(cellSpec({ spec: swept }, own, 'solo')).toMatchObject({
      transports: ['quic'],
      sweep: { path: 'flows.0.extra_rtt_ms', values: [40] },
    });
    expect(Object.keys(cellSpec({ spec: swept }, cell, 'solo'))).not.toEqual(expect.arrayContaining(['sweep']));
    expect(Object.keys(cellSpec({ spec: swept }, cell, 'solo'))).not.toEqual(expect.arrayContaining(['transports']));
  });

  it('is a spec that the command line accepts', () => {
    const json = /<<'EOF'\n([\s\S]*)\nEOF\n$/.exec(runCommand(spec))?.[1] ?? '';
    expect(ExperimentSpec.parse(JSON.parse(json))).toEqual(spec);
    expect(json).toBe(specJson(spec));
  });
});
