import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#analysis/identity';
import { expandSpec } from '#analysis/planner';
import { findTrace, LISTING, TRACES } from '#analysis/testing';
import type { TraceRecord } from '#protocol/api';
import type { PathElementManifest } from '#protocol/manifest';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';
import { readSearch } from '../ui/search';
import { durationKnob, linkKnobs, paramKnobs } from './knobs';
import { movedText } from './moved-text';
import { specCodec, specText, whatIfSearch } from './address';
import { firstCell } from './one-cell';
import { planOne, type Known } from './plan';
import { valueAt } from './scale';
import { tooMuch } from './too-much';

const traces = TRACES.map(({ id, name, mean_mbps, period_ms }) => ({
  ...{ id, name, info: { mean_mbps, period_ms }, origin: 'library', created_at: '', formerly: [] },
})) as unknown as TraceRecord[];
const known: Known = { listing: LISTING, traces, weights: [] };
const specOf = (spec: Partial<ExperimentSpecInput> = {}): ExperimentSpec =>
  ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'base' }], ...spec });

/** As the server names its runs. */
const ofServer = (spec: ExperimentSpec): Map<string, string> => {
  const expansion = expandSpec(spec, { engine: LISTING, findTrace });
  if (!expansion.ok) throw new Error(JSON.stringify(expansion.problems));
  return new Map([...expansion.runs].map((run) => [`${run.cell} ${run.role} ${run.repetition}`, run.canonical]));
};

describe('the one run of a what-if', () => {
  it('is none where one of its flows is of a plug-in, which only the server has', () => {
    const ccas = LISTING.ccas.map((cca) => (cca.id === 'rival' ? { ...cca, revision: '0123456789ab' } : cca));
    const at = { ...known, listing: { ...LISTING, ccas } };
    const solo = { role: 'solo', repetition: 0 } as const;
    expect(planOne(specOf({ ccas: [{ id: 'base' }] }), solo, at, new Map()).ok).toBe(true);
    const plan = planOne(specOf({ ccas: [{ id: 'rival' }] }), solo, at, new Map());
    expect(plan.ok ? '' : plan.problems[0]?.message).toMatch(/is a plug-in of the server: it runs there/);
  });

  it('is the run that the server would make: of each cell, role and repetition, also of a swept experiment', () => {
    const matrix = specOf({
      traces: [{ trace: 'lte.down' }, { rate_mbps: 24 }],
      ccas: [{ id: 'base' }, { id: 'rival' }],
      buffers: [{ bdp: 1 }, { bdp: 5 }],
      full_scores: true,
      repetitions: 2,
      vary: ['start_jitter', 'trace_phase', 'cca_random'],
      sweep: { path: 'ccas.base.beta', values: [0.5, 0.7] },
    });
    const wanted = ofServer(matrix);
    const expansion = expandSpec(matrix, { engine: LISTING, findTrace });
    if (!expansion.ok) throw new Error('refused');
    let compared = 0;
    for (const { key, trace, cca, buffer, queue, base_rtt_ms, loss, sweep } of expansion.cells) {
      for (const role of ['solo', 'self_pair', 'baseline_pair'] as const)
        for (const repetition of [0, 1]) {
          const { sweep: _, ...plain } = matrix;
          const cell = {
            ...{ ...plain, traces: [trace], ccas: [cca], buffers: [buffer], queues: [queue] },
            ...{ base_rtt_ms: [base_rtt_ms], loss: [loss], full_scores: role !== 'solo' },
            ...(sweep === undefined ? {} : { sweep: { path: sweep.path, values: [sweep.value] } }),
          };
          const search = whatIfSearch(cell, { role, repetition });
          const { values } = readSearch({ spec: { codec: specCodec, initial: null } }, search);
          const spec = firstCell(values.spec as unknown as ExperimentSpec, LISTING);
          const plan = planOne(spec, { role, repetition }, known, new Map());
          if (!plan.ok) throw new Error(JSON.stringify(plan.problems));
          expect(plan.run.canonical).toBe(wanted.get(`${key} ${role} ${repetition}`));
          compared++;
        }
    }
    expect(compared).toBeGreaterThan(40);
  });

  it('says what is wrong with what cannot be run', () => {
    const lost = planOne(specOf({ traces: [{ trace: 'nowhere' }] }), { role: 'solo', repetition: 0 }, known, new Map());
    expect(lost).toMatchObject({ ok: false, problems: [{ path: ['traces', 0, 'trace'] }] });
    const none = planOne(specOf({ vary: [] }), { role: 'solo', repetition: 3 }, known, new Map());
    expect(none).toMatchObject({ ok: false, problems: [{ path: ['repetitions'] }] });
  });
});

describe('what is left to the server', () => {
  const problems = (spec: Partial<ExperimentSpecInput>, mean_mbps: number, further?: number) => {
    const plan = planOne(specOf(spec), { role: 'solo', repetition: 0 }, known, new Map());
    if (!plan.ok) return null;
    const { forward, ...manifest } = plan.run.manifest;
    const path: PathElementManifest[] =
      further === undefined ? [] : [{ element: 'bottleneck', capacity: { kind: 'constant', rate_mbps: further } }];
    return tooMuch({ ...manifest, forward: { ...forward, path } }, () => mean_mbps).map(({ path: at }) => at[0]);
  };

  it('is what would keep a page busy for long, or fill its memory', () => {
    expect(problems({ duration_s: 120 }, 1000)).toEqual([]);
    expect(problems({ duration_s: 86_400 }, 100)).toEqual(['duration_s', 'sample_period_ms']);
    expect(problems({ duration_s: 600, sample_period_ms: 1 }, 1)).toEqual(['sample_period_ms']);
    // Flows may join behind the link, where another one is faster.
    expect(problems({ duration_s: 60 }, 1, 100_000)).toEqual(['duration_s']);
  });
});

describe('the address of a what-if', () => {
  const read = (text: string) => readSearch({ spec: { codec: specCodec, initial: null } }, { spec: text });

  it('is the spec, and what no spec is says so', () => {
    const spec = specOf({ base_rtt_ms: [80], trace_from_s: 12 });
    expect(read(specText(spec)).values.spec).toEqual(spec);
    for (const text of ['{', '[]', '{"traces":[]}', '{"__proto__":{"x":1}}', '"x"', '1e999'])
      expect(read(text).misread).toEqual([{ key: 'spec', value: text }]);
  });

  it('is of one cell in virtual time, whatever it says', () => {
    const several = specOf({ base_rtt_ms: [10, 20], ccas: [{ id: 'rival' }, { id: 'base' }], engine: 'realtime' });
    expect(firstCell(several, LISTING)).toEqual(specOf({ base_rtt_ms: [10], ccas: [{ id: 'rival' }] }));
  });
});

describe('what a hand can move', () => {
  it('is read from the spec and written into it, and nothing else changes', () => {
    const spec = specOf({ buffers: [{ packets: 50 }], traces: [{ rate_mbps: 10 }], loss: [0.01] });
    const knobs = [...linkKnobs(spec, LISTING, null), durationKnob(spec)];
    expect(knobs.map(({ id, value, text }) => [id, text(value)])).toEqual([
      ['rate', '10\u00a0Mbps'],
      ['rtt', '20\u00a0ms'],
      ['loss', '1\u00a0%'],
      ['limit/packets', '50 pkts'],
      ['duration', '60\u00a0s'],
    ]);
    for (const { written, value, scale } of knobs) {
      expect(canonicalJson(written(value))).toBe(canonicalJson(spec));
      expect(ExperimentSpec.safeParse(written(valueAt(scale, 0))).success).toBe(true);
      expect(ExperimentSpec.safeParse(written(scale.max)).success).toBe(true);
    }
  });

  it('has no limit where the discipline has none, and a place only in a trace', () => {
    const ids = (spec: ExperimentSpec, period: number | null) => linkKnobs(spec, LISTING, period).map(({ id }) => id);
    expect(ids(specOf({ queues: [{ id: 'aqm' }] }), 100_000)).toEqual(['place', 'rtt', 'loss']);
    expect(ids(specOf({ buffers: [{ infinite: true }], traces: [{ rate_mbps: 1 }] }), null)).toEqual([
      'rate',
      'rtt',
      'loss',
    ]);
  });

  it('are the parameters that are numbers, and what is as usual is not written', () => {
    const { params } = LISTING.ccas[0]!;
    const spec = specOf();
    const knobs = paramKnobs('cca/base', params, { beta: 0.5 }, (values) => ({
      ...spec,
      ccas: [{ id: 'base', params: values }],
    }));
    expect(knobs.map(({ id, value }) => [id, value])).toEqual([
      ['cca/base/beta', 0.5],
      ['cca/base/rounds', 3],
    ]);
    expect(knobs[1]?.written(4).ccas[0]?.params).toEqual({ beta: 0.5, rounds: 4 });
    expect(knobs[0]?.written(0.7).ccas[0]?.params).toEqual({});
  });
});

describe('what was moved, in words', () => {
  const spec = specOf({ buffers: [{ bdp: 1 }] });
  it.each([
    [specOf({ base_rtt_ms: [40] }), 'Base RTT 20 ms → 40 ms'],
    [specOf({ buffers: [{ bdp: 5 }], loss: [0.1] }), 'Random loss 0 % → 10 %, Queue limit 1 BDP → 5 BDP'],
    [specOf({ ccas: [{ id: 'rival' }] }), 'CCA BASE → RIVAL'],
    [specOf({ traces: [{ rate_mbps: 20 }] }), 'Capacity lte.down → 20.0 Mbps'],
    [specOf({ trace_from_s: 30 }), 'Begins in the trace at 0 s → 30 s'],
    [specOf({ flows: [{}, {}] }), 'another set of flows'],
    [spec, ''],
  ])('%#', (now, text) => {
    expect(movedText(spec, now, LISTING).replaceAll(/[\u00a0\u00a0]/g, ' ')).toBe(text);
  });
});
