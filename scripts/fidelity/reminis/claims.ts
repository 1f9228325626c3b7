// What the paper says of Reminis in numbers (sections V and VI), and how it is measured: means over recordings, as its figures have them.
import type { Reading } from './readings.ts';

/** Means over the recordings of one kind. */
export interface Measured {
  readonly utilisation: number;
  readonly mbps: number;
  readonly delayMs: number;
  readonly p95Ms: number;
  readonly queueingMs: number;
  readonly lost: number;
}

export interface Setting {
  readonly kind: '5G' | '3G and 4G';
  readonly rttMs: number;
  readonly queue: { readonly packets: number } | { readonly bdp: number };
  readonly params?: Reading;
}

/** The setting's figures of an algorithm; 'reminis' is the reading in question. */
export type Look = (cca: 'reminis' | 'cubic' | 'bbr2' | 'vegas', setting: Setting) => Promise<Measured>;

export interface Claim {
  /** Stable. */
  readonly id: string;
  /** Figure, as printed. */
  readonly where: string;
  readonly what: string;
  readonly published: number;
  /** What is as far off as it may be: in the claim's unit, or a factor for ratios. */
  readonly tolerance: number;
  readonly form: 'about' | 'at most' | 'at least' | 'factor';
  readonly measure: (look: Look) => Promise<number>;
}

const BASE_RTT_MS = 20;
const DTT_MS = 1.5 * BASE_RTT_MS;
const on5g = (queue: Setting['queue'], params: Reading = {}, rttMs = BASE_RTT_MS): Setting => ({
  kind: '5G',
  rttMs,
  queue,
  params,
});
const SA = { packets: 3200 };
const NSA = { packets: 800 };
const MEC: Setting = on5g(SA, { dtt_mode: 'absolute', dtt_ms: 20 }, 10);
const OLDER: Setting = { kind: '3G and 4G', rttMs: BASE_RTT_MS, queue: NSA };

const POINTS = 10;
const FACTOR = 1.25;

type Pair = readonly [Measured, Measured];
const beside =
  (cca: 'cubic' | 'bbr2' | 'vegas', setting: Setting, of: (pair: Pair) => number) =>
  async (look: Look): Promise<number> =>
    of([await look('reminis', setting), await look(cca, setting)]);
const fewer = ([ours, theirs]: Pair): number => ours.utilisation - theirs.utilisation;

/** The two settings that all else builds on; enough to tell most readings apart. */
export const FIRST_CLAIMS: readonly Claim[] = [
  {
    id: 'sa-utilisation',
    where: 'figure 3',
    what: 'SA: utilisation less Cubic’s',
    published: -20,
    tolerance: POINTS,
    form: 'about',
    measure: beside('cubic', on5g(SA), fewer),
  },
  {
    id: 'sa-p95',
    where: 'figure 3',
    what: 'SA: Cubic’s p95 / Reminis’',
    published: 5,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('cubic', on5g(SA), ([ours, theirs]) => theirs.p95Ms / ours.p95Ms),
  },
  {
    id: 'vegas-throughput',
    where: 'section V-A',
    what: 'SA: throughput / Vegas’',
    published: 2.42,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('vegas', on5g(SA), ([ours, theirs]) => ours.mbps / theirs.mbps),
  },
  {
    id: 'vegas-delay',
    where: 'section V-A',
    what: 'SA: mean delay / Vegas’',
    published: 1.14,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('vegas', on5g(SA), ([ours, theirs]) => ours.delayMs / theirs.delayMs),
  },
  {
    id: 'vegas-p95',
    where: 'section V-A',
    what: 'SA: p95 / Vegas’',
    published: 1.4,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('vegas', on5g(SA), ([ours, theirs]) => ours.p95Ms / theirs.p95Ms),
  },
  {
    id: 'nsa-utilisation',
    where: 'figure 3',
    what: 'NSA: utilisation less Cubic’s',
    published: 0,
    tolerance: POINTS,
    form: 'about',
    measure: beside('cubic', on5g(NSA), fewer),
  },
  {
    id: 'nsa-p95',
    where: 'figure 3',
    what: 'NSA: Cubic’s p95 / Reminis’',
    published: 2,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('cubic', on5g(NSA), ([ours, theirs]) => theirs.p95Ms / ours.p95Ms),
  },
];

const doubled = on5g(SA, { dtt_factor: 2 });
const QUEUES = [800, 3200, 12_800, 51_200];
const RTTS_MS = [5, 10, 20, 30, 40, 50];

export const CLAIMS: readonly Claim[] = [
  ...FIRST_CLAIMS,
  {
    id: 'dtt2-utilisation',
    where: 'figure 3',
    what: 'DTT of 2: utilisation less BBRv2’s',
    published: 0,
    tolerance: POINTS,
    form: 'about',
    measure: beside('bbr2', doubled, fewer),
  },
  {
    id: 'dtt2-p95',
    where: 'figure 3',
    what: 'DTT of 2: BBRv2’s p95 / Reminis’',
    published: 2.2,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('bbr2', doubled, ([ours, theirs]) => theirs.p95Ms / ours.p95Ms),
  },
  {
    id: 'edge-delay',
    where: 'figure 4',
    what: 'edge, DTT of 20 ms: mean delay, ms',
    published: 20,
    tolerance: 2,
    form: 'at most',
    measure: async (look) => (await look('reminis', MEC)).delayMs,
  },
  {
    id: 'edge-throughput',
    where: 'figure 4',
    what: 'edge: throughput / Vegas’',
    published: 2.4,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('vegas', MEC, ([ours, theirs]) => ours.mbps / theirs.mbps),
  },
  {
    id: 'older-throughput',
    where: 'figure 5',
    what: '3G and 4G: BBRv2’s throughput / Reminis’',
    published: 1.08,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('bbr2', OLDER, ([ours, theirs]) => theirs.mbps / ours.mbps),
  },
  {
    id: 'older-queueing',
    where: 'figure 5',
    what: '3G and 4G: BBRv2’s queueing / Reminis’',
    published: 1.4,
    tolerance: FACTOR,
    form: 'factor',
    measure: beside('bbr2', OLDER, ([ours, theirs]) => theirs.queueingMs / ours.queueingMs),
  },
  ...QUEUES.map((packets) => ({
    id: `utilisation-${packets}`,
    where: 'figure 7',
    what: `${packets} packets: utilisation %`,
    published: 80,
    tolerance: POINTS,
    form: 'about' as const,
    measure: async (look: Look) => (await look('reminis', on5g({ packets }))).utilisation,
  })),
  ...QUEUES.map((packets) => ({
    id: `delay-${packets}`,
    where: 'figure 8',
    what: `${packets} packets: mean delay / DTT`,
    published: 1.03,
    tolerance: 0.1,
    form: 'at most' as const,
    measure: async (look: Look) => (await look('reminis', on5g({ packets }))).delayMs / DTT_MS,
  })),
  {
    id: 'dtt300',
    where: 'figure 9',
    what: 'DTT of 300 ms: utilisation less Cubic’s',
    published: -20,
    tolerance: POINTS,
    form: 'at least',
    measure: beside('cubic', on5g(NSA, { dtt_mode: 'absolute', dtt_ms: 300 }), fewer),
  },
  ...RTTS_MS.map((rttMs) => ({
    id: `rtt-utilisation-${rttMs}`,
    where: 'figure 10',
    what: `RTT of ${rttMs} ms, 1 BDP: utilisation %`,
    published: 80,
    tolerance: POINTS,
    form: 'about' as const,
    measure: async (look: Look) => (await look('reminis', on5g({ bdp: 1 }, {}, rttMs))).utilisation,
  })),
  ...RTTS_MS.map((rttMs) => ({
    id: `rtt-delay-${rttMs}`,
    where: 'figure 10',
    what: `RTT of ${rttMs} ms, 1 BDP: mean delay / DTT`,
    published: 1.03,
    tolerance: 0.1,
    form: 'at most' as const,
    measure: async (look: Look) => (await look('reminis', on5g({ bdp: 1 }, {}, rttMs))).delayMs / (1.5 * rttMs),
  })),
  {
    id: 'without-aimd',
    where: 'figure 12',
    what: 'without AIMD: utilisation less with it',
    published: -15,
    tolerance: POINTS,
    form: 'about',
    measure: async (look) =>
      (await look('reminis', on5g(SA, { aimd: false }))).utilisation - (await look('reminis', on5g(SA))).utilisation,
  },
];

/** How far a figure is from what was published, in tolerances: 0 where it is met, and 3 is as far as it gets. */
export function distance({ published, tolerance, form }: Claim, measured: number): number {
  const off =
    form === 'factor'
      ? Math.abs(Math.log(measured / published)) / Math.log(tolerance)
      : form === 'about'
        ? Math.abs(measured - published) / tolerance
        : Math.max(0, form === 'at most' ? measured - published : published - measured) / tolerance;
  return Number.isNaN(off) ? 3 : Math.min(off, 3);
}
