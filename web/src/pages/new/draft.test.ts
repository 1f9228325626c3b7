import { beforeEach, describe, expect, it } from 'vitest';
import type { TraceRecord } from '#protocol/api';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import {
  automaticName,
  checkDraft,
  firstDraft,
  keepDraft,
  keptDraft,
  pathText,
  readJson,
  readNumbers,
  sortBuffers,
  toggled,
  traceRef,
  writeJson,
  variedBy,
} from './draft';

const cca = (id: string, more: Partial<CcaDescriptor> = {}): CcaDescriptor => ({
  id,
  label: id.toUpperCase(),
  family: 'test',
  kind: 'sender',
  baseline: false,
  summary: '',
  source: '',
  engines: ['virtual'],
  identity: { slot: 0, marker: 'circle', hollow: false },
  params: [],
  internals: [],
  ...more,
});

const look = (slot: number, marker: CcaDescriptor['identity']['marker']): Partial<CcaDescriptor> => ({
  identity: { slot, marker, hollow: false },
});

const listing: EngineListing = {
  engine_version: 'test',
  protocol: 1,
  ccas: [
    cca('a', look(1, 'square')),
    cca('b', look(2, 'triangle')),
    cca('ideal', { kind: 'ideal' }),
    cca('c', look(3, 'diamond')),
    cca('base', { baseline: true }),
    cca('plain', look(1, 'circle')),
    cca('own', { ...look(4, 'star'), own: { program: 'f', version: 1, newest: true } }),
  ],
  queues: [],
  unavailable: [],
};
const trace = (id: string, name: string): TraceRecord => ({ id, name }) as TraceRecord;

beforeEach(() => sessionStorage.clear());

describe('the form of a new experiment', () => {
  it('starts with the baseline and the first competitor of each next colour, never with a reference or what somebody wrote', () => {
    expect(firstDraft(listing).ccas.map((ref) => ref.id)).toEqual(['b', 'base', 'plain']);
  });

  it('cannot run before a trace is chosen, and says so', () => {
    expect(checkDraft(firstDraft(listing), 'x')).toEqual({
      ok: false,
      faults: [{ where: 'traces', detail: 'Choose at least one trace.' }],
    });
  });

  it('is named after what it compares', () => {
    const draft = { ...firstDraft(listing), traces: [{ trace: 'h1' }, { rate_mbps: 12 }] };
    expect(automaticName(draft, listing, [trace('h1', 'lte-drive')])).toBe('B, BASE, PLAIN on lte-drive, 12 Mbps');
    const many = { ...draft, traces: [1, 2, 3, 4].map((rate_mbps) => ({ rate_mbps })) };
    expect(automaticName(many, listing, [])).toBe('B, BASE, PLAIN on 4 traces');
    const ccas = [
      { id: 'b', params: {} },
      { id: 'b', params: { beta: 0.8 } },
      { id: 'plain', params: { beta: 0.8 } },
    ];
    expect(automaticName({ ...draft, ccas, traces: [{ rate_mbps: 12 }] }, listing, [])).toBe(
      'B, B (beta 0.8), PLAIN on 12 Mbps',
    );
  });

  it('goes through JSON and back unchanged', () => {
    const draft = {
      ...firstDraft(listing),
      traces: [{ trace: 'lte' }],
      repetitions: 3,
      loss: [0, 0.01],
      full_scores: true,
      vary: ['cca_random' as const],
    };
    const json = writeJson(draft, 'named');
    expect(json).not.toContain('sample_period_ms');
    expect(readJson(json)).toEqual({ draft: { ...draft, name: 'named' } });
  });

  it('begins each repetition elsewhere in a trace, until somebody chooses', () => {
    const usual = ['start_jitter', 'cca_random'];
    const all = ['start_jitter', 'trace_phase', 'cca_random'];
    const draft = { ...firstDraft(listing), traces: [{ trace: 'lte' }], repetitions: 3 };
    expect(variedBy(draft)).toEqual(all);
    expect(checkDraft(draft, 'x')).toMatchObject({ ok: true, spec: { vary: all } });
    expect(variedBy({ ...draft, repetitions: 1 })).toEqual(usual);
    expect(variedBy({ ...draft, traces: [{ rate_mbps: 12 }] })).toEqual(usual);
    expect(variedBy({ ...draft, engine: 'realtime' })).toEqual(usual);
    expect(variedBy({ ...draft, bdp_of: 'part' })).toEqual(usual);
    expect(variedBy({ ...draft, vary: [] })).toEqual([]);
    expect(readJson('{"traces":[{"trace":"lte"}],"ccas":[{"id":"a"}],"repetitions":3}')).toMatchObject({
      draft: { vary: usual },
    });
  });

  it('reports faults of the JSON at their paths', () => {
    const read = readJson(
      '{"traces":[{"rate_mbps":12}],"ccas":[{"id":"a"}],"flows":[{"stop_s":0.5,"start_s":2}],"bufers":[]}',
    );
    expect('faults' in read && read.faults).toEqual([
      { where: 'bufers', detail: 'There is no such field.' },
      { where: 'flows[0].stop_s', detail: 'stops at 0.5 s, before its start at 2 s' },
    ]);
    const union = readJson('{"traces":[{"trac":"lte"}],"ccas":[{"id":"a"}]}');
    expect('faults' in union && union.faults.map((fault) => fault.where)).toEqual([
      'traces[0].trace',
      'traces[0].trac',
    ]);
    const broken = readJson('{"traces":');
    expect('faults' in broken && broken.faults[0]?.where).toBe('');
  });

  it('writes paths as people do', () => {
    expect(pathText(['ccas', 2, 'params', 'beta'])).toBe('ccas[2].params.beta');
  });

  it('survives a reload, also while it is not complete', () => {
    const draft = { ...firstDraft(listing), repetitions: 7 };
    keepDraft(draft);
    expect(keptDraft()).toEqual(draft);
    sessionStorage.setItem('paceline.new-experiment', '{"traces":1}');
    expect(keptDraft()).toBeNull();
  });
});

describe('parts of the form', () => {
  it('adds and removes an item once', () => {
    const on = toggled([{ bdp: 1 }], { bdp: 5 }, true);
    expect(toggled(on, { bdp: 5 }, true)).toEqual([{ bdp: 1 }, { bdp: 5 }]);
    expect(toggled(on, { bdp: 1 }, false)).toEqual([{ bdp: 5 }]);
  });

  it('sorts limits by unit and size, infinite last', () => {
    expect(sortBuffers([{ infinite: true }, { ms: 5 }, { bdp: 10 }, { packets: 3 }, { bdp: 1 }])).toEqual([
      { bdp: 1 },
      { bdp: 10 },
      { packets: 3 },
      { ms: 5 },
      { infinite: true },
    ]);
  });

  it('names a trace by its name, or by its hash when the name is not unique', () => {
    const one = trace('h1', 'lte');
    expect(traceRef(one, [one])).toEqual({ trace: 'lte' });
    expect(traceRef(one, [one, trace('h2', 'lte')])).toEqual({ trace: 'h1' });
  });

  it('reads lists of numbers', () => {
    expect(readNumbers('20, 50 20', 0, 100)).toEqual([20, 50]);
    expect(readNumbers('20, x', 0, 100)).toBeNull();
    expect(readNumbers('200', 0, 100)).toBeNull();
    expect(readNumbers(' ', 0, 100)).toBeNull();
  });
});
