import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#analysis/identity';
import { passesLink } from '#analysis/own-elements';
import { expandSpec } from '#analysis/planner';
import { LISTING, TRACES, findTrace } from '#analysis/testing';
import type { EngineListing } from '#protocol/cca';
import { RunManifest } from '#protocol/manifest';
import { ExperimentSpec } from '#protocol/spec';
import type { ExperimentSpecInput } from '#protocol/spec';

const element = (id: string, params: EngineListing['queues'][number]['params'] = [], queues = false) => ({
  id,
  label: id,
  summary: '',
  source: '',
  queues,
  params,
  columns: [],
  figures: [],
});
const number = { label: '', unit: '', choices: [], help: '', type: 'number' as const, min: 0, max: 1 };
const engine: EngineListing = {
  ...LISTING,
  elements: [
    element('bottleneck', [], true),
    element('burst-loss', [
      { ...number, name: 'to_bad', default: 0.1 },
      { ...number, name: 'to_good', default: 0.5 },
    ]),
    element('delay', [{ ...number, name: 'delay_ms', max: 1000, default: 10 }]),
    element('loss', [{ ...number, name: 'probability', default: 0.01 }]),
    { ...element('twin'), most: 1 },
    {
      ...element('tape', [
        {
          ...number,
          name: 'mode',
          type: 'choice',
          choices: ['drawn', 'recorded'],
          min: null,
          max: null,
          default: 'drawn',
        },
      ]),
      recorded_with: { param: 'mode', value: 'recorded' },
    },
  ],
};

const own = [{ element: 'loss' }, { element: 'bottleneck' }, { element: 'delay' }];
const expand = (spec: Partial<ExperimentSpecInput>) =>
  expandSpec(ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'rival' }], ...spec }), {
    engine,
    findTrace,
  });
const planned = (spec: Partial<ExperimentSpecInput>) => {
  const result = expand(spec);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result, manifests: [...result.runs].map(({ manifest }) => manifest) };
};
const problems = (forward: NonNullable<ExperimentSpecInput['elements']>['forward']) => {
  const result = expand({ elements: { forward } });
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the simple form', () => {
  test('a spec that names no elements has the manifests and the form of ever', () => {
    const { spec, manifests } = planned({});
    expect(canonicalJson(spec)).not.toContain('elements');
    for (const { forward, reverse } of manifests) {
      expect('path' in forward).toBe(false);
      expect('path' in reverse).toBe(false);
    }
    expect(canonicalJson(planned({ elements: {} }).spec)).toBe(canonicalJson(spec));
  });
});

describe('a list of elements', () => {
  const forward = [
    { element: 'burst-loss', params: { to_bad: 0.2, to_good: 0.5 } },
    ...own,
    { element: 'bottleneck', capacity: { trace: '5g.down' }, buffer: { bdp: 1 }, queue: { id: 'aqm' } },
    { element: 'delay', params: {} },
  ];

  test('is in the manifest with every parameter, limits in bytes and traces by content', () => {
    const { manifests } = planned({ elements: { forward }, base_rtt_ms: [40] });
    const { path } = manifests[0]!.forward;
    expect(path).toEqual([
      { element: 'burst-loss', params: { to_bad: 0.2, to_good: 0.5 } },
      ...own,
      {
        element: 'bottleneck',
        params: {},
        capacity: { kind: 'trace', sha256: TRACES[1]!.id, name: '5g.down', offset_ms: 0 },
        // 600 Mbps for 40 ms
        queue: { id: 'aqm', limit_bytes: 3_000_000, limit_packets: null, params: { target_ms: 5 } },
      },
      { element: 'delay', params: { delay_ms: 10 } },
    ]);
    expect('path' in manifests[0]!.reverse).toBe(false);
    for (const manifest of manifests) expect(RunManifest.parse(manifest)).toEqual(manifest);
  });

  test('has one form, whatever is left to its default', () => {
    const { spec } = planned({ elements: { forward } });
    expect(spec.elements?.forward?.[0]).toEqual({ element: 'burst-loss', params: { to_bad: 0.2 } });
    expect(spec.elements?.forward?.[4]).toEqual({
      element: 'bottleneck',
      params: {},
      capacity: { trace: TRACES[1]!.id },
      queue: { id: 'aqm', params: {} },
      buffer: { bdp: 1 },
    });
    expect(planned(spec).spec).toEqual(spec);
  });

  test('is not for an ideal, which is computed from the trace alone', () => {
    const { manifests } = planned({ elements: { forward, reverse: own }, ccas: [{ id: 'perfect' }, { id: 'rival' }] });
    const of = new Map(manifests.map((manifest) => [manifest.flows[0]!.cca.id, manifest]));
    expect('path' in of.get('perfect')!.forward).toBe(false);
    expect('path' in of.get('rival')!.reverse).toBe(true);
  });
});

describe('a flow that joins', () => {
  const forward = [...own, { element: 'burst-loss', params: {} }];

  test('has its place in the manifest; at the beginning it needs none; an ideal has no path', () => {
    const { spec, manifests } = planned({
      elements: { forward },
      ccas: [{ id: 'rival' }, { id: 'perfect' }],
      flows: [{ joins: 2 }, { joins: 0 }],
    });
    expect(spec.flows.map(({ joins }) => joins)).toEqual([2, undefined]);
    const joins = new Map(manifests.map(({ flows }) => [flows[0]!.cca.id, flows.map((flow) => flow.joins)]));
    expect(joins.get('rival')).toEqual([2, undefined]);
    expect(joins.get('perfect')).toEqual([undefined]);
  });

  test('passes the link unless it joins behind its own bottleneck', () => {
    const further = { element: 'bottleneck', capacity: { rate_mbps: 5 } };
    const { manifests } = planned({
      elements: { forward: [further, ...own, further] },
      flows: [{}, { joins: 1 }, { joins: 2 }, { joins: 3 }, { joins: 4 }],
    });
    const [manifest] = manifests;
    expect(manifest?.flows.map((_, i) => passesLink(manifest, i))).toEqual([true, true, true, false, false]);
    const usual = planned({}).manifests[0]!;
    expect(passesLink(usual, 0)).toBe(true);
  });

  test.each([
    [{ elements: { forward } }, 'elements.forward has 4 elements, from 0 to 3'],
    [{}, 'there is no list of elements that a flow could join: name them in elements.forward'],
  ])('is refused where there is nothing to join: %j', (spec, message) => {
    const result = expand({ ...spec, flows: [{}, { joins: 4 }] });
    expect(result.ok ? [] : result.problems).toEqual([{ path: ['flows', 1, 'joins'], message }]);
  });
});

describe('what cannot be is refused at its place', () => {
  test.each([
    [
      [{ element: 'delay' }],
      'elements.forward: the cell’s own bottleneck has no place in it: add {"element": "bottleneck"} where packets meet it',
    ],
    [
      [...own, { element: 'wormhole' }],
      'elements.forward.3.element: there is no path element “wormhole”; there are: bottleneck, burst-loss, delay, loss, twin, tape',
    ],
    [
      [...own, { element: 'delay' }],
      'elements.forward.3.element: the cell’s own delay is in the list already: give a further one values of its own',
    ],
    [
      [...own, { element: 'burst-loss', params: { to_bad: 2 } }],
      'elements.forward.3.params.to_bad: burst-loss: to_bad must be at most 1, not 2',
    ],
    [
      [...own, { element: 'burst-loss', capacity: { rate_mbps: 1 } }],
      'elements.forward.3.capacity: burst-loss has no capacity',
    ],
    [
      [...own, { element: 'bottleneck', buffer: { bdp: 1 } }],
      'elements.forward.3.capacity: a further bottleneck needs a trace or a constant rate',
    ],
    [
      [...own, { element: 'bottleneck', capacity: { trace: 'gone' } }],
      'elements.forward.3.capacity.trace: there is no trace “gone”; upload it first, or check its name',
    ],
  ])('%j', (forward, message) => {
    expect(problems(forward)).toEqual([message]);
  });
});

test('an element that multiplies packets is in a direction only as often as it may be', () => {
  expect(problems([{ element: 'twin', params: {} }, ...own])).toEqual([]);
  expect(problems([{ element: 'twin', params: {} }, ...own, { element: 'twin', params: {} }])).toEqual([
    'elements.forward.4: a direction has at most 1 twin',
  ]);
});

describe('recorded delays', () => {
  const recorded = { name: 'a.csv', times_ms: [0, 10, 25], delays_ms: [3, 1, 2] };
  const tape = { element: 'tape', params: { mode: 'recorded' }, recorded };
  const inPath = (spec: Partial<ExperimentSpecInput>) => planned({ elements: { forward: [tape, ...own] }, ...spec });

  test('are in spec and manifest as they were given', () => {
    const { spec, manifests } = inPath({});
    expect(spec.elements?.forward?.[0]).toEqual(tape);
    expect(manifests[0]?.forward.path?.[0]).toEqual(tape);
    expect(planned(spec).spec).toEqual(spec);
  });

  test('begin as far into themselves as the run does into its trace', () => {
    const { manifests } = inPath({ vary: ['trace_phase'], repetitions: 3 });
    for (const { forward } of manifests) {
      const offset = forward.capacity.kind === 'trace' ? forward.capacity.offset_ms : NaN;
      expect(forward.path?.[0]?.recorded?.offset_ms ?? 0).toBe(offset % 40);
    }
    expect(new Set(manifests.map(({ forward }) => forward.path?.[0]?.recorded?.offset_ms)).size).toBe(3);
    for (const manifest of manifests) expect(RunManifest.parse(manifest)).toEqual(manifest);
    const one = { ...tape, recorded: { times_ms: [0], delays_ms: [7] } };
    const alone = planned({ elements: { forward: [one, ...own] }, vary: ['trace_phase'] }).manifests[0];
    expect(alone?.forward.path?.[0]).toEqual(one);
  });

  test('are there when they are asked for, and only then', () => {
    const { recorded: _, ...without } = tape;
    expect(problems([without, ...own])).toEqual([
      'elements.forward.0.recorded: tape: recorded must have the delays when mode is recorded',
    ]);
    expect(problems([{ element: 'tape', recorded }, ...own])).toEqual([
      'elements.forward.0.recorded: tape: recorded is for mode recorded alone',
    ]);
    expect(problems([...own, { element: 'delay', recorded }])).toEqual([
      'elements.forward.3.recorded: delay: recorded means nothing to it',
    ]);
  });
});
