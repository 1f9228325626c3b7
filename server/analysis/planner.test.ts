import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#analysis/identity';
import { isMeasured } from '#analysis/kinds';
import { MAX_RUNS } from '#analysis/limits';
import { expandSpec } from '#analysis/planner';
import type { Expansion, PlannedRun } from '#analysis/planner';
import { LISTING, TRACES, findTrace } from '#analysis/testing';
import { Cell } from '#protocol/api';
import { RunManifest } from '#protocol/manifest';
import { ExperimentSpec } from '#protocol/spec';
import type { ExperimentSpecInput } from '#protocol/spec';

const context = { engine: LISTING, findTrace };
const expand = (spec: Partial<ExperimentSpecInput>) =>
  expandSpec(ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'rival' }], ...spec }), context);
type Planned = Omit<Expansion, 'runs'> & { readonly runs: readonly PlannedRun[] };
const planned = (spec: Partial<ExperimentSpecInput>): Planned => {
  const result = expand(spec);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result, runs: [...result.runs] };
};
const problems = (spec: Partial<ExperimentSpecInput>) => {
  const result = expand(spec);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('handshake', () => {
  const flows = [{ handshake: 'full' as const }];

  test('a spec that does not speak of it means none, and so does one that says so: the same manifests as ever', () => {
    const [silent, none] = [planned({}), planned({ flows: [{ handshake: 'none' }] })];
    const manifest = [...silent.runs][0]!.manifest;
    expect('handshake' in manifest.flows[0]!).toBe(false);
    expect(canonicalJson([...none.runs].map((run) => run.manifest))).toBe(
      canonicalJson([...silent.runs].map((run) => run.manifest)),
    );
    expect(canonicalJson(none.spec)).toBe(canonicalJson(silent.spec));
    expect(canonicalJson(silent.spec)).not.toContain('handshake');
  });

  test('ours have it, references and real stacks do not', () => {
    const made = planned({ flows, ccas: LISTING.ccas.map(({ id }) => ({ id })) });
    const kinds = new Map(LISTING.ccas.map(({ id, kind }) => [id, kind]));
    const having = [...made.runs].filter(({ manifest }) => manifest.flows[0]!.handshake === 'full');
    expect(new Set(having.map(({ manifest }) => kinds.get(manifest.flows[0]!.cca.id)))).toEqual(new Set(['sender']));
    expect(having.length).toBeGreaterThan(0);
    for (const { manifest } of made.runs) expect(RunManifest.safeParse(manifest).success).toBe(true);
  });
});

describe('the place in the trace', () => {
  const offsets = (spec: Partial<ExperimentSpecInput>) =>
    planned(spec).runs.map(({ manifest: { forward, reverse } }) =>
      [forward.capacity, reverse.capacity].map((capacity) => (capacity.kind === 'trace' ? capacity.offset_ms : null)),
    );

  test('is where runs begin, of a trace shorter than that within it; a constant rate has none', () => {
    expect(offsets({ trace_from_s: 70.5 })).toEqual([[70_500, null]]);
    expect(offsets({ trace_from_s: 70.5, reverse: { trace: '5g.down' } })).toEqual([[70_500, 30_500]]);
    expect(offsets({ trace_from_s: 70.5, traces: [{ rate_mbps: 5 }] })).toEqual([[null, null]]);
  });

  test('is the same run as ever where it is the beginning', () => {
    const [said, unsaid] = [planned({ trace_from_s: 0 }), planned({})];
    expect(said.runs.map(({ canonical }) => canonical)).toEqual(unsaid.runs.map(({ canonical }) => canonical));
    expect(canonicalJson(said.spec)).toBe(canonicalJson(unsaid.spec));
  });

  test('is the first of those that repetitions spread from', () => {
    const spread = offsets({ trace_from_s: 30, vary: ['trace_phase'], repetitions: 3 });
    expect(spread.map(([forward]) => forward)).toEqual([30_000, 91_803, 53_606]);
  });
});

describe('what a BDP is of', () => {
  const part = new Map([[TRACES[0]!.id, 2 * TRACES[0]!.mean_mbps]]);
  const limitsOf = (spec: Partial<ExperimentSpecInput>) => {
    const result = expandSpec(
      ExperimentSpec.parse({
        traces: [{ trace: 'lte.down' }],
        ccas: [{ id: 'rival' }],
        buffers: [{ bdp: 1 }, { ms: 20 }, { bytes: 30_000 }],
        duration_s: 5,
        ...spec,
      }),
      { ...context, partMeans: part },
    );
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.cells.map((cell) => cell.limit_bytes);
  };

  test('the whole trace, or the part that runs, if one is left out', () => {
    const [bdp, ms] = limitsOf({}) as [number, number];
    expect(limitsOf({ bdp_of: 'trace' })).toEqual([bdp, ms, 30_000]);
    expect(limitsOf({ bdp_of: 'part' })).toEqual([2 * bdp, 2 * ms, 30_000]);
    expect(limitsOf({ bdp_of: 'part', duration_s: TRACES[0]!.period_ms / 1e3 })).toEqual([bdp, ms, 30_000]);
  });

  test('of the whole trace when each repetition runs another part, and of a constant rate that rate', () => {
    expect(limitsOf({ bdp_of: 'part', vary: ['trace_phase'] })).toEqual(limitsOf({}));
    const traces = [{ rate_mbps: 48 }];
    expect(limitsOf({ bdp_of: 'part', traces })).toEqual(limitsOf({ traces }));
  });
});

describe('matrix', () => {
  test('every combination of the axes is a cell, every repetition a run', () => {
    const { cells, runs } = planned({
      traces: [{ trace: 'lte.down' }, { rate_mbps: 48 }],
      ccas: [{ id: 'base' }, { id: 'rival' }],
      buffers: [{ bdp: 1 }, { packets: 100 }, { infinite: true }],
      base_rtt_ms: [20, 40],
      loss: [0, 0.01],
      repetitions: 5,
    });
    expect(cells).toHaveLength(2 * 2 * 3 * 2 * 2);
    expect(runs).toHaveLength(cells.length * 5);
    expect(new Set(cells.map((cell) => cell.key)).size).toBe(cells.length);
  });

  test('one cell, resolved', () => {
    const { cells, runs } = planned({
      traces: [{ trace: 'lte.down' }],
      buffers: [{ bdp: 5 }],
      base_rtt_ms: [40],
      vary: [],
    });
    expect(cells[0]).toEqual({
      key: 't0.c0.d0.q0.l0.b0',
      trace: { trace: TRACES[0]!.id },
      trace_name: 'lte.down',
      cca: { id: 'rival', params: {} },
      buffer: { bdp: 5 },
      queue: { id: 'droptail', params: {} },
      base_rtt_ms: 40,
      loss: 0,
      limit_bytes: 300_000,
    });
    expect(runs[0]!.manifest).toMatchObject({
      engine: 'virtual',
      path: 'memory',
      engine_version: '1.2.3',
      repetition: 0,
      forward: {
        loss: 0,
        queue: { id: 'droptail', limit_bytes: 300_000, limit_packets: null, params: {} },
        capacity: { kind: 'trace', sha256: TRACES[0]!.id, name: 'lte.down', offset_ms: 0 },
        delay_ms: 20,
      },
      reverse: {
        loss: 0,
        queue: { limit_bytes: null, limit_packets: null },
        capacity: { kind: 'unlimited' },
        delay_ms: 20,
      },
      flows: [{ cca: { id: 'rival', params: {} }, start_s: 0, stop_s: null, transport: 'tcp', ack_every: 2 }],
    });
  });

  test('cells and manifests satisfy their schemas, and are the same every time', () => {
    const spec: Partial<ExperimentSpecInput> = {
      traces: [{ trace: 'lte.down' }, { trace: '5g.down' }, { rate_mbps: 10 }],
      reverse: { trace: '5g.down' },
      ccas: LISTING.ccas.map(({ id }) => ({ id })),
      buffers: [{ bdp: 1 }, { bytes: 10_000 }, { ms: 50 }, { infinite: true }],
      queues: [{ id: 'droptail' }, { id: 'aqm' }],
      vary: ['start_jitter', 'trace_phase', 'cca_random'],
      full_scores: true,
      repetitions: 3,
    };
    const { cells, runs } = planned(spec);
    for (const cell of cells) expect(Cell.parse(cell)).toEqual(cell);
    for (const run of runs) expect(RunManifest.parse(run.manifest)).toEqual(run.manifest);
    expect(canonicalJson(planned(spec).runs)).toBe(canonicalJson(runs));
  });

  test('an entry written twice counts once, also when a default is spelled out or a trace is named by its hash', () => {
    const { cells, spec } = planned({
      traces: [{ trace: 'lte.down' }, { trace: TRACES[0]!.id }],
      ccas: [{ id: 'base' }, { id: 'base', params: { beta: 0.7 } }],
      buffers: [{ bdp: 1 }, { bdp: 1 }],
    });
    expect(cells).toHaveLength(1);
    expect(spec.traces).toEqual([{ trace: TRACES[0]!.id }]);
  });

  test('a real stack with and without its window rule are two cells of one experiment, over TUN', () => {
    const ccas = [{ id: 'quic-base' }, { id: 'quic-base', params: { grow_underutilised: true } }];
    const { runs, spec } = planned({ ccas });
    expect(runs.map(({ manifest }) => [manifest.engine, manifest.path])).toEqual([
      ['realtime', 'tun'],
      ['realtime', 'tun'],
    ]);
    expect(runs.map(({ manifest }) => manifest.flows[0]!.cca.params)).toEqual([
      { grow_underutilised: false },
      { grow_underutilised: true },
    ]);
    expect(isMeasured(spec, LISTING)).toBe(true);
  });

  test('a flow’s application is endless unless the spec says otherwise', () => {
    const source = { kind: 'rate', rate_mbps: 20 } as const;
    const { runs } = planned({ flows: [{ source }, {}] });
    expect(runs[0]!.manifest.flows.map((flow) => flow.source)).toEqual([source, { kind: 'bulk' }]);
  });

  test('a rate that is a share of the mean is a number in the manifest, another for each trace', () => {
    const traces = [{ trace: 'lte.down' }, { rate_mbps: 50 }];
    const { runs } = planned({
      traces,
      flows: [
        { source: { kind: 'rate', rate_of_mean: 0.5 } },
        { source: { kind: 'on_off', on_s: 1, off_s: 1, rate_of_mean: 2 } },
      ],
    });
    const rates = runs.map(({ manifest }) =>
      manifest.flows.map(({ source }) => ('rate_mbps' in source ? source.rate_mbps : null)),
    );
    expect(rates).toEqual([
      [6, 24],
      [25, 100],
    ]);
    for (const { manifest } of runs) expect(RunManifest.parse(manifest)).toEqual(manifest);
    const plain = planned({ traces: [traces[1]!], flows: [{ source: { kind: 'rate', rate_mbps: 25 } }] });
    const share = planned({ traces: [traces[1]!], flows: [{ source: { kind: 'rate', rate_of_mean: 0.5 } }] });
    expect(share.runs[0]!.canonical).toBe(plain.runs[0]!.canonical);
  });

  test('that an application catches up goes without saying', () => {
    const source = (catch_up: boolean) => ({ kind: 'rate', rate_mbps: 9, catch_up }) as const;
    const [silent, later, dropped] = [{ kind: 'rate', rate_mbps: 9 } as const, source(true), source(false)].map(
      (given) => planned({ flows: [{ source: given }] }),
    );
    expect(canonicalJson(later!.spec)).toBe(canonicalJson(silent!.spec));
    expect(later!.runs[0]!.canonical).toBe(silent!.runs[0]!.canonical);
    expect(silent!.runs[0]!.canonical).not.toContain('catch_up');
    expect(dropped!.runs[0]!.manifest.flows[0]!.source).toEqual(source(false));
  });

  test('manifests carry every parameter, cells only the changed ones', () => {
    const { cells, runs } = planned({ ccas: [{ id: 'base', params: { rounds: 4, fast: true } }] });
    expect(cells[0]!.cca.params).toEqual({ rounds: 4 });
    expect(runs[0]!.manifest.flows[0]!.cca.params).toEqual({ beta: 0.7, rounds: 4, fast: true, mode: 'linux' });
  });

  test('a queue discipline that ignores the limit has one cell for all limits', () => {
    const { cells } = planned({ queues: [{ id: 'aqm' }], buffers: [{ bdp: 1 }, { bdp: 5 }] });
    expect(cells.map(({ buffer, limit_bytes }) => [buffer, limit_bytes])).toEqual([[{ infinite: true }, null]]);
  });

  test('an experiment beyond all measure is refused before it is made', () => {
    const ccas = Array.from({ length: 90 }, (_, i) => ({ id: 'base', params: { beta: 0.1 + i / 1000 } }));
    const buffers = Array.from({ length: 100 }, (_, i) => ({ bdp: i + 1 }));
    expect(problems({ ccas, buffers, repetitions: 12 })).toEqual([
      `: this makes up to 108000 runs; the most allowed is ${MAX_RUNS}. Shorten an axis or make several experiments`,
    ]);
  });
});

describe('external programs', () => {
  test('have no application but their own', () => {
    const source = { kind: 'rate', rate_mbps: 2 } as const;
    const said = /^flows\.0\.source: flow 1: .* cannot send a steady rate: the program decides by itself/;
    expect(problems({ ccas: [{ id: 'external-tool' }], flows: [{ source }] })).toEqual([expect.stringMatching(said)]);
    const beside = [{}, { cca: { id: 'external-tool' }, source }];
    expect(problems({ ccas: [{ id: 'kernel-base' }], flows: beside })[0]).toMatch(/^flows\.1\.source: flow 2: /);
    expect(problems({ ccas: [{ id: 'kernel-base' }], flows: [{ source }, { cca: { id: 'external-tool' } }] })).toEqual(
      [],
    );
    expect(problems({ ccas: [{ id: 'external-tool' }], flows: [{ source: { kind: 'bulk' } }] })).toEqual([]);
  });

  test('run in real time over tun, alone or beside the kernel’s flows, with the revision of their configuration', () => {
    const { runs } = planned({ ccas: [{ id: 'external-tool' }], flows: [{}, { cca: { id: 'kernel-base' } }] });
    expect(runs.map(({ manifest }) => [manifest.engine, manifest.path])).toEqual([['realtime', 'tun']]);
    expect(runs[0]!.manifest.flows.map(({ cca }) => cca)).toEqual([
      { id: 'external-tool', params: {}, revision: 'abc123' },
      { id: 'kernel-base', params: {} },
    ]);
    expect(problems({ ccas: [{ id: 'rival' }], flows: [{}, { cca: { id: 'external-tool' } }] })).toHaveLength(1);
  });

  test('are paired with the kernel’s baseline', () => {
    const { runs } = planned({ ccas: [{ id: 'external-tool' }], full_scores: true });
    const pair = runs.find((run) => run.role === 'baseline_pair');
    expect(pair?.manifest.flows.map((flow) => flow.cca.id)).toEqual(['external-tool', 'kernel-base']);
  });

  test('are refused with the reason where they are missing', () => {
    const ccas = LISTING.ccas.map((cca) =>
      cca.id === 'external-tool' ? { ...cca, unavailable: 'there is no program tool' } : cca,
    );
    const spec = ExperimentSpec.parse({ traces: [{ rate_mbps: 1 }], ccas: [{ id: 'external-tool' }] });
    expect(expandSpec(spec, { engine: { ...LISTING, ccas }, findTrace })).toMatchObject({
      ok: false,
      problems: [{ path: ['ccas', 0, 'id'], message: 'EXTERNAL-TOOL cannot be used here: there is no program tool' }],
    });
    expect(problems({ ccas: [{ id: 'external-other' }] })[0]).toMatch(/^ccas\.0\.id: there is no CCA “external-other”/);
  });
});

describe('the kernel’s algorithms', () => {
  test('run in real time over tun beside ours in virtual time, each time anew', () => {
    const { runs, cells } = planned({ ccas: [{ id: 'rival' }, { id: 'kernel-rival' }], repetitions: 3, vary: [] });
    expect(cells).toHaveLength(2);
    expect(runs.map(({ manifest }) => [manifest.engine, manifest.path])).toEqual([
      ['virtual', 'memory'],
      ['realtime', 'tun'],
      ['realtime', 'tun'],
      ['realtime', 'tun'],
    ]);
    expect(runs[1]!.manifest.forward).toEqual(runs[0]!.manifest.forward);
    expect(isMeasured(ExperimentSpec.parse({ traces: [{ rate_mbps: 1 }], ccas: [{ id: 'rival' }] }), LISTING)).toBe(
      false,
    );
    const beside = ExperimentSpec.parse({
      traces: [{ rate_mbps: 1 }],
      ccas: [{ id: 'rival' }, { id: 'kernel-rival' }],
    });
    expect(isMeasured(beside, LISTING)).toBe(true);
  });

  test('the trace’s clock can begin with the first packet', () => {
    const starts = (spec: Partial<ExperimentSpecInput>) =>
      planned({ ccas: [{ id: 'rival' }, { id: 'kernel-rival' }], ...spec }).runs.map((run) => run.manifest.trace_start);
    expect(starts({})).toEqual([undefined, undefined]);
    expect(starts({ trace_start: 'first_packet' })).toEqual([undefined, 'first_packet']);
  });

  test('pairs are with the baseline of the same stack', () => {
    const { runs } = planned({ ccas: [{ id: 'rival' }, { id: 'kernel-rival' }], full_scores: true });
    const pairs = runs.filter((run) => run.role === 'baseline_pair');
    expect(pairs.map(({ manifest }) => manifest.flows.map((flow) => flow.cca.id))).toEqual([
      ['rival', 'base'],
      ['kernel-rival', 'kernel-base'],
    ]);
  });

  test('do not share a link with ours', () => {
    const flows = [{}, { cca: { id: 'base' } }];
    expect(problems({ ccas: [{ id: 'rival' }, { id: 'kernel-rival' }], flows })).toEqual([
      'flows.1.cca.id: BASE and KERNEL-RIVAL cannot share the link: the flows of a run are all ours or all of real stacks',
    ]);
    expect(problems({ ccas: [{ id: 'kernel-rival' }], flows: [{}, { cca: { id: 'kernel-base' } }] })).toEqual([]);
    expect(problems({ ccas: [{ id: 'quic-base' }], flows: [{}, { cca: { id: 'kernel-base' } }] })).toEqual([]);
  });
});

describe('references', () => {
  const buffers = [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }];

  test('an ideal has one run per trace and base RTT, without limit, loss or shift', () => {
    const { cells, runs } = planned({
      ccas: [{ id: 'perfect' }],
      buffers,
      loss: [0.01, 0.02],
      base_rtt_ms: [20, 40],
      repetitions: 5,
      full_scores: true,
    });
    expect(cells.map((cell) => [cell.base_rtt_ms, cell.loss, cell.limit_bytes])).toEqual([
      [20, 0, null],
      [40, 0, null],
    ]);
    expect(runs).toHaveLength(2);
    expect(runs[0]!.manifest.flows.map((flow) => flow.start_s)).toEqual([0]);
  });

  test('an ideal repeats when the trace phase varies, with the phases of the others', () => {
    const { runs } = planned({ ccas: [{ id: 'perfect' }, { id: 'rival' }], vary: ['trace_phase'], repetitions: 3 });
    const phases = (id: string) =>
      runs.filter((run) => run.manifest.flows[0]!.cca.id === id).map((run) => run.manifest.forward.capacity);
    expect(phases('perfect')).toHaveLength(3);
    expect(phases('perfect')).toEqual(phases('rival'));
  });

  test('an oracle meets every queue limit, alone and without pairs', () => {
    const { cells, runs } = planned({
      ccas: [{ id: 'seer' }],
      buffers,
      flows: [{}, { cca: { id: 'base' } }],
      full_scores: true,
    });
    expect(cells).toHaveLength(3);
    expect(runs.map((run) => [run.role, run.manifest.flows.length])).toEqual(buffers.map(() => ['solo', 1]));
  });

  test('a reference runs for as long as any flow does', () => {
    const times = (flows: ExperimentSpecInput['flows']) =>
      planned({ ccas: [{ id: 'perfect' }], flows }).runs[0]!.manifest.flows.map((f) => [f.start_s, f.stop_s]);
    expect(times([{ start_s: 5, stop_s: 20 }, { start_s: 2 }])).toEqual([[2, null]]);
    expect(
      times([
        { start_s: 5, stop_s: 20 },
        { start_s: 2, stop_s: 9 },
      ]),
    ).toEqual([[2, 20]]);
  });

  test('beside a real-time experiment a reference is computed in virtual time, a competitor is refused', () => {
    const { runs } = planned({ engine: 'realtime', ccas: [{ id: 'rival' }, { id: 'perfect' }] });
    expect(runs.map(({ manifest }) => [manifest.engine, manifest.path])).toEqual([
      ['realtime', 'udp'],
      ['virtual', 'memory'],
    ]);
    expect(problems({ engine: 'realtime', ccas: [{ id: 'slow' }] })).toEqual([
      'ccas.0.id: SLOW does not run in real time; it runs in: virtual time',
    ]);
  });
});

describe('pairs', () => {
  test('full scores add two flows of the CCA and the CCA with the baseline, whatever the flows of the solo run are', () => {
    const { runs } = planned({
      flows: [
        { start_s: 1, stop_s: 20, transport: 'quic' },
        { cca: { id: 'base' }, start_s: 5 },
      ],
      full_scores: true,
      vary: [],
    });
    expect(
      runs.map(({ role, manifest }) => [role, manifest.flows.map((f) => [f.cca.id, f.start_s, f.stop_s, f.transport])]),
    ).toEqual([
      [
        'solo',
        [
          ['rival', 1, 20, 'quic'],
          ['base', 5, null, 'tcp'],
        ],
      ],
      [
        'self_pair',
        [
          ['rival', 0, null, 'quic'],
          ['rival', 0, null, 'quic'],
        ],
      ],
      [
        'baseline_pair',
        [
          ['rival', 0, null, 'quic'],
          ['base', 0, null, 'quic'],
        ],
      ],
    ]);
  });

  test('the baseline’s pair with the baseline is its self-pair: one manifest', () => {
    const { runs } = planned({ ccas: [{ id: 'base' }], full_scores: true });
    expect(runs.map((run) => run.role)).toEqual(['solo', 'self_pair', 'baseline_pair']);
    expect(canonicalJson(runs[1]!.manifest)).toBe(canonicalJson(runs[2]!.manifest));
  });
});

describe('randomness', () => {
  const seeds = (expansion: Planned) => expansion.runs.map((run) => run.manifest.seed);

  test('repetitions differ in seed and start, within one base RTT', () => {
    const { runs } = planned({ repetitions: 20, base_rtt_ms: [50], flows: [{ start_s: 2 }] });
    const starts = runs.map((run) => run.manifest.flows[0]!.start_s);
    expect(new Set(starts).size).toBe(20);
    for (const start of starts) {
      expect(start).toBeGreaterThanOrEqual(2);
      expect(start).toBeLessThanOrEqual(2.05);
    }
    expect(new Set(runs.map((run) => run.manifest.seed)).size).toBe(20);
  });

  test('draws stay what they are: other ones would give every stored run a new name', () => {
    const { runs } = planned({ traces: [{ rate_mbps: 12 }], repetitions: 2 });
    expect(runs.map(({ manifest }) => [manifest.seed, manifest.flows[0]!.start_s])).toEqual([
      [3126718259819124, 0.014387],
      [6349044923986780, 0.015732],
    ]);
  });

  test('only what is said to vary varies', () => {
    const jitter = planned({ repetitions: 3, vary: ['start_jitter'] });
    expect(new Set(seeds(jitter)).size).toBe(1);
    const random = planned({ repetitions: 3, vary: ['cca_random'] });
    expect(random.runs.map((run) => run.manifest.flows[0]!.start_s)).toEqual([0, 0, 0]);
    expect(planned({ repetitions: 3, vary: [] }).runs).toHaveLength(1);
    expect(planned({ repetitions: 3, vary: ['trace_phase'], traces: [{ rate_mbps: 5 }] }).runs).toHaveLength(1);
    expect(planned({ repetitions: 3, vary: [], engine: 'realtime' }).runs).toHaveLength(3);
  });

  test('CCAs and queue limits meet the same draws; other conditions, seeds and repetitions meet others', () => {
    const { runs } = planned({
      ccas: [{ id: 'base' }, { id: 'rival' }],
      buffers: [{ bdp: 1 }, { bdp: 2 }],
      repetitions: 2,
    });
    const byRepetition = [0, 1].map(
      (r) => new Set(runs.filter((run) => run.repetition === r).map((run) => run.manifest.seed)),
    );
    expect(byRepetition.map((set) => set.size)).toEqual([1, 1]);
    const others = [
      planned({}),
      planned({ seed: 2 }),
      planned({ base_rtt_ms: [30] }),
      planned({ loss: [0.1] }),
      planned({ traces: [{ rate_mbps: 1 }] }),
    ];
    expect(new Set(others.flatMap(seeds)).size).toBe(others.length);
  });

  test('a cell’s runs do not depend on what else the experiment holds', () => {
    const alone = planned({ repetitions: 2 }).runs.map((run) => canonicalJson(run.manifest));
    const among = planned({
      repetitions: 4,
      traces: [{ rate_mbps: 3 }, { trace: 'lte.down' }],
      ccas: [{ id: 'base' }, { id: 'rival' }],
      buffers: [{ bdp: 7 }, { bdp: 1 }],
      full_scores: true,
    }).runs.map((run) => canonicalJson(run.manifest));
    expect(alone.every((manifest) => among.includes(manifest))).toBe(true);
  });

  test('trace phases stay inside the trace, spread evenly, and shift both directions alike', () => {
    const { runs } = planned({ vary: ['trace_phase'], repetitions: 10, reverse: { trace: '5g.down' } });
    const offset = (capacity: RunManifest['forward']['capacity']) =>
      capacity.kind === 'trace' ? capacity.offset_ms : -1;
    const phases = runs.map((run) => offset(run.manifest.forward.capacity)).sort((a, b) => a - b);
    for (const run of runs)
      expect(offset(run.manifest.reverse.capacity)).toBe(offset(run.manifest.forward.capacity) % TRACES[1]!.period_ms);
    // Ten points of a golden-ratio rotation: no gap on the circle is wider than 1 / 5 or so of it (three-distance theorem).
    const gaps = phases.map((phase, i) => (phases[i + 1] ?? phases[0]! + 100_000) - phase);
    expect(Math.max(...gaps)).toBeLessThan(20_000);
    expect(Math.min(...gaps)).toBeGreaterThan(5_000);
  });

  test('whatever the spec, flows start in time, and before they stop', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 10_000, noNaN: true }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.nat(),
        (rtt, stop, seed) => {
          const { runs } = planned({
            base_rtt_ms: [rtt],
            seed,
            duration_s: 0.5,
            flows: [{ stop_s: stop }],
            repetitions: 3,
          });
          for (const { manifest } of runs) {
            expect(manifest.flows[0]!.start_s).toBeLessThan(Math.min(stop, 0.5));
            expect(RunManifest.safeParse(manifest).success).toBe(true);
          }
        },
      ),
    );
  });
});

describe('refusals name every fault with its place', () => {
  test('unknown names', () => {
    expect(problems({ traces: [{ trace: 'nowhere' }], ccas: [{ id: 'nobody' }], queues: [{ id: 'nothing' }] })).toEqual(
      [
        'traces.0.trace: there is no trace “nowhere”; upload it first, or check its name',
        'ccas.0.id: there is no CCA “nobody”; there are: base, rival, seer, perfect, slow, kernel-base, kernel-rival, quic-base, external-tool',
        'queues.0.id: there is no queue discipline “nothing”; there are: droptail, aqm',
      ],
    );
  });

  test('parameters', () => {
    const params = { beta: 2, rounds: 1.5, fast: 1, mode: 'bsd', unknown: 0 };
    expect(problems({ ccas: [{ id: 'rival' }, { id: 'base', params }] })).toEqual([
      'ccas.1.params.beta: BASE: beta must be at most 0.9 share, not 2',
      'ccas.1.params.rounds: BASE: rounds must be a whole number, not 1.5',
      'ccas.1.params.fast: BASE: fast must be true or false, not 1',
      'ccas.1.params.mode: BASE: mode must be one of linux, rfc, not "bsd"',
      'ccas.1.params.unknown: BASE has no parameter “unknown”; it has: beta, rounds, fast, mode',
    ]);
    expect(problems({ queues: [{ id: 'aqm', params: { target_ms: 0 } }] })).toEqual([
      'queues.0.params.target_ms: AQM: target_ms must be at least 0.1 ms, not 0',
    ]);
  });

  test('flows', () => {
    expect(problems({ flows: [{ cca: { id: 'perfect' } }] })).toEqual([
      'flows.0.cca.id: PERFECT is a reference, not a competitor: it cannot share the link',
      'flows: no flow runs the chosen CCAs: give at least one flow the CCA “$cca”',
    ]);
  });
});
