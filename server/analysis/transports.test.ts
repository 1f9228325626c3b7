// The transport as an axis, and CCAs that bring a transport or a discipline along.
import { describe, expect, test } from 'vitest';
import { ccaLabel } from '#analysis/cca-label';
import { canonicalJson } from '#analysis/identity';
import { expandSpec } from '#analysis/planner';
import { ccaKey, conditionKey } from '#analysis/results';
import { LISTING, findTrace } from '#analysis/testing';
import { Cell } from '#protocol/api';
import { RunManifest } from '#protocol/manifest';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';

type Input = Partial<ExperimentSpecInput>;
const expand = (spec: Input) =>
  expandSpec(ExperimentSpec.parse({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'rival' }], vary: [], ...spec }), {
    engine: LISTING,
    findTrace,
  });
const planned = (spec: Input) => {
  const result = expand(spec);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result, runs: [...result.runs] };
};
const problems = (spec: Input) => {
  const result = expand(spec);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};
const transports = (spec: Input) =>
  planned(spec).runs.map(({ manifest }) => manifest.flows.map(({ transport, ack }) => [transport, ack]));

describe('transports', () => {
  const axis: Input = { transports: ['tcp', 'quic'] };

  test('make a cell each, of the flows that run the cell’s CCA; others stay as they are', () => {
    const { cells, runs } = planned({ ...axis, flows: [{ transport: 'quic' }, { cca: { id: 'base' } }] });
    expect(cells.map(({ key, transport }) => [key, transport])).toEqual([
      ['t0.c0.d0.q0.l0.b0.p0', 'tcp'],
      ['t0.c0.d0.q0.l0.b0.p1', 'quic'],
    ]);
    expect(runs.map(({ manifest }) => manifest.flows.map(({ transport }) => transport))).toEqual([
      ['tcp', 'tcp'],
      ['quic', 'tcp'],
    ]);
    for (const cell of cells) expect(Cell.parse(cell)).toEqual(cell);
    for (const { manifest } of runs) expect(RunManifest.parse(manifest)).toEqual(manifest);
    expect(new Set(cells.map(conditionKey)).size).toBe(2);
  });

  test('are the runs that flows with that transport have', () => {
    const swept = planned(axis).runs.map(({ canonical }) => canonical);
    expect(swept).toEqual(
      (['tcp', 'quic'] as const).flatMap((transport) =>
        planned({ flows: [{ transport }] }).runs.map(({ canonical }) => canonical),
      ),
    );
  });

  test('come with the acknowledgements that they can have, also out of a spec that is planned again', () => {
    const linux = [[['tcp', 'linux']], [['quic', undefined]]];
    for (const flow of [{}, { ack: 'linux' as const }, { transport: 'quic' as const }]) {
      expect(transports({ ...axis, flows: [flow] })).toEqual(linux);
      expect(transports(planned({ ...axis, flows: [flow] }).spec)).toEqual(linux);
    }
    expect(transports({ ...axis, flows: [{ ack: 'plain' }] })).toEqual([[['tcp', undefined]], [['quic', undefined]]]);
  });

  test('are of both flows of a pair', () => {
    const { runs } = planned({ ...axis, full_scores: true });
    const paired = runs.filter(({ role }) => role !== 'solo');
    expect(paired.map(({ manifest }) => manifest.flows.map(({ transport }) => transport))).toEqual([
      ['tcp', 'tcp'],
      ['tcp', 'tcp'],
      ['quic', 'quic'],
      ['quic', 'quic'],
    ]);
  });

  test('mean nothing to an ideal, and real stacks are what they are in either condition', () => {
    const { cells, runs } = planned({ ...axis, ccas: [{ id: 'perfect' }, { id: 'kernel-base' }, { id: 'seer' }] });
    expect(cells.map(({ cca, transport }) => [cca.id, transport])).toEqual([
      ['perfect', undefined],
      ['kernel-base', 'tcp'],
      ['kernel-base', 'quic'],
      ['seer', 'tcp'],
      ['seer', 'quic'],
    ]);
    const kernel = runs.filter(({ manifest }) => manifest.flows[0]!.cca.id === 'kernel-base');
    expect(new Set(kernel.map(({ canonical }) => canonical)).size).toBe(1);
  });

  test('count once', () => {
    const twice = planned({ transports: ['quic', 'quic'] });
    expect(twice.cells).toHaveLength(1);
    expect(canonicalJson(twice.spec)).toBe(canonicalJson(planned({ transports: ['quic'] }).spec));
    expect(canonicalJson(planned({}).spec)).not.toContain('transports');
  });
});

describe('a CCA with what it brings along', () => {
  const own = { id: 'rival', queue: { id: 'aqm', params: { target_ms: 9 } }, transport: 'quic' as const };
  const both: Input = { ccas: [{ id: 'rival' }, own] };

  test('is another CCA in the same condition, over its own link', () => {
    const { cells, runs } = planned(both);
    expect(new Set(cells.map(conditionKey)).size).toBe(1);
    expect(new Set(cells.map(ccaKey)).size).toBe(2);
    expect(cells.map(({ queue, limit_bytes }) => [queue.id, limit_bytes])).toEqual([
      ['droptail', 30_000],
      // Its discipline has no limit.
      ['droptail', null],
    ]);
    expect(runs.map(({ manifest: { forward, flows } }) => [forward.queue.id, flows[0]!.transport])).toEqual([
      ['droptail', 'tcp'],
      ['aqm', 'quic'],
    ]);
    expect(runs[1]!.manifest.forward.queue.params).toEqual({ target_ms: 9 });
    expect(runs[1]!.manifest.flows[0]!.ack).toBeUndefined();
  });

  test('has the runs of the experiment with that discipline and that transport', () => {
    const alike = planned({ queues: [own.queue], flows: [{ transport: 'quic' }] });
    expect(planned({ ccas: [own] }).runs[0]!.canonical).toBe(alike.runs[0]!.canonical);
  });

  test('has one run in all conditions that the axes make for the others', () => {
    const { cells, runs } = planned({
      ...both,
      queues: [{ id: 'droptail' }, { id: 'aqm' }],
      transports: ['tcp', 'quic'],
    });
    const mine = cells.filter(({ cca }) => cca.queue !== undefined);
    expect(mine).toHaveLength(4);
    expect(new Set(cells.map(conditionKey))).toEqual(new Set(mine.map(conditionKey)));
    const keys = mine.map(({ key }) => key);
    expect(new Set(runs.filter(({ cell }) => keys.includes(cell)).map(({ canonical }) => canonical)).size).toBe(1);
  });

  test('is paired with the baseline over its link, the baseline with its own transport', () => {
    const { runs } = planned({ ccas: [own], full_scores: true });
    const [, self, baseline] = runs.map(({ manifest }) => manifest);
    expect(self!.flows.map(({ transport }) => transport)).toEqual(['quic', 'quic']);
    expect(baseline!.flows.map(({ transport }) => transport)).toEqual(['quic', 'tcp']);
    expect(baseline!.forward.queue.id).toBe('aqm');
  });

  test('has its receive window where others have what their flows say, alone, twice and beside the baseline', () => {
    const { runs } = planned({
      ccas: [{ id: 'rival' }, { id: 'rival', window_limit_bytes: 'none' }, { id: 'base', window_limit_bytes: 3000 }],
      flows: [{ window_limit_bytes: 90_000 }],
      full_scores: true,
    });
    const windows = runs.map(({ role, manifest }) => [role, ...manifest.flows.map((flow) => flow.window_limit_bytes)]);
    expect(windows).toEqual([
      ['solo', 90_000],
      ['self_pair', 90_000, 90_000],
      ['baseline_pair', 90_000, 90_000],
      ['solo', undefined],
      ['self_pair', undefined, undefined],
      ['baseline_pair', undefined, 90_000],
      ['solo', 3000],
      ['self_pair', 3000, 3000],
      ['baseline_pair', 3000, 90_000],
    ]);
    for (const { manifest } of runs) expect(RunManifest.parse(manifest)).toEqual(manifest);
    const said = planned({ ccas: [{ id: 'rival' }], flows: [{ window_limit_bytes: 3000 }] });
    const own = planned({ ccas: [{ id: 'rival', window_limit_bytes: 3000 }] });
    expect(own.runs[0]!.canonical).toBe(said.runs[0]!.canonical);
  });

  test('is said by its name', () => {
    const label = (cca: Cell['cca']) => ccaLabel({ cca }, LISTING.ccas[0]!);
    expect(label({ id: 'base', params: {}, queue: { id: 'codel', params: {} } })).toBe('BASE (over codel)');
    expect(label({ id: 'base', params: { beta: 0.5 }, queue: own.queue, transport: 'quic' })).toBe(
      'BASE (beta 0.5, over aqm (target_ms 9), as QUIC)',
    );
    expect(label({ id: 'base', params: {}, window_limit_bytes: 'none' })).toBe('BASE (no receive window)');
    expect(label({ id: 'base', params: {}, window_limit_bytes: 3000 })).toBe('BASE (receive window 3000 B)');
  });

  test('is one entry when a default is spelled out', () => {
    const { cells } = planned({
      ccas: [
        { id: 'rival', queue: { id: 'aqm', params: { target_ms: 5 } } },
        { id: 'rival', queue: { id: 'aqm' } },
      ],
    });
    expect(cells.map(({ cca }) => cca.queue)).toEqual([{ id: 'aqm', params: {} }]);
  });

  test('is refused what it cannot have, at its place', () => {
    expect(
      problems({
        ccas: [
          { id: 'rival', queue: { id: 'red' } },
          { id: 'rival', queue: { id: 'aqm', params: { target_ms: 0 } } },
          { id: 'kernel-base', transport: 'quic' },
          { id: 'perfect', queue: { id: 'aqm' }, transport: 'tcp' },
          { id: 'seer', window_limit_bytes: 'none' },
        ],
      }),
    ).toEqual([
      'ccas.0.queue.id: there is no queue discipline “red”; there are: droptail, aqm',
      'ccas.1.queue.params.target_ms: AQM: target_ms must be at least 0.1 ms, not 0',
      'ccas.2.transport: KERNEL-BASE is its own transport: leave it out',
      'ccas.3.queue: PERFECT is computed from the trace alone: leave it out',
      'ccas.3.transport: PERFECT is computed from the trace alone: leave it out',
      'ccas.4.window_limit_bytes: SEER has no receive window of ours: leave it out',
    ]);
  });

  test('is for the matrix: a flow with a CCA of its own has a transport of its own already', () => {
    const parse = (cca: object) =>
      ExperimentSpec.safeParse({ traces: [{ rate_mbps: 1 }], ccas: [{ id: 'rival' }], flows: [{}, { cca }] });
    expect(parse({ id: 'base' }).success).toBe(true);
    expect(parse({ id: 'base', transport: 'quic' }).success).toBe(false);
  });
});
