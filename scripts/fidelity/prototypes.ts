import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importTrace } from '#bridge/traces';
import type { CapacitySpec } from '#protocol/manifest';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import type { Finding } from '#protocol/fidelity';
import { numberText, type Figure } from './finding.ts';
import { runOverLink, type FlowOfRun } from './link-run.ts';

interface Figures {
  readonly mbps: number;
  readonly queueingMs?: number;
  readonly lossPercent?: number;
}

/** What an authors' program reached. Ours is never adjusted to these. */
interface Prototype {
  readonly flow: FlowOfRun;
  readonly program: string;
  readonly rateMbps: number;
  readonly seconds: number;
  /** Absent: QUEUE_BYTES. */
  readonly queueBytes?: number;
  readonly theirs: Figures;
}

const RTT_MS = 40;
const QUEUE_BYTES = 240_000;
const SEED = 1;
const link = { rateMbps: 24, seconds: 20 };

const PROTOTYPES: readonly Prototype[] = [
  ...[{}, { delta: 0.1 }, { profile: 'paper' }].map((params) => ({
    flow: { cca: 'copa', params },
    program: 'genericCC',
    rateMbps: 24,
    seconds: 60,
    theirs: 'delta' in params ? { mbps: 18.5, queueingMs: 8.3 } : { mbps: 21.91, queueingMs: 2.9 },
  })),
  {
    flow: { cca: 'copa' },
    program: 'genericCC',
    rateMbps: 100,
    queueBytes: 1_000_000,
    seconds: 60,
    theirs: { mbps: 95, queueingMs: 0.9 },
  },
  {
    ...link,
    flow: { cca: 'vivace', params: { profile: 'uspace' } },
    program: 'PCC-Uspace, Vivace',
    theirs: { mbps: 22, queueingMs: 2.2, lossPercent: 0.1 },
  },
  {
    ...link,
    flow: { cca: 'vivace' },
    program: 'PCC of NSDI 2018, latency',
    theirs: { mbps: 20.6, queueingMs: 2, lossPercent: 0.7 },
  },
  {
    ...link,
    flow: { cca: 'vivace', params: { b_latency: 0 } },
    program: 'PCC of NSDI 2018, loss',
    theirs: { mbps: 22.1, queueingMs: 57, lossPercent: 15 },
  },
  {
    ...link,
    flow: { cca: 'proteus-s' },
    program: 'PCC-Uspace, scavenger',
    theirs: { mbps: 21.4, queueingMs: 3.2, lossPercent: 0.4 },
  },
  {
    ...link,
    flow: { cca: 'verus' },
    program: 'verus_server',
    theirs: { mbps: 20.9, queueingMs: 50, lossPercent: 20 },
  },
  {
    ...link,
    flow: { cca: 'sprout', params: { pacing: 'off' } },
    program: 'sproutbt2',
    theirs: { mbps: 14.4, queueingMs: 8 },
  },
];

const AGREES = { share: 0.1, delayShare: 0.2, delayMs: 3, lossPoints: 3 };
export const PROTOTYPE_TOLERANCE = `rate ${100 * AGREES.share} %, queueing ${100 * AGREES.delayShare} % or ${AGREES.delayMs} ms, loss ${AGREES.lossPoints} points beside the span of ours over the smooth and the stepped link`;

type Tolerances = { readonly [figure in keyof Figures]-?: (theirs: number) => number };
const TOLERANCES: Tolerances = {
  mbps: (theirs) => AGREES.share * theirs,
  queueingMs: (theirs) => Math.max(AGREES.delayMs, AGREES.delayShare * theirs),
  lossPercent: () => AGREES.lossPoints,
};

/** What of ours, over the smooth and the stepped link and between them, is nearest to theirs: what a program meets lies between the two. */
function compared(smooth: Required<Figures>, inSteps: Required<Figures>, theirs: Figures): Figure[] {
  return (Object.keys(TOLERANCES) as (keyof Figures)[]).flatMap((name) => {
    const value = theirs[name];
    if (value === undefined) return [];
    const [low, high] = [Math.min(smooth[name], inSteps[name]), Math.max(smooth[name], inSteps[name])];
    const tolerance = TOLERANCES[name](value);
    const band = { low: Math.max(0, value - tolerance), high: value + tolerance };
    return [{ name, band, value: Math.min(Math.max(value, low), high) }];
  });
}

const text = ({ mbps, queueingMs, lossPercent }: Figures): string =>
  [
    `${numberText(mbps)} Mbps`,
    ...(queueingMs === undefined ? [] : [`${numberText(queueingMs)} ms`]),
    ...(lossPercent === undefined ? [] : [`${numberText(lossPercent)} % lost`]),
  ].join(', ');

const stepped = new Map<string, Promise<CapacitySpec>>();

/** The same rate in steps of whole milliseconds, as Mahimahi offers it. */
function steppedCapacity(rateMbps: number, dir: string): Promise<CapacitySpec> {
  const key = `${rateMbps} ${dir}`;
  const capacity = stepped.get(key) ?? importSteps(rateMbps, dir);
  stepped.set(key, capacity);
  return capacity;
}

async function importSteps(rateMbps: number, dir: string): Promise<CapacitySpec> {
  const packetsPerMs = (rateMbps * 1e3) / 12_000;
  const file = join(dir, `steps-${rateMbps}.txt`);
  const counts = Array.from(
    { length: 3000 },
    (_, ms) => Math.floor(packetsPerMs * (ms + 1)) - Math.floor(packetsPerMs * ms),
  );
  const lines = counts.flatMap((count, ms) => (count === 0 ? [] : [`${ms + 1} ${count}\n`]));
  await writeFile(file, `# ms count\n${lines.join('')}`);
  const { info } = await importTrace(file, dir);
  return { kind: 'trace', sha256: info.sha256, name: 'steps', offset_ms: 0 };
}

async function oursOver(prototype: Prototype, capacity: CapacitySpec, bench: Bench): Promise<Required<Figures>> {
  const { flow, seconds, queueBytes = QUEUE_BYTES } = prototype;
  const plan = { flows: [flow], capacity, queueBytes, rttMs: RTT_MS, seconds, seed: SEED };
  const run = await runOverLink(plan, bench);
  return {
    mbps: run.summary.receivers[0]?.throughput_mbps ?? NaN,
    queueingMs: run.link.queueing_delay.mean_ms ?? NaN,
    lossPercent: (100 * run.link.dropped_packets) / run.link.arrived_packets,
  };
}

export const prototypesOf = (ccas: ReadonlySet<string>): readonly Prototype[] =>
  PROTOTYPES.filter(({ flow }) => ccas.has(flow.cca));

export async function comparePrototype(prototype: Prototype, bench: Bench): Promise<Finding> {
  const { flow, program, rateMbps, seconds, queueBytes = QUEUE_BYTES, theirs } = prototype;
  const smooth = await oursOver(prototype, { kind: 'constant', rate_mbps: rateMbps }, bench);
  const inSteps = await oursOver(prototype, await steppedCapacity(rateMbps, bench.dir), bench);
  const params = Object.entries(flow.params ?? {}).map(([name, value]) => `, ${name} = ${value}`);
  return judged(
    {
      section: 'prototypes',
      id: `prototypes/${flow.cca}/${program}/${rateMbps}${params.join('')}`.replaceAll(' ', '-'),
      ccas: [flow.cca],
      what: `${flow.cca}${params.join('')} beside ${program}: ${rateMbps} Mbps, 2 × 20 ms, ${queueBytes / 1000} kB droptail, ${seconds} s`,
      expected: text(theirs),
      measured: `${text(smooth)}; in steps of 1 ms ${text(inSteps)}`,
      source: 'measured: the authors’ program in real time',
    },
    compared(smooth, inSteps, theirs),
    bench,
  );
}
