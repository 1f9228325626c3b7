// A server that goes on for a term: when the database takes more than it may, the samples of the runs that ended longest ago are let go. What
// they came to stays, what is starred or shared keeps them, and those that can be made again exactly go first (docs/retention.md).
import type { ExperimentSampled } from '../experiments/sampled.ts';
import { homeExperiment } from '../experiments/home-experiment.ts';
import type { Slices } from '../slices.ts';
import type { Checkpoints } from '../store/checkpoint.ts';
import type { Candidate, Place } from '../store/samples-gone.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 10_000;
/** It is brought below what it may take by so much, to be there for a while. */
const ROOM = 0.05;
/** Slices of samples that go at once: a millisecond or two. */
const BLOBS = 32;
const BEFORE_ALL: Place = { run: '', finished_at: '' };

interface Parts {
  readonly store: Store;
  readonly sampled: ExperimentSampled;
  readonly slices: Slices;
  readonly checkpoints: Checkpoints;
  /** Whose runs can be made again exactly; null: nobody's. */
  readonly engineVersion: () => string | null;
  readonly now: () => number;
}

/** A run whose samples go, and what they take. */
export interface Going {
  readonly run: string;
  readonly bytes: number;
  /** It can be made again, to the last bit. */
  readonly exact: boolean;
}

export class Retention {
  /** What the database may take (bytes); null: as much as it likes. */
  readonly most: number | null;
  readonly #parts: Parts;
  readonly #closed = new AbortController();
  /** What somebody has had made again since this began goes last. */
  readonly #wanted = new Set<string>();
  /** Whose samples go just now. */
  #leaving: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<unknown> | null = null;

  constructor(parts: Parts, most: number | null) {
    this.#parts = parts;
    this.most = most;
  }

  /** Now and every few seconds. */
  start(fault: (error: unknown) => void): void {
    const { most } = this;
    if (most === null) return;
    const look = (): void => {
      if (this.#sweeping !== null || this.#parts.store.usedBytes() <= most) return;
      this.#sweeping = this.sweep(most * (1 - ROOM), fault)
        .catch((error: unknown) => {
          if (!this.#closed.signal.aborted) fault(error);
        })
        .finally(() => (this.#sweeping = null));
    };
    look();
    this.#timer = setInterval(look, EVERY_MS).unref();
  }

  /** What has gone by half is gone when the folder is opened again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    await this.#sweeping;
  }

  /** Somebody looks at it: others go before it does. */
  isWanted(run: string): void {
    this.#wanted.add(run);
  }

  /** Its samples go just now. */
  isLeaving(run: string): boolean {
    return this.#leaving === run;
  }

  /** Until the database takes no more than so many bytes, or nothing is left that may go. `fault`: what was not read off samples that go. */
  async sweep(bytes: number, fault: (error: unknown) => void): Promise<Going[]> {
    const gone: Going[] = [];
    for await (const candidate of this.#candidates()) {
      if (this.#parts.store.usedBytes() <= bytes) break;
      const going = this.#going(candidate);
      if (await this.#letGo(candidate, fault)) gone.push(going);
    }
    return gone;
  }

  /** What `sweep` would let go. */
  async plan(bytes: number): Promise<Going[]> {
    const planned: Going[] = [];
    let used = this.#parts.store.usedBytes();
    for await (const candidate of this.#candidates()) {
      if (used <= bytes) break;
      const going = this.#going(candidate);
      used -= going.bytes;
      planned.push(going);
    }
    return planned;
  }

  #going = ({ run, ...candidate }: Candidate): Going => ({
    run,
    bytes: this.#parts.store.samplesGone.bytes(run),
    exact: this.#isExact(candidate),
  });

  /** What was stopped is not to be stopped there again. */
  #isExact({ state, engine, engine_version }: Omit<Candidate, 'run'>): boolean {
    return state === 'done' && engine === 'virtual' && engine_version === this.#parts.engineVersion();
  }

  /** In the order in which they go. */
  async *#candidates(): AsyncGenerator<Candidate, void, undefined> {
    const { store, slices } = this.#parts;
    const home = homeExperiment(store);
    const seen = new Set<string>();
    for (const goes of [
      (candidate: Candidate) => this.#isExact(candidate) && !this.#wanted.has(candidate.run),
      (candidate: Candidate) => !this.#wanted.has(candidate.run),
      () => true,
    ])
      for (let after: Place | undefined = BEFORE_ALL; after !== undefined;) {
        const { samplesGone } = store;
        const piece = samplesGone.endedAfter(after);
        const found: Candidate[] = [];
        await slices.run(
          (function* () {
            for (const { run } of piece) {
              const candidate = samplesGone.candidate(run, home);
              if (candidate !== null && !seen.has(run) && goes(candidate)) found.push(candidate);
              yield;
            }
          })(),
          this.#closed.signal,
        );
        for (const candidate of found) {
          seen.add(candidate.run);
          yield candidate;
        }
        after = piece.at(-1);
      }
  }

  /** False when it is no longer the run that it was. */
  async #letGo({ run, finished_at }: Candidate, fault: (error: unknown) => void): Promise<boolean> {
    const { store, sampled, slices, checkpoints, now } = this.#parts;
    const { signal } = this.#closed;
    await sampled.keep(run, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      fault(error);
    });
    // Starred, shared or made again, while it was read.
    if (store.samplesGone.candidate(run, homeExperiment(store))?.finished_at !== finished_at) return false;
    store.samplesGone.begin(run, new Date(now()).toISOString());
    const steps = function* () {
      const bulk = store.bulk();
      const left = { some: true };
      while (left.some) {
        bulk.piece(() => {
          // Made again meanwhile: what comes then stays.
          left.some = store.samplesGone.isPartial(run) && store.samples.deleteSome(run, BLOBS);
          if (!left.some && store.samplesGone.isPartial(run)) store.samplesGone.end(run);
        });
        yield checkpoints.room();
      }
      bulk.end();
    };
    this.#leaving = run;
    try {
      await slices.run(steps(), signal);
    } finally {
      this.#leaving = null;
    }
    return true;
  }
}
