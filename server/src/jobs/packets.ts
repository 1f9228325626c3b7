// Runs packet by packet. Nothing of it is stored: a run in virtual time is made again, and shown only if it comes to the same figures.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countsOf } from '#analysis/trace-counts';
import type { RunManifest } from '#protocol/manifest';
import { PACKET_LIMITS, type PacketWindow, type QueueByFlow } from '#protocol/packets';
import { watchPackets, watchQueue, type MadeAgain, type WatchOptions } from '#bridge/made-again';
import { hasOwnAlgorithm } from '#bridge/named-texts';
import { ProgramFailed } from '#bridge/one-shot';
import { summaryHash } from '../bundle/hashes.ts';
import { captureOf, type CaptureOf } from '../capture/capture.ts';
import { linkLogOf } from '../capture/link-log.ts';
import { ns3TraceOf } from '../capture/ns3-trace.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';

type From = Pick<Lab, 'dataDir' | 'engine' | 'experiments' | 'helpers'>;

export interface PacketSpan {
  readonly from_s: number;
  readonly to_s: number;
  readonly most?: number;
}

/** Points of a curve over the whole run, about. */
const QUEUE_POINTS = 3000;

/** What was under way in a span of the run. */
export async function packetsOf(lab: From, run: string, span: PacketSpan, signal?: AbortSignal): Promise<PacketWindow> {
  const { from_s, to_s } = span;
  if (!(from_s < to_s)) throw new AppError('REQUEST_INVALID', 'from_s must come before to_s', { where: 'from_s' });
  if (to_s - from_s > PACKET_LIMITS.window_s)
    throw new AppError('REQUEST_INVALID', `not more than ${PACKET_LIMITS.window_s} s at once`, { where: 'to_s' });
  return again(lab, run, signal, (manifest, options) => {
    if (from_s >= manifest.duration_s)
      throw new AppError('REQUEST_INVALID', `the run lasts ${manifest.duration_s} s`, { where: 'from_s' });
    return watchPackets(manifest, span, options);
  });
}

/** A run from its beginning, window by window, each as long as may be told at once: it is made again for every one of them. */
async function* windowsOf(lab: From, run: string, to_s: number, signal?: AbortSignal): AsyncGenerator<PacketWindow> {
  for (let from_ns = 0; from_ns < to_s * 1e9;) {
    const from_s = Math.floor(from_ns / 1e3) / 1e6;
    const window = await packetsOf(lab, run, { from_s, to_s: Math.min(to_s, from_s + PACKET_LIMITS.window_s) }, signal);
    yield window;
    const until = Math.min(window.to_ns, window.complete_until_ns);
    if (until <= from_ns)
      throw refused(`more than ${PACKET_LIMITS.packets} packets are under way at ${from_s} s, too many to be followed`);
    from_ns = until;
  }
}

interface FileSpan {
  readonly from_s?: number | undefined;
  readonly to_s?: number | undefined;
}

/** A run, or a span of it, as a pcapng file in pieces. What keeps it from being made is said before the first of them. */
export async function captureRun(
  lab: From,
  run: string,
  span: FileSpan,
  signal?: AbortSignal,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { of, windows } = await watchedSpan(lab, run, span, signal);
  return captureOf(of, windows);
}

/** What happened at the queue of its link, as Mahimahi logs it, in pieces; as `captureRun`. */
export async function linkLog(
  lab: From & Pick<Lab, 'traces'>,
  run: string,
  span: FileSpan,
  signal?: AbortSignal,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { of, windows } = await watchedSpan(lab, run, span, signal);
  const { capacity } = of.manifest.forward;
  const counts =
    capacity.kind === 'trace' ? countsOf(await readFile(await lab.traces.file(capacity.sha256), 'utf8')) : null;
  return linkLogOf({ ...of, counts }, windows);
}

/** A run, or a span of it, as an ASCII trace of ns-3, in pieces; as `captureRun`. */
export async function ns3Trace(
  lab: From,
  run: string,
  span: FileSpan,
  signal?: AbortSignal,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { of, windows } = await watchedSpan(lab, run, span, signal);
  return ns3TraceOf(of, windows);
}

async function watchedSpan(
  lab: From,
  run: string,
  { from_s = 0, to_s = Infinity }: FileSpan,
  signal: AbortSignal | undefined,
): Promise<{ readonly of: CaptureOf & { manifest: RunManifest }; readonly windows: AsyncGenerator<PacketWindow> }> {
  if (!(from_s < to_s)) throw new AppError('REQUEST_INVALID', 'from_s must come before to_s', { where: 'from_s' });
  const { manifest } = lab.experiments.run(run);
  const { duration_s } = manifest;
  if (from_s >= duration_s) throw new AppError('REQUEST_INVALID', `the run lasts ${duration_s} s`, { where: 'from_s' });
  const windows = windowsOf(lab, run, Math.min(to_s, duration_s), signal);
  const first = await windows.next();
  const { engine_version } = await lab.engine.listing();
  const [from_ns, to_ns] = [from_s * 1e9, to_s < duration_s ? to_s * 1e9 : Infinity];
  return { of: { run, engine_version, manifest, from_ns, to_ns }, windows: continued(first, windows) };
}

/** With what was asked for beforehand. */
async function* continued<T>(first: IteratorResult<T, unknown>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** Whose packets fill the queue, over the whole run. */
export async function queueByFlow(lab: From, run: string, signal?: AbortSignal): Promise<QueueByFlow> {
  return again(lab, run, signal, (manifest, options) => {
    const period_ms = Math.max(
      Math.ceil(manifest.sample_period_ms),
      Math.ceil((manifest.duration_s * 1000) / QUEUE_POINTS),
    );
    return watchQueue(manifest, { period_ms }, options);
  });
}

async function again<T>(
  lab: From,
  run: string,
  gone: AbortSignal | undefined,
  watch: (manifest: RunManifest, options: WatchOptions) => Promise<MadeAgain<T>>,
): Promise<T> {
  const { manifest, summary, state } = lab.experiments.run(run);
  if (manifest.engine === 'realtime')
    throw refused('it was made in real time, and only a run in virtual time can be made again exactly');
  if (state !== 'done' || summary === null) throw refused('it has not ended well');
  if (hasOwnAlgorithm(manifest))
    throw refused('a flow of it runs an own algorithm, and the engine that runs those does not tell of single packets');
  const { engine_version, ccas } = await lab.engine.listing();
  const ideal = ccas.find(({ id, kind }) => kind === 'ideal' && manifest.flows.some(({ cca }) => cca.id === id));
  if (ideal !== undefined) throw refused(`${ideal.label} is worked out from the trace alone: it sends no packets`);
  const made = await lab.helpers.run(gone, async (signal) => {
    try {
      return await watch({ ...manifest, engine_version }, { tracesDir: join(lab.dataDir, 'traces'), signal });
    } catch (error) {
      if (error instanceof ProgramFailed && !signal.aborted) throw refused(error.message);
      throw error;
    }
  });
  // An engine that was changed since may make another run of the same manifest: its packets would not be these.
  if (summaryHash(made.summary) !== summaryHash(summary))
    throw refused(
      `the engine ${engine_version} comes to other figures than ${manifest.engine_version}, which made it`,
      'Run it again with this engine: the new run can be watched.',
    );
  return made.told;
}

const refused = (detail: string, hint?: string): AppError =>
  new AppError('RUN_NOT_WATCHABLE', detail, hint === undefined ? {} : { hint });
