// Runs that wait are run here, in the page's engines, a few at a time. One page of the site does it for all that are open.
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { ControlFrame } from '#protocol/control';
import { ownCcaId } from '#protocol/own-id';
import type { RunManifest } from '#protocol/manifest';
import { tracesOfManifest } from '#analysis/trace-owners';
import { lanes, theEngines } from '../../engine/engines';
import { programsOf } from '../../write/agreed';
import { weightsOfManifest } from '../../what-if/weights-of';
import { ownName } from '../../ui/place';
import { siteBytes, siteJson } from '../site';
import { invalid, Refused, unknown } from '../refusals';
import { database, kept, type KeptRun } from './database';
import { desk, type Desk } from './desk';
import { listing, traceText } from './library';
import { Recording, recordings } from './recording';

const LOCK = ownName('paceline-runs');
/** Whoever looks on is told so often how far a run has come. */
const PROGRESS_MS = 250;

const going = new Map<string, AbortController>();
let asked = false;
let isHere = false;

/** Sees to it that what waits is run, here or in the page that does so already. */
export function pump(): void {
  if (isHere) void next();
  if (asked) return;
  asked = true;
  // Browsers have no locks where the site came over plain HTTP: each page runs its own then.
  if ('locks' in navigator) void navigator.locks.request(LOCK, () => worked());
  else void worked();
}

/** What was left when the site was last closed goes on. */
export async function resume(): Promise<void> {
  const { runs } = await desk();
  if ([...runs.values()].some(({ state }) => state === 'queued' || state === 'running')) pump();
}

async function worked(): Promise<never> {
  isHere = true;
  const known = await desk();
  // What another page had begun when it was closed.
  for (const run of known.runs.values())
    if (run.state === 'running') await known.put({ ...run, state: 'queued', time_s: 0, started_at: null });
  known.listen(({ kind, id }) => {
    if (kind !== 'run') return;
    // Another page has stopped it.
    if (known.runs.get(id)?.state === 'cancelled') going.get(id)?.abort();
    void next();
  });
  await next();
  // Held until the page is closed.
  return new Promise(() => undefined);
}

async function next(): Promise<void> {
  const known = await desk();
  for (const run of known.runs.values()) {
    if (going.size >= lanes()) return;
    if (run.state === 'queued' && !going.has(run.id)) {
      going.set(run.id, new AbortController());
      void made(run, known).finally(() => {
        going.delete(run.id);
        void next();
      });
    }
  }
}

/** A run that waits will not be run; one that goes on is ended. */
export async function cancelRun(id: string): Promise<void> {
  const known = await desk();
  const run = known.runs.get(id);
  if (run === undefined || (run.state !== 'queued' && run.state !== 'running')) return;
  const finished_at = new Date().toISOString();
  // First of all: what it still tells meanwhile is told by nobody.
  going.get(id)?.abort();
  await known.put({ ...run, state: 'cancelled', reason: 'stopped by you', finished_at });
}

async function programText(program: string): Promise<Uint8Array> {
  const own = await (await database()).get('algorithms', ownCcaId(program));
  if (own !== undefined) return new TextEncoder().encode(own.text);
  const found = (await siteJson(`/algorithms/${ownCcaId(program)}`)) as { readonly text?: unknown } | null;
  if (typeof found?.text !== 'string') throw new Refused(unknown(`/algorithms/${ownCcaId(program)}`));
  return new TextEncoder().encode(found.text);
}

async function weightsFile(id: string): Promise<Uint8Array> {
  const bytes = await siteBytes(`/weights/${id}/file`);
  if (bytes === null) throw new Refused(unknown(`The weights file ${id}`));
  return bytes;
}

const named = async (ids: readonly string[], of: (id: string) => Promise<Uint8Array>) =>
  new Map(await Promise.all(ids.map(async (id) => [id, await of(id)] as const)));

async function shelfOf(manifest: RunManifest) {
  const { ccas } = await listing();
  const [traces, weights, programs] = await Promise.all([
    named(tracesOfManifest(manifest), traceText),
    named(weightsOfManifest(manifest, ccas), weightsFile),
    named(programsOf(manifest), programText),
  ]);
  return { traces, weights, programs };
}

async function made(waiting: KeptRun, known: Desk): Promise<void> {
  const { id, manifest } = waiting;
  const { signal } = going.get(id) ?? new AbortController();
  const recording = new Recording();
  recordings.set(id, recording);
  const started_at = new Date().toISOString();
  const running: KeptRun = { ...waiting, state: 'running', started_at };
  const over = async (run: Pick<KeptRun, 'state' | 'reason' | 'time_s' | 'summary'>): Promise<void> => {
    // Whoever stopped it has said so already.
    if (known.runs.get(id)?.state !== 'cancelled')
      await known.put({ ...running, ...run, finished_at: new Date().toISOString() });
  };
  try {
    if (known.runs.get(id)?.state !== 'queued') return;
    await known.put(running);
    let told = performance.now();
    const [pool, shelf] = await Promise.all([theEngines(), shelfOf(manifest)]);
    const { outcome, reason, summary } = await pool.run(manifest, shelf, {
      signal,
      onFrame: (bytes, header, control) => recording.add(bytes, header, control),
      onProgress: (time_s) => {
        if (performance.now() - told < PROGRESS_MS || signal.aborted) return;
        told = performance.now();
        known.progress({ ...running, time_s });
      },
    });
    if (outcome === 'cancelled') return;
    const frames = { run: id, ...(await recording.packed()) };
    await kept((db) => db.put('frames', frames));
    const time_s = outcome === 'done' ? manifest.duration_s : recording.timeS;
    await over({ state: outcome, reason, time_s, summary });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await over({ state: 'failed', reason, time_s: 0, summary: null }).catch(() => undefined);
  } finally {
    recording.end();
    recordings.delete(id);
  }
}

/** Streams that are drawn: the link, the sender and its receiver. */
const DRAWN: ReadonlySet<number> = new Set([FORWARD_LINK_STREAM, senderStream(0), receiverStream(0)]);
const isTold = ({ type }: ControlFrame): boolean => type === 'hello' || type === 'summary' || type === 'end';

/** A run that nobody keeps, as telemetry frames: hello, summary and end, then samples. */
export async function framesMade(manifest: RunManifest, signal?: AbortSignal): Promise<Uint8Array> {
  const [pool, shelf] = await Promise.all([theEngines(), shelfOf(manifest)]);
  const told: Uint8Array<ArrayBuffer>[] = [];
  const samples: Uint8Array<ArrayBuffer>[] = [];
  const { outcome, reason } = await pool.run(manifest, shelf, {
    ...(signal && { signal }),
    onFrame: (bytes, { stream }, control) => {
      const frame = bytes as Uint8Array<ArrayBuffer>;
      if (control === null ? DRAWN.has(stream) : isTold(control)) (control === null ? samples : told).push(frame);
    },
  });
  if (outcome !== 'done') throw new Refused(invalid(reason ?? 'the engine did not say why'));
  return new Uint8Array(await new Blob([...told, ...samples]).arrayBuffer());
}
