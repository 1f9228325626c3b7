// How much of a data folder is whose: bounded where the operator says so, so that nobody takes the room of all.
import { stat } from 'node:fs/promises';
import type { Maker } from '#protocol/access';
import type { Holding } from '#protocol/holdings';
import type { Allowance } from './allowance.ts';
import { AppError } from './errors.ts';
import { inPieces, shareOf } from './experiments/enter.ts';
import type { RunFiles } from './jobs/run-files.ts';
import type { Removal } from './organise/removal.ts';
import { folderBytes, sizeText, type Quota } from './quota.ts';
import type { Slices } from './slices.ts';
import type { HeldByRuns } from './store/holdings.ts';
import type { Store } from './store/store.ts';

/** So long what an experiment takes is not counted again: while it goes on, and when it is over (its samples may be let go). */
const FRESH_MS = 1000;
const OVER_FRESH_MS = 60_000;
/** What takes long to count is counted more seldom: a twentieth of the time, at most. */
const SELDOM = 20;

interface Parts {
  readonly store: Store;
  readonly slices: Slices;
  readonly removal: Removal;
  readonly quota: Quota;
  /** Where the text of a trace and the file of a network are. */
  readonly traces: { readonly path: (id: string) => string };
  readonly weights: { readonly path: (id: string) => string };
  /** What runs have left beside the database. */
  readonly runFiles: readonly RunFiles[];
}

interface Counted extends HeldByRuns {
  /** Runs that were not over then. */
  readonly open: number;
  readonly until: number;
}

const fileBytes = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

export class Holdings {
  /** Bytes that each may hold; null: as much as there is room. */
  readonly most: number | null;
  readonly #parts: Parts;
  readonly #counted = new Map<string, Counted>();
  /** By who: when all that they have brought so far is in. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(parts: Parts, most: number | null) {
    this.#parts = parts;
    this.most = most;
  }

  /** Of everybody who has made anything, who holds most first. */
  async all(signal?: AbortSignal): Promise<Holding[]> {
    const held: Holding[] = [];
    for (const maker of this.#parts.store.holdings.makers()) {
      signal?.throwIfAborted();
      held.push(await this.of(maker, signal));
    }
    return held.sort((a, b) => b.bytes - a.bytes);
  }

  async of(maker: Maker, signal?: AbortSignal): Promise<Holding> {
    const { holdings } = this.#parts.store;
    const sum = { bytes: holdings.rowBytes(maker), queued_bytes: 0, deleted_bytes: 0 };
    const add = (bytes: number, deleted: boolean): void => {
      sum.bytes += bytes;
      if (deleted) sum.deleted_bytes += bytes;
    };
    const experiments = new Map(holdings.owned('experiment', maker).map(({ id, deleted }) => [id, deleted]));
    for (const [id, deleted] of experiments) {
      const { bytes, queued } = await this.#count(id, signal);
      add(bytes, deleted);
      sum.queued_bytes += queued;
    }
    for (const files of this.#parts.runFiles)
      for (const run of files.runs()) {
        const deleted = experiments.get(holdings.experimentOf(run) ?? '');
        if (deleted !== undefined) add(await folderBytes(files.folder(run)), deleted);
      }
    const { traces, weights } = this.#parts;
    for (const { id, deleted } of holdings.owned('trace', maker)) add(await fileBytes(traces.path(id)), deleted);
    for (const { id } of holdings.owned('weights', maker)) add(await fileBytes(weights.path(id)), false);
    return { ...maker, ...sum };
  }

  async #count(experiment: string, signal?: AbortSignal): Promise<HeldByRuns> {
    const { store, slices } = this.#parts;
    const open = store.holdings.open(experiment);
    const known = this.#counted.get(experiment);
    // While its runs end they take less than was counted; when more are to be made, or all are over, it is counted anew.
    const holds = known !== undefined && open <= known.open && (open === 0) === (known.open === 0);
    if (holds && performance.now() < known.until) return known;
    const steps = function* () {
      const sum = { bytes: 0, queued: 0 };
      for (const places of inPieces(store.experiments.places(experiment))) {
        const { bytes, queued } = store.holdings.ofRuns(experiment, places);
        sum.bytes += bytes;
        sum.queued += queued;
        yield;
      }
      return sum;
    };
    const began = performance.now();
    const sum = await slices.run(steps(), signal);
    const now = performance.now();
    const counted = {
      ...sum,
      open,
      until: now + Math.max(open === 0 ? OVER_FRESH_MS : FRESH_MS, SELDOM * (now - began)),
    };
    // Of one that is still being written it is not all.
    if (store.experiments.isReady(experiment) === true) this.#counted.set(experiment, counted);
    return counted;
  }

  /** What somebody may still bring. */
  allowanceOf(maker: Maker): Allowance {
    const { quota } = this.#parts;
    const { most } = this;
    if (most === null) return quota;
    return {
      left: async () => {
        const [folder, { bytes, deleted_bytes }] = await Promise.all([quota.left(), this.of(maker)]);
        return Math.min(folder, most - bytes + deleted_bytes);
      },
      admit: async (atMost, exactly) => {
        await quota.admit(atMost, exactly);
        const held = await this.of(maker);
        const fits = held.bytes + atMost <= most;
        const bytes = fits || exactly === undefined ? atMost : await exactly();
        const left = most - held.bytes + held.deleted_bytes;
        if (left <= 0 || bytes > left) throw refusal(most, held);
        if (held.bytes + bytes > most) await this.#makeRoom(maker, most - bytes);
      },
      turn: () => this.#turn(shareOf(maker)),
    };
  }

  /** What they have deleted goes for good, longest ago first, until they hold no more than so much. */
  async #makeRoom(maker: Maker, most: number): Promise<void> {
    const { store, removal } = this.#parts;
    for (const kind of ['experiment', 'trace'] as const)
      for (const { id, deleted } of store.holdings.owned(kind, maker)) {
        if (!deleted) continue;
        if ((await this.of(maker)).bytes <= most) return;
        // Restored meanwhile.
        if (!store.labels.isDeleted(kind, id)) continue;
        if (kind === 'experiment') await removal.experiment(id);
        else await removal.trace(id);
        this.#counted.delete(id);
      }
  }

  async #turn(who: string): Promise<() => void> {
    const before = this.#turns.get(who);
    let giveBack = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    const last = Promise.all([before, mine]).then(() => undefined);
    this.#turns.set(who, last);
    await before;
    return () => {
      giveBack();
      if (this.#turns.get(who) === last) this.#turns.delete(who);
    };
  }
}

function refusal(most: number, { bytes, queued_bytes, deleted_bytes }: Holding): AppError {
  const queued = queued_bytes === 0 ? '' : `, ${sizeText(queued_bytes)} of it for runs that are not over`;
  return new AppError(
    'HOLDINGS_EXCEEDED',
    `each person may hold ${sizeText(most)} here, which this would exceed: you hold ${sizeText(bytes - deleted_bytes)}${queued}`,
    { hint: 'Delete what you no longer need, or ask the operator for more (serve --max-data-each).' },
  );
}
