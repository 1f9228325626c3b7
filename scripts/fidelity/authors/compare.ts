// The authors' programs over the modelled link in real time, ours over the same link in virtual time.
import { loadavg } from 'node:os';
import { run } from '#bridge/run';
import { listCcas } from '#bridge/ccas';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import type { Lanes } from '../lanes.ts';
import { runOverLink } from '../link-run.ts';
import { asWritten } from '../bench.ts';
import { RTT_MS, type AuthorsLink } from './links.ts';
import type { FoundProgram } from './programs.ts';
import type { Reached } from './verdict.ts';

export interface AuthorsCell {
  readonly program: string;
  readonly link: string;
  readonly theirs: readonly Reached[];
  readonly ours: readonly Reached[];
  /** Runs that the machine did not keep up with. */
  readonly overruns: number;
  /** Why runs of the program failed. */
  readonly failures: readonly string[];
  /** Runnable programs per core while it was measured, at most. */
  readonly load: number;
}

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
    sample_period_ms: 100,
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
        const options = { tracesDir: dir, external: [found.external], onFrame: () => undefined };
        const outcome = await run(theirManifest(found, link, seconds, i), options);
        return { outcome, load: loadavg()[0] ?? 0 };
      }),
    ),
  );
  const ours = await live.run(() => Promise.all(each.map((i) => oursOver(found, link, seconds, i, dir))));
  const done = measured.flatMap(({ outcome }) =>
    outcome.outcome === 'done' && outcome.summary !== null ? [outcome.summary] : [],
  );
  const kept = done.filter(({ lateness }) => lateness?.overrun !== true);
  const theirs = kept.map(reached).filter(({ mbps }) => mbps > 0);
  const failures = measured.flatMap(({ outcome }) =>
    outcome.outcome === 'done' ? [] : [outcome.reason ?? outcome.outcome],
  );
  if (theirs.length < kept.length) failures.push(`${kept.length - theirs.length} of its runs carried nothing`);
  return {
    program: found.program.name,
    link: link.name,
    theirs,
    ours,
    overruns: done.length - kept.length,
    failures,
    load: Math.max(...measured.map(({ load }) => load)),
  };
}

/** The authors' receivers acknowledge every packet. */
async function oursOver(
  { program }: FoundProgram,
  { capacity, queueBytes }: AuthorsLink,
  seconds: number,
  repetition: number,
  dir: string,
): Promise<Reached> {
  const plan = {
    flows: [{ ...program.ours, startS: program.settleS ?? 0 }],
    capacity,
    queueBytes,
    rttMs: RTT_MS,
    seconds,
    seed: repetition + 1,
    ackEvery: 1,
  };
  return reached((await runOverLink(plan, asWritten(dir))).summary);
}
