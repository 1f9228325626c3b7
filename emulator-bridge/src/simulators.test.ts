// Processes that stay from run to run, with the real engine: what they give is what a process of its own gives.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunManifest } from '#protocol/manifest';
import { FRAME_KIND_CONTROL } from '#protocol/frames';
import { listCcas } from './ccas.ts';
import { FrameDecoder, payloadOf, type Frame } from './frame-decoder.ts';
import { programPath } from './programs.ts';
import { run, type RunOptions, type RunOutcome } from './run.ts';
import { Simulators } from './simulators.ts';
import { FakePrograms, manifest as fakeManifest, processes, wholeRun } from './testing/fake-programs.ts';
import { importTrace } from './traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-warm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { engine_version, ccas, queues } = await listCcas();
const manifest = (over: Partial<RunManifest> = {}): RunManifest => fakeManifest({ engine_version, ...over });

/** Stores a trace of so many opportunities per millisecond, in turn. */
async function traceOf(name: string, counts: readonly number[]): Promise<RunManifest['forward']['capacity']> {
  const file = join(folder, name);
  writeFileSync(file, counts.map((count, ms) => `${ms + 1}\n`.repeat(count)).join(''));
  const { sha256 } = (await importTrace(file, folder)).info;
  return { kind: 'trace', sha256, name, offset_ms: 0 };
}
const traces = [
  await traceOf('fair', [1, 0, 2, 1]),
  await traceOf('late', [...Array<number>(300).fill(1), ...Array<number>(200).fill(0), 3]),
];

const children = (): number[] =>
  processes().flatMap(({ pid, parent, name }) => (parent === process.pid && name === 'paceline-simula' ? [pid] : []));

let simulators: Simulators;
beforeEach(() => {
  simulators = new Simulators();
});
afterEach(async () => {
  await simulators.close();
  expect(children()).toEqual([]);
});

type Recorded = RunOutcome & { readonly bytes: Buffer };

/** The frames but `cost`, which tells what this execution took. */
async function record(planned: RunManifest, options: Partial<RunOptions> = {}): Promise<Recorded> {
  const frames: Buffer[] = [];
  const onFrame: RunOptions['onFrame'] = (bytes, _, control) => {
    if (control?.type !== 'cost') frames.push(Buffer.from(bytes));
  };
  const outcome = await run(planned, { tracesDir: folder, simulators, onFrame, ...options });
  return { ...outcome, bytes: Buffer.concat(frames) };
}

/** In a process that makes nothing else, as a person would. */
function alone(planned: RunManifest): Buffer {
  const words = ['--manifest', '-', '--traces', folder, '--cost'];
  const input = JSON.stringify(planned);
  const told = execFileSync(programPath('paceline-simulate'), words, { input, maxBuffer: 2 ** 28 });
  const frames = [...new FrameDecoder().push(told)];
  const isCost = (frame: Frame): boolean =>
    frame.header.kind === FRAME_KIND_CONTROL && Buffer.from(payloadOf(frame)).includes('"type":"cost"');
  expect(frames.filter(isCost)).toHaveLength(1);
  return Buffer.concat(frames.filter((frame) => !isCost(frame)).map(({ bytes }) => bytes));
}

const LONG = manifest({
  duration_s: 86_000,
  forward: { ...manifest().forward, capacity: { kind: 'constant', rate_mbps: 1000 } },
});

/** Every algorithm once, over queues, traces, transports and losses in turn. */
function everyAlgorithm(kinds: readonly string[]): RunManifest[] {
  const [flow] = manifest().flows;
  return ccas
    .filter(({ engines, kind }) => engines.includes('virtual') && kinds.includes(kind))
    .map(({ id, kind }, i) => {
      const link = manifest().forward;
      const queue = queues[i % queues.length]!;
      const transport = i % 3 === 0 && kind === 'sender' ? ('quic' as const) : ('tcp' as const);
      const first = { ...flow!, cca: { id, params: {} }, transport };
      return manifest({
        duration_s: 3,
        seed: 7 + i,
        forward: {
          ...link,
          loss: i % 4 === 0 ? 0.01 : 0,
          queue: { ...link.queue, id: queue.id, limit_bytes: queue.limited ? 45_000 : null },
          capacity: traces[i % 2]!,
        },
        flows: i % 5 === 0 && kind === 'sender' ? [first, { ...flow!, start_s: 0.5 }] : [first],
      });
    });
}

describe('a process that stays', () => {
  it('gives every run the bytes that it has alone, whatever was run before it', async () => {
    const planned = everyAlgorithm(['sender', 'oracle']);
    expect(planned.length).toBeGreaterThan(20);
    const expected = planned.map(alone);
    const orders = [
      planned.keys(),
      [...planned.keys()].reverse(),
      [...planned.keys()].map((i) => (i * 7) % planned.length),
    ];
    let first: number[] = [];
    for (const order of orders)
      for (const i of order) {
        const { outcome, reason, bytes } = await record(planned[i]!);
        expect([outcome, reason]).toEqual(['done', null]);
        expect(bytes.equals(expected[i]!), planned[i]!.flows[0]!.cca.id).toBe(true);
        if (first.length === 0) first = children();
      }
    expect(first).toHaveLength(1);
    expect(children()).toEqual(first);
  });

  it('leaves out the samples where nobody looks at them, and says all else as ever', async () => {
    const said = (bytes: Buffer): unknown[] =>
      [...new FrameDecoder().push(bytes)]
        .filter(({ header }) => header.kind === FRAME_KIND_CONTROL)
        .map((frame) => JSON.parse(Buffer.from(payloadOf(frame)).toString()) as { type: string })
        .filter(({ type }) => type !== 'progress');
    let [whole, without] = [0, 0];
    for (const planned of everyAlgorithm(['sender', 'oracle', 'ideal'])) {
      const [first, second] = [await record(planned), await record(planned, { samples: false })];
      expect([first.outcome, second.outcome]).toEqual(['done', 'done']);
      expect(said(second.bytes), planned.flows[0]!.cca.id).toEqual(said(first.bytes));
      whole += first.bytes.byteLength;
      without += second.bytes.byteLength;
    }
    expect(without).toBeLessThan(whole / 4);
    // Each kind has a process of its own.
    expect(children()).toHaveLength(2);
  });

  it('is as many as there are runs at once', async () => {
    await Promise.all([record(manifest({ duration_s: 30 })), record(manifest({ duration_s: 30, seed: 2 }))]);
    const both = children();
    expect(both).toHaveLength(2);
    await Promise.all([record(manifest()), record(manifest({ seed: 2 }))]);
    expect(children()).toEqual(both);
  });

  it('costs one run only when it is killed in the middle of it', async () => {
    const before = await record(manifest());
    const [victim = 0] = children();
    let killed = false;
    const { outcome, cause, reason } = await record(LONG, {
      onFrame: (_, header) => {
        if (!killed && header.rows > 0) killed = process.kill(victim, 'SIGKILL');
      },
    });
    expect([outcome, cause, reason]).toEqual(['failed', 'killed', 'paceline-simulate was ended by SIGKILL']);
    const after = await record(manifest());
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect(children()).not.toContain(victim);
  });

  it('costs no run when it is killed while it rests', async () => {
    await record(manifest());
    for (const victim of children()) process.kill(victim, 'SIGKILL');
    // At once: whether its end is known by then is chance.
    expect(await record(manifest())).toMatchObject({ outcome: 'done', reason: null });
    for (const victim of children()) process.kill(victim, 'SIGSEGV');
    await expect.poll(children, { timeout: 5000, interval: 5 }).toEqual([]);
    expect(await record(manifest())).toMatchObject({ outcome: 'done', reason: null });
  });

  it('refuses a run with the words that it has alone, and the next is none the worse', async () => {
    const [flow] = manifest().flows;
    const bad = manifest({ flows: [{ ...flow!, cca: { id: 'cubik', params: {} } }] });
    const { bytes: _, ...fresh } = await record(bad);
    expect(fresh.reason).toContain(
      'paceline-simulate ended with exit code 127: paceline-simulate: flows[0].cca.id: there is no',
    );
    await record(manifest());
    const { bytes: __, ...warm } = await record(bad);
    expect(warm).toEqual(fresh);
    expect(await record(manifest())).toMatchObject({ outcome: 'done', stderrTail: '' });
  });

  it('ends at once with a run that is stopped', async () => {
    await record(manifest());
    const controller = new AbortController();
    const { outcome } = await record(LONG, {
      signal: controller.signal,
      onFrame: (_, header) => {
        if (header.rows > 0) controller.abort();
      },
    });
    expect(outcome).toBe('cancelled');
    expect(children()).toEqual([]);
    expect(await record(manifest())).toMatchObject({ outcome: 'done' });
  });

  it('is replaced after so many runs, and when it has grown', async () => {
    const pids = async (limits: ConstructorParameters<typeof Simulators>[0]): Promise<Set<number>> => {
      const seen = new Set<number>();
      const some = new Simulators(limits);
      for (let i = 0; i < 6; i++) {
        const onFrame: RunOptions['onFrame'] = (_, __, control) => {
          if (control?.type === 'hello') for (const pid of children()) seen.add(pid);
        };
        expect(await record(manifest(), { simulators: some, onFrame })).toMatchObject({ outcome: 'done' });
      }
      await some.close();
      return seen;
    };
    expect((await pids({ mostRuns: 2 })).size).toBe(3);
    expect((await pids({ mostKib: 1 })).size).toBe(6);
    expect((await pids({})).size).toBe(1);
  });

  it('ends when it has rested for long', async () => {
    const some = new Simulators({ idleMs: 50 });
    await record(manifest(), { simulators: some });
    await expect.poll(children, { timeout: 5000, interval: 5 }).toEqual([]);
    expect(await record(manifest(), { simulators: some })).toMatchObject({ outcome: 'done' });
    await some.close();
  });
});

describe('a program that talks out of turn', () => {
  it('is not asked again, and what it said is nobody’s', async () => {
    const programs = new FakePrograms();
    try {
      programs.add(
        'paceline-simulate',
        [],
        `read -r line; cat '${programs.dir}/whole'; sleep 0.05; cat '${programs.dir}/whole'; : > '${programs.dir}/said'; sleep 60`,
      );
      writeFileSync(join(programs.dir, 'whole'), Buffer.concat(wholeRun(5)));
      expect(await record(manifest())).toMatchObject({ outcome: 'done' });
      await expect.poll(() => existsSync(join(programs.dir, 'said')), { timeout: 10_000, interval: 5 }).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await record(manifest())).toMatchObject({ outcome: 'done' });
      expect(programs.pids()).toHaveLength(2);
    } finally {
      await simulators.close();
      programs.remove();
    }
  });

  it('is another one after it was built anew', async () => {
    const programs = new FakePrograms();
    try {
      const script = `while read -r line; do cat '${programs.dir}/whole'; done`;
      writeFileSync(join(programs.dir, 'whole'), Buffer.concat(wholeRun(5)));
      programs.add('paceline-simulate', [], script);
      for (let i = 0; i < 3; i++) expect(await record(manifest())).toMatchObject({ outcome: 'done' });
      expect(programs.pids()).toHaveLength(1);
      rmSync(join(programs.dir, 'paceline-simulate'));
      programs.add('paceline-simulate', [], `${script} #`);
      expect(await record(manifest())).toMatchObject({ outcome: 'done' });
      expect(programs.pids()).toHaveLength(2);
    } finally {
      await simulators.close();
      programs.remove();
    }
  });
});
