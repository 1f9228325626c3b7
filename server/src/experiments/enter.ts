// How a planned experiment gets into the store. One of 100 000 runs takes seconds: it is written in pieces that each take milliseconds,
// and is there for others when the last piece is. Until then its runs do not start, and if the server ends, nothing is left of it.
import { bytesIn, PACKET_BYTES } from '#analysis/limits';
import { packetCost, sampleBytes, type RunFlows, type RunSampling } from '#analysis/plan';
import type { Expansion, PlannedRun } from '#analysis/planner';
import type { FindTrace } from '#analysis/check-spec';
import { finish } from '#analysis/steps';
import type { Maker } from '#protocol/access';
import type { EngineListing } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import { runIdOf } from '../identity.ts';
import { ELSEWHERE } from '../shard/shard.ts';
import { inGroups } from '../slices.ts';
import type { NewJob } from '../store/jobs.ts';
import type { Places } from '../store/experiments.ts';
import type { Store } from '../store/store.ts';

/** Runs that are read or written together: a millisecond or two. A slice takes as many pieces as it has time for. */
export const PIECE = 50;

export function* inPieces(places: number, size = PIECE): Generator<Places, void, undefined> {
  for (let from = 0; from < places; from += size) yield { from, to: Math.min(from + size, places) };
}

export interface EnterOptions {
  readonly store: Store;
  readonly id: string;
  readonly created_at: string;
  /** Null: it is everybody's. */
  readonly maker: Maker | null;
  /** Who alone may see it; left out: everybody. */
  readonly privateTo?: Maker | undefined;
  readonly expansion: Expansion;
  readonly jobOf: (run: string, manifest: RunManifest) => NewJob;
  /** The only ones that are queued; null: all. */
  readonly own: ReadonlySet<string> | null;
  /** A run that is there already: queue it again if it must be. */
  readonly again: (run: string, manifest: RunManifest) => void;
}

/** Writes an experiment that is not there yet. */
export function* enterSteps(options: EnterOptions): Generator<void, void, undefined> {
  const { store, id, created_at, expansion, own } = options;
  const { cells, spec } = expansion;
  const share = shareOf(options.maker);
  store.experiments.begin({ id, created_at, spec, cells });
  store.owners.put('experiment', id, options.maker);
  if (options.privateTo !== undefined) store.private.let('experiment', id, options.privateTo);
  const bulk = store.bulk();
  try {
    let place = 0;
    let cell = -1;
    const add = ({ manifest, canonical, ...run }: PlannedRun): void => {
      const runId = runIdOf(canonical);
      const isNew = store.runs.insert(runId, canonical, created_at);
      if (own?.has(runId) === false) {
        if (isNew) store.runs.cancel([runId], ELSEWHERE, created_at);
      } else if (isNew) store.jobs.add({ ...options.jobOf(runId, manifest), share }, true);
      else options.again(runId, manifest);
      for (let next = cells[cell + 1]; cells[cell]?.key !== run.cell && next !== undefined; next = cells[cell + 1])
        store.experiments.addCell(id, ++cell, next, place);
      store.experiments.addRun(id, place++, { ...run, id: runId });
    };
    for (const piece of inGroups(expansion.runs, PIECE)) {
      bulk.piece(() => piece.forEach(add));
      yield;
    }
    bulk.end();
    store.experiments.finish(id);
    for (const { from, to } of inPieces(place)) {
      bulk.piece(() => store.jobs.letGo(id, from, to));
      yield;
    }
    bulk.end();
  } finally {
    if (store.experiments.isReady(id) === false) yield* discardSteps(store, id);
  }
}

/** Takes an experiment out of the store that was not written to its end. */
export function* discardSteps(store: Store, id: string): Generator<void, void, undefined> {
  const bulk = store.bulk();
  for (const places of inPieces(store.experiments.places(id))) {
    bulk.piece(() => {
      // What another experiment shares with it may start.
      store.jobs.letGo(id, places.from, places.to);
      store.experiments.removeRuns(id, places);
    });
    yield;
  }
  bulk.end();
  store.experiments.remove(id);
}

/** After a server that ended in the middle: nothing may be left half. */
export function tidyUp(store: Store): void {
  for (const id of store.experiments.unready()) finish(discardSteps(store, id));
  store.jobs.letAllGo();
  for (const run of store.samplesGone.partial())
    store.transaction(() => {
      store.samples.deleteRows(run);
      store.samplesGone.end(run);
    });
}

/** Under whose name jobs stand in the queue: everybody's are of one. */
export const shareOf = (maker: Maker | null): string => (maker === null ? '' : `${maker.via} ${maker.name ?? ''}`);

/** What the queue must know of a run. */
export type Queueable = Pick<RunManifest, 'engine'> & RunFlows & RunSampling;

/** `listing`: null when the engine is not known, and so not how much it will tell. */
export function jobOf(
  run_id: string,
  manifest: Queueable,
  { find, realtimeCores, listing }: { find: FindTrace; realtimeCores: number; listing: EngineListing | null },
): NewJob {
  const {
    engine,
    duration_s,
    forward: { capacity },
  } = manifest;
  const mbps =
    capacity.kind === 'trace'
      ? (find(capacity.sha256)?.mean_mbps ?? 0)
      : capacity.kind === 'constant'
        ? capacity.rate_mbps
        : 0;
  const realtime = engine === 'realtime';
  return {
    run_id,
    cores: realtime ? realtimeCores : 1,
    packets: (packetCost(manifest) * bytesIn(mbps, duration_s * 1e3)) / PACKET_BYTES,
    realtime_s: realtime ? duration_s : null,
    bytes: listing === null ? 0 : sampleBytes(manifest, listing),
  };
}
