// The authors' programs over the modelled link in real time, ours over the same link in virtual time; where these differ, ours in real time, too.
import { loadavg } from 'node:os';
import { run } from '#bridge/run';
import { listCcas } from '#bridge/ccas';
import { LINK_COLUMNS } from '#protocol/columns';
import { decodeSamples, FRAME_KIND_SAMPLES } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import type { Lanes } from '../lanes.ts';
import { runOverLink } from '../link-run.ts';
import { asWritten } from '../bench.ts';
import { RTT_MS, type AuthorsLink } from './links.ts';
import type { FoundProgram } from './programs.ts';
import { authorsVerdict, type Reached } from './verdict.ts';

export interface AuthorsCell {
  readonly program: string;
  readonly link: string;
  readonly theirs: readonly Reached[];
  readonly ours: readonly Reached[];
  /** Ours in real time; empty where virtual time agrees, or this machine kept up with none. */
  readonly live: readonly Reached[];
  /** Runs that the machine did not keep up with. */
  readonly overruns: number;
  /** Why runs of the program failed. */
  readonly failures: readonly string[];
  /** Runnable programs per core while it was measured, at most. */
  readonly load: number;
}

const SAMPLE_MS = 10;
const FORWARD_STREAM = 0;
const DELIVERED = LINK_COLUMNS.findIndex(({ name }) => name === 'delivered_mbps');

const INFINITE = { id: 'infinite', limit_bytes: null, limit_packets: null, params: {} };
const { engine_version } = await listCcas();

function reached({ links, duration_s }: RunSummary): Reached {
  const link = links.find(({ direction }) => direction === 'forward');
  if (link === undefined) throw new Error('the run has no forward link');
  return {
    mbps: (link.delivered_bytes * 8) / (duration_s * 1e6),
    queueingMs: link.queueing_delay.mean_ms ?? NaN,
    lossPercent: link.arrived_packets === 0 ? NaN : (100 * link.dropped_packets) / link.arrived_packets,
  };
}

function theirManifest(
  { external }: FoundProgram,
  link: AuthorsLink,
  seconds: number,
  repetition: number,
): RunManifest {
  const path = { loss: 0, delay_ms: RTT_MS / 2 };
  return {
    schema: 1,
    engine: 'realtime',
    path: 'tun',
    engine_version,
    duration_s: seconds,
    sample_period_ms: SAMPLE_MS,
    seed: repetition + 1,
    repetition,
    forward: {
      ...path,
      queue: { id: 'droptail', limit_bytes: link.queueBytes, limit_packets: null, params: {} },
      capacity: link.capacity,
    },
    reverse: { ...path, queue: INFINITE, capacity: { kind: 'unlimited' } },
    flows: [
      {
        cca: { id: external.id, params: {}, revision: external.revision },
        start_s: 0,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 1,
        source: { kind: 'bulk' },
      },
    ],
  };
}

/** Of a sample: less is a greeting. What carries data begins with full packets, or close to it. */
const DATA_BYTES = 750;
const DATA_MBPS = (DATA_BYTES * 8) / (SAMPLE_MS * 1e3);

/** Hears when the link first delivered data, to the sample: programs take their time to start, and to greet before they send. */
class Beginning {
  #rowsBefore = 0;
  seconds: number | null = null;

  hear(bytes: Uint8Array): void {
    if (this.seconds !== null) return;
    const { stream, rows, columns } = decodeSamples(bytes);
    if (stream !== FORWARD_STREAM) return;
    const first = columns[DELIVERED]?.findIndex((mbps) => mbps >= DATA_MBPS) ?? -1;
    if (first >= 0) this.seconds = ((this.#rowsBefore + first) * SAMPLE_MS) / 1e3;
    this.#rowsBefore += rows;
  }
}

/** Of ours, within the sample in which theirs began: where that decides, ours differ by it as theirs do by chance. */
const INSTANTS = 5;

/** When ours begin, in seconds, if theirs was first delivered data in the sample at `beginS`, which takes the link's delay. */
export const instantsOf = (beginS: number): readonly number[] =>
  Array.from({ length: INSTANTS }, (_, i) =>
    Math.max(0, beginS + ((i + 0.5) * SAMPLE_MS) / INSTANTS / 1e3 - RTT_MS / 2e3),
  );

export interface AuthorsOptions {
  readonly seconds: number;
  readonly repetitions: number;
  readonly dir: string;
  /** Real-time runs at a time. */
  readonly live: Lanes;
}

/** One program over one link, and ours: their runs differ by chance, ours by their seeds. Ours wait for theirs, which want the machine. */
export async function compareAuthors(
  found: FoundProgram,
  link: AuthorsLink,
  { seconds, repetitions, dir, live }: AuthorsOptions,
): Promise<AuthorsCell> {
  const each = Array.from({ length: repetitions }, (_, i) => i);
  const measured = await Promise.all(
    each.map((i) =>
      live.run(async () => {
        const beginning = new Beginning();
        const outcome = await run(theirManifest(found, link, seconds, i), {
          tracesDir: dir,
          external: [found.external],
          onFrame: (bytes, { kind }) => {
            if (kind === FRAME_KIND_SAMPLES) beginning.hear(bytes);
          },
        });
        return { outcome, load: loadavg()[0] ?? 0, beginS: beginning.seconds };
      }),
    ),
  );
  const begun = measured.map(({ beginS }) => instantsOf(beginS ?? 0));
  const plan = (startS: number, repetition: number): OurRun => ({ seconds, startS, repetition, dir });
  const ours = (
    await live.run(() =>
      Promise.all(begun.flatMap((instants, i) => instants.map((startS) => oursOver(found, link, plan(startS, i))))),
    )
  ).flatMap((one) => one ?? []);
  const done = measured.flatMap(({ outcome }) =>
    outcome.outcome === 'done' && outcome.summary !== null ? [outcome.summary] : [],
  );
  const kept = done.filter(({ lateness }) => lateness?.overrun !== true);
  const theirs = kept.map(reached).filter(({ mbps }) => mbps > 0);
  const failures = measured.flatMap(({ outcome }) =>
    outcome.outcome === 'done' ? [] : [outcome.reason ?? outcome.outcome],
  );
  // The same code with the machine's clock and its disturbances: what is gone with them is not the algorithm's.
  const inRealTime = ['near', 'differs'].includes(authorsVerdict(ours, theirs))
    ? await Promise.all(begun.map(([startS = 0], i) => live.run(() => oursOver(found, link, plan(startS, i), true))))
    : [];
  if (theirs.length < kept.length) failures.push(`${kept.length - theirs.length} of its runs carried nothing`);
  return {
    program: found.program.name,
    link: link.name,
    theirs,
    ours,
    live: inRealTime.flatMap((one) => one ?? []),
    overruns: done.length - kept.length,
    failures,
    load: Math.max(...measured.map(({ load }) => load)),
  };
}

interface OurRun {
  readonly seconds: number;
  /** When theirs began to send. */
  readonly startS: number;
  readonly repetition: number;
  readonly dir: string;
}

/** The authors' receivers acknowledge every packet. null: this machine did not keep up. */
async function oursOver(
  { program }: FoundProgram,
  { capacity, queueBytes }: AuthorsLink,
  { seconds, startS, repetition, dir }: OurRun,
  live = false,
): Promise<Reached | null> {
  const plan = {
    flows: [{ ...program.ours, startS }],
    capacity,
    queueBytes,
    rttMs: RTT_MS,
    seconds,
    seed: repetition + 1,
    ackEvery: 1,
    live,
  };
  const { summary } = await runOverLink(plan, asWritten(dir));
  return summary.lateness?.overrun === true ? null : reached(summary);
}
