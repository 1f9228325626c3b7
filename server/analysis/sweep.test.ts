import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#analysis/identity';
import { expandSpec } from '#analysis/planner';
import { ccaKey, conditionKey, facetKey } from '#analysis/results';
import { sweepName } from '#analysis/sweep-name';
import { sweepPlaces } from '#analysis/sweep-places';
import { LISTING, findTrace } from '#analysis/testing';
import { Cell } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';
import type { Sweep } from '#protocol/sweep';

const number = { label: '', unit: '', choices: [], help: '', type: 'number' as const };
const plain = { summary: '', source: '', columns: [], figures: [] };
const engine: EngineListing = {
  ...LISTING,
  elements: [
    { ...plain, id: 'bottleneck', label: 'bottleneck', queues: true, params: [] },
    {
      ...plain,
      id: 'delay',
      label: 'delay',
      queues: false,
      params: [{ ...number, name: 'delay_ms', default: 10, min: 0, max: 1000 }],
    },
  ],
};

type Input = Partial<ExperimentSpecInput>;
const specOf = (spec: Input): ExperimentSpec =>
  ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'base' }, { id: 'rival' }], vary: [], ...spec });
const expand = (spec: Input) => expandSpec(specOf(spec), { engine, findTrace });
const planned = (spec: Input) => {
  const result = expand(spec);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result, runs: [...result.runs] };
};
const problems = (spec: Input) => {
  const result = expand(spec);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};
const sweep = (path: string, ...values: Sweep['values']): Sweep => ({ path, values });
const FORWARD = [
  { element: 'delay', params: { delay_ms: 5 } },
  { element: 'bottleneck' },
  {
    element: 'bottleneck',
    capacity: { rate_mbps: 30 },
    queue: { id: 'aqm' },
    buffer: { ms: 20 },
  },
  { element: 'delay' },
];

describe('a CCA’s parameter', () => {
  const { cells, runs, spec } = planned({ sweep: sweep('ccas.base.beta', 0.5, 0.7, 0.9) });

  test('makes a cell of that CCA per value, and leaves the others alone', () => {
    expect(cells.map(({ key, cca, sweep: swept }) => [key, cca.id, cca.params, swept?.value])).toEqual([
      ['t0.c0.d0.q0.l0.b0.s0', 'base', { beta: 0.5 }, 0.5],
      ['t0.c1.d0.q0.l0.b0', 'rival', {}, undefined],
      ['t0.c0.d0.q0.l0.b0.s1', 'base', {}, 0.7],
      ['t0.c0.d0.q0.l0.b0.s2', 'base', { beta: 0.9 }, 0.9],
    ]);
    expect(runs.map(({ manifest }) => manifest.flows[0]!.cca.params['beta'])).toEqual([0.5, undefined, 0.7, 0.9]);
    for (const cell of cells) expect(Cell.parse(cell)).toEqual(cell);
  });

  test('is compared with the other CCAs in one condition, as one CCA for each value', () => {
    expect(new Set(cells.map(conditionKey)).size).toBe(1);
    expect(new Set(cells.map(facetKey)).size).toBe(1);
    expect(new Set(cells.map(ccaKey)).size).toBe(4);
  });

  test('gives the runs that the same values give when they are listed', () => {
    const listed = planned({ ccas: [0.5, 0.7, 0.9].map((beta) => ({ id: 'base', params: { beta } })) });
    const swept = runs.filter(({ cell }) => cell.includes('s'));
    expect(swept.map(({ canonical }) => canonical)).toEqual(listed.runs.map(({ canonical }) => canonical));
    expect(planned({ ccas: [{ id: 'rival' }] }).runs[0]!.canonical).toBe(runs[1]!.canonical);
  });

  test('is said once: what the axis has there, values twice and the order of writing make no other experiment', () => {
    const same = planned({
      ccas: [{ id: 'base', params: { beta: 0.2 } }, { id: 'base', params: { beta: 0.3 } }, { id: 'rival' }],
      sweep: sweep('ccas.base.beta', 0.5, 0.7, 0.5, 0.9),
    });
    expect(canonicalJson(same.spec)).toBe(canonicalJson(spec));
    expect(canonicalJson(planned(spec).cells)).toBe(canonicalJson(cells));
  });

  test('* is all CCAs that have it', () => {
    const two = {
      ...engine,
      ccas: engine.ccas.map((cca) => (cca.id === 'slow' ? { ...cca, params: LISTING.ccas[0]!.params } : cca)),
    };
    const made = expandSpec(
      specOf({ ccas: [{ id: 'base' }, { id: 'slow' }, { id: 'rival' }], sweep: sweep('ccas.*.beta', 0.5, 0.9) }),
      { engine: two, findTrace },
    );
    if (!made.ok) throw new Error(JSON.stringify(made.problems));
    expect(made.cells.map(({ cca, sweep: swept }) => [cca.id, swept?.value])).toEqual([
      ['base', 0.5],
      ['slow', 0.5],
      ['rival', undefined],
      ['base', 0.9],
      ['slow', 0.9],
    ]);
  });
});

describe('what all flows meet', () => {
  test('a discipline’s parameter changes the cells of that discipline', () => {
    const { cells, runs } = planned({
      ccas: [{ id: 'rival' }, { id: 'perfect' }],
      queues: [{ id: 'droptail' }, { id: 'aqm' }],
      sweep: sweep('queues.aqm.target_ms', 5, 20),
    });
    expect(
      cells.map(({ cca, queue, sweep: swept }) => [cca.id, queue.id, queue.params['target_ms'], swept?.value]),
    ).toEqual([
      ['rival', 'droptail', undefined, undefined],
      ['rival', 'aqm', undefined, 5],
      ['perfect', 'droptail', undefined, undefined],
      ['rival', 'aqm', 20, 20],
    ]);
    expect(runs.map(({ manifest }) => manifest.forward.queue.params['target_ms'])).toEqual([
      undefined,
      5,
      undefined,
      20,
    ]);
  });

  test('an element’s parameter, its rate, its limit, and that of its discipline', () => {
    const elements = { forward: FORWARD };
    const of = (path: string, ...values: Sweep['values']) =>
      planned({ ccas: [{ id: 'rival' }], elements, sweep: sweep(path, ...values) }).runs.map(
        ({ manifest }) => manifest.forward.path!,
      );
    expect(of('elements.forward.0.params.delay_ms', 0, 40).map((path) => path[0]!.params)).toEqual([
      { delay_ms: 0 },
      { delay_ms: 40 },
    ]);
    expect(of('elements.forward.2.capacity.rate_mbps', 8).map((path) => path[2]!.capacity)).toEqual([
      { kind: 'constant', rate_mbps: 8 },
    ]);
    expect(of('elements.forward.2.buffer.ms', 10, 40).map((path) => path[2]!.queue!.limit_bytes)).toEqual([
      37_500, 150_000,
    ]);
    expect(of('elements.forward.2.queue.params.target_ms', 7).map((path) => path[2]!.queue!.params)).toEqual([
      { target_ms: 7 },
    ]);
  });

  test('the way back, which needs not be limited before', () => {
    const { runs } = planned({ ccas: [{ id: 'rival' }, { id: 'perfect' }], sweep: sweep('reverse.rate_mbps', 0.5, 2) });
    expect(runs.map(({ manifest }) => manifest.reverse.capacity)).toEqual([
      { kind: 'constant', rate_mbps: 0.5 },
      { kind: 'unlimited' },
      { kind: 'constant', rate_mbps: 2 },
    ]);
  });

  test('is a condition of its own for each value', () => {
    const { cells } = planned({ sweep: sweep('flows.0.extra_rtt_ms', 0, 50) });
    expect(new Set(cells.map(conditionKey)).size).toBe(2);
    expect(new Set(cells.map(ccaKey)).size).toBe(2);
  });
});

describe('a flow’s field', () => {
  const flows: ExperimentSpecInput['flows'] = [
    { source: { kind: 'rate', rate_mbps: 8 } },
    { cca: { id: 'base' }, start_s: 1 },
  ];
  const manifests = (path: string, ...values: Sweep['values']) =>
    planned({ ccas: [{ id: 'rival' }], flows, sweep: sweep(path, ...values) }).runs.map(
      ({ manifest }) => manifest.flows,
    );

  test('its own, its source’s, its CCA’s', () => {
    expect(manifests('flows.0.extra_rtt_ms', 0, 50).map(([flow]) => flow!.extra_rtt_ms)).toEqual([0, 50]);
    expect(manifests('flows.1.start_s', 5).map(([, flow]) => flow!.start_s)).toEqual([5]);
    expect(manifests('flows.0.source.rate_mbps', 3).map(([flow]) => flow!.source)).toEqual([
      { kind: 'rate', rate_mbps: 3 },
    ]);
    const share = planned({
      traces: [{ rate_mbps: 40 }],
      ccas: [{ id: 'rival' }],
      flows: [{ source: { kind: 'rate', rate_of_mean: 1 } }],
      sweep: sweep('flows.0.source.rate_of_mean', 0.5, 2),
    });
    expect(share.runs.map(({ manifest }) => manifest.flows[0]!.source)).toEqual([
      { kind: 'rate', rate_mbps: 20 },
      { kind: 'rate', rate_mbps: 80 },
    ]);
    expect(manifests('flows.1.cca.params.beta', 0.3).map(([, flow]) => flow!.cca.params['beta'])).toEqual([0.3]);
    expect(manifests('flows.0.window_limit_bytes', 'none', 65_536).map(([flow]) => flow!.window_limit_bytes)).toEqual([
      undefined,
      65_536,
    ]);
  });

  test('of all flows', () => {
    expect(manifests('flows.*.extra_rtt_ms', 30).map((all) => all.map((flow) => flow.extra_rtt_ms))).toEqual([
      [30, 30],
    ]);
  });

  test('Linux’ way to acknowledge gives way where it cannot be, also in a spec that says it because it was the default', () => {
    const acks = (spec: ExperimentSpecInput['flows']) =>
      [planned({ ccas: [{ id: 'rival' }], flows: spec, sweep: sweep('flows.0.ack_every', 1, 2) })]
        .map((made) => planned(made.spec))
        .flatMap(({ runs }) => runs.map(({ manifest }) => manifest.flows[0]!.ack));
    expect(acks([{}])).toEqual([undefined, 'linux']);
    expect(acks([{ ack: 'linux' }])).toEqual([undefined, 'linux']);
    expect(acks([{ ack: 'plain' }])).toEqual([undefined, undefined]);
    expect(acks([{ ack_every: 1 }])).toEqual([undefined, 'linux']);
  });

  test('along it the same draws are met', () => {
    const { runs } = planned({
      ccas: [{ id: 'rival' }],
      sweep: sweep('flows.0.extra_rtt_ms', 0, 50),
      vary: ['start_jitter', 'trace_phase', 'cca_random'],
      repetitions: 2,
    });
    const drawn = runs.map(
      ({
        manifest: {
          seed,
          flows: [flow],
          forward: { capacity },
        },
      }) => [seed, flow!.start_s, capacity],
    );
    expect(drawn.slice(0, 2)).toEqual(drawn.slice(2));
    expect(drawn[0]).not.toEqual(drawn[1]);
  });
});

describe('is refused', () => {
  test.each([
    [
      'ccas.base.gamma',
      'nothing called “ccas.base.gamma” can be swept; in ccas.base there is: beta, rounds, fast, mode',
    ],
    ['ccas.cubic.beta', 'nothing called “ccas.cubic.beta” can be swept; in ccas there is: base'],
    ['flows.1.start_s', 'nothing called “flows.1.start_s” can be swept; in flows there is: 0'],
    ['flows.0.cca', null],
    ['flows.0.source.rate_mbps', null],
    ['elements.forward.0.params.x', null],
    ['duration_s', 'nothing called “duration_s” can be swept; there is: ccas, flows, reverse'],
    ['__proto__.polluted', null],
    ['flows.0.__proto__', null],
    ['ccas.base.constructor', null],
    ['base_rtt_ms.0', 'base_rtt_ms is an axis of its own: give it several values instead'],
  ])('a place that is not there: %s', (path, message) => {
    const found = problems({ sweep: sweep(path, 1) });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('sweep.path: ');
    if (message !== null) expect(found[0]).toBe(`sweep.path: ${message}`);
  });

  test('the cell’s own elements have no values to sweep', () => {
    const [found] = problems({ elements: { forward: FORWARD }, sweep: sweep('elements.forward.1.params.x', 1) });
    expect(found).toBe(
      'sweep.path: nothing called “elements.forward.1.params.x” can be swept; in elements.forward there is: 0, 2',
    );
  });

  test.each([
    ['ccas.base.beta', 2, 'BASE: beta must be at most 0.9 share, not 2'],
    ['ccas.base.mode', 'bsd', 'BASE: mode must be one of linux, rfc, not "bsd"'],
    ['flows.0.extra_rtt_ms', -1, 'Too small: expected number to be >=0'],
    ['flows.0.extra_rtt_ms', 'much', 'Invalid input: expected number, received string'],
    ['flows.0.start_s', 60, "starts at 60 s, after the run's end at 60 s"],
    [
      'flows.0.source.kind',
      'video',
      "Invalid discriminator value. Expected 'bulk' | 'rate' | 'on_off' | 'transfers' | 'frames' | 'replay'",
    ],
    [
      'flows.0.source.kind',
      '__proto__',
      "Invalid discriminator value. Expected 'bulk' | 'rate' | 'on_off' | 'transfers' | 'frames' | 'replay'",
    ],
    ['flows.0.transport', 'sctp', 'Invalid option: expected one of "tcp"|"quic"|"quic-grow-underutilised"'],
    ['flows.0.joins', 3, 'there is no list of elements that a flow could join: name them in elements.forward'],
  ])('a value that could not be written there: %s = %s', (path, value, message) => {
    expect(problems({ sweep: sweep(path, value) })).toEqual([
      `sweep.values.0: ${path} = ${JSON.stringify(value)}: ${message}`,
    ]);
  });

  test('of several values those that are wrong are named, and more runs than there may be', () => {
    expect(problems({ sweep: sweep('ccas.base.beta', 0.5, 2, 3) }).map((problem) => problem.split(':')[0])).toEqual([
      'sweep.values.1',
      'sweep.values.2',
    ]);
    const values = Array.from({ length: 100 }, (_, i) => i);
    expect(problems({ sweep: sweep('flows.0.extra_rtt_ms', ...values), repetitions: 1000 })[0]).toContain(
      '200000 runs',
    );
  });
});

describe('places', () => {
  test('are all that a spec can vary', () => {
    const paths = sweepPlaces(specOf({ elements: { forward: FORWARD }, queues: [{ id: 'aqm' }] }), engine).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(
      expect.arrayContaining([
        'ccas.base.beta',
        'queues.aqm.target_ms',
        'flows.0.extra_rtt_ms',
        'flows.0.window_limit_bytes',
        'flows.0.ecn',
        'flows.0.source.kind',
        'elements.forward.0.params.delay_ms',
        'elements.forward.2.capacity.rate_mbps',
        'reverse.rate_mbps',
      ]),
    );
    expect(paths.filter((path) => path.includes('*') || path.includes('forward.1'))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('every place takes the value that is there already', () => {
    const spec = specOf({
      elements: { forward: FORWARD },
      queues: [{ id: 'aqm' }],
      reverse: { rate_mbps: 3 },
      flows: [{ source: { kind: 'frames', fps: 25, rate_mbps: 3 } }, { source: { kind: 'transfers', bytes: 9000 } }],
    });
    for (const { path, param } of sweepPlaces(spec, engine)) {
      const there = path
        .replace('flows.*', 'flows.0')
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], spec);
      const value = param?.default ?? there;
      if (value !== undefined)
        expect([path, expand({ ...spec, sweep: sweep(path, value as number) }).ok]).toEqual([path, true]);
    }
  });

  test.each([
    ['ccas.copa.delta', 'delta of copa'],
    ['ccas.*.delta', 'delta of all algorithms'],
    ['queues.codel.target_ms', 'target_ms of codel'],
    ['flows.1.source.rate_mbps', 'source.rate_mbps of flow 2'],
    ['flows.*.ack_every', 'ack_every of all flows'],
    ['flows.1.cca.params.beta', 'cca.beta of flow 2'],
    ['flows.1.cca.id', 'algorithm of flow 2'],
    ['elements.forward.1.params.rate', 'rate of element 2'],
    ['elements.reverse.0.queue.params.target_ms', 'queue.target_ms of element 1 of the way back'],
    ['reverse.rate_mbps', 'rate_mbps of the way back'],
  ])('%s is called %s', (path, name) => {
    expect(sweepName(path)).toBe(name);
  });
});
