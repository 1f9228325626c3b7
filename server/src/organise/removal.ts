// What was deleted long enough ago is removed for good: rows, samples, files. In pieces, between which everybody else has a turn.
import { inPieces } from '../experiments/enter.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { OwnAlgorithms } from '../own/own-algorithms.ts';
import type { Slices } from '../slices.ts';
import type { Bulk } from '../store/bulk.ts';
import type { Checkpoints } from '../store/checkpoint.ts';
import type { Places } from '../store/experiments.ts';
import { GRACE_MS } from '../store/labels.ts';
import type { Store } from '../store/store.ts';
import type { TraceService } from '../traces/trace-service.ts';
import type { WeightsService } from '../traces/weights-service.ts';
import { usersOf } from './users.ts';

const EVERY_MS = 3_600_000;
/** Slices of samples that go at once: a millisecond or two. */
const BLOBS = 32;

interface Parts {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly traces: TraceService;
  readonly weights: WeightsService;
  readonly ownAlgorithms: OwnAlgorithms;
  readonly slices: Slices;
  readonly checkpoints: Checkpoints;
  readonly now: () => number;
}

export class Removal {
  readonly #parts: Parts;
  /** Experiments that are being removed. */
  readonly #going = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  readonly #closed = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Now and every hour. */
  start(fault: (error: unknown) => void): void {
    const sweep = (): void => {
      this.#sweeping = this.#sweeping
        .then(() => this.sweep())
        .catch((error: unknown) => {
          if (!this.#closed.signal.aborted) fault(error);
        });
    };
    sweep();
    this.#timer = setInterval(sweep, EVERY_MS);
    this.#timer.unref();
  }

  /** What has been removed by half is removed when the server starts again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    await this.#sweeping;
  }

  /** Everything that was deleted long enough ago. What somebody still needs stays until he does not. */
  async sweep(): Promise<void> {
    const { store, slices, weights, ownAlgorithms, now } = this.#parts;
    const at = new Date(now() - GRACE_MS).toISOString();
    for (const id of store.labels.deletedBefore('experiment', at)) await this.experiment(id);
    for (const id of store.labels.deletedBefore('trace', at)) await this.trace(id);
    store.templates.removeDeletedBefore(at);
    for (const id of weights.deletedBefore(at)) {
      if ((await usersOf(store, slices, id)).length > 0) continue;
      if (weights.isDeleted(id)) await weights.remove(id);
    }
    for (const id of ownAlgorithms.deletedBefore(at)) {
      if ((await usersOf(store, slices, id)).length > 0) continue;
      if (ownAlgorithms.isDeleted(id)) ownAlgorithms.remove(id);
    }
  }

  /** One that was deleted, unless somebody still needs it. */
  async trace(id: string): Promise<void> {
    const { store, slices, traces } = this.#parts;
    if ((await usersOf(store, slices, id)).length > 0) return;
    // Brought again meanwhile.
    if (store.labels.isDeleted('trace', id)) await traces.remove(id);
  }

  /** Whoever wants it anew waits for this first. */
  experiment(id: string): Promise<void> {
    const known = this.#going.get(id);
    if (known !== undefined) return known;
    const going = this.#remove(id).finally(() => this.#going.delete(id));
    this.#going.set(id, going);
    return going;
  }

  async #remove(id: string): Promise<void> {
    const { store, checkpoints, slices } = this.#parts;
    store.labels.beginRemoval('experiment', id);
    const steps = this.#steps(id);
    const spaced = function* () {
      while (steps.next().done !== true) yield checkpoints.room();
    };
    await slices.run(spaced(), this.#closed.signal);
    store.transaction(() => {
      store.experiments.remove(id);
      store.labels.drop('experiment', id);
    });
  }

  *#steps(id: string): Generator<void, void, undefined> {
    const { store } = this.#parts;
    const bulk = store.bulk();
    for (const places of inPieces(store.experiments.places(id))) {
      for (const run of store.experiments.soleRuns(id, places)) yield* this.#samplesOf(id, run, places, bulk);
      bulk.piece(() => {
        for (const run of store.experiments.removeAll(id, places)) store.labels.drop('run', run);
      });
      yield;
    }
    for (const cells of inPieces(store.experiments.cellCount(id))) {
      bulk.piece(() => store.experiments.removeCells(id, cells));
      yield;
    }
    bulk.end();
  }

  /** Another experiment may take the run meanwhile: then it has it made again, and what comes then stays. */
  *#samplesOf(id: string, run: string, places: Places, bulk: Bulk): Generator<void, void, undefined> {
    const { store, scheduler } = this.#parts;
    const isOurs = (): boolean => store.experiments.soleRuns(id, places).includes(run);
    bulk.piece(() => store.runs.abandon(run));
    const left = { some: true };
    while (left.some && isOurs()) {
      bulk.piece(() => (left.some = store.samples.deleteSome(run, BLOBS)));
      yield;
    }
    if (isOurs()) bulk.piece(() => scheduler.forget(run));
  }
}
