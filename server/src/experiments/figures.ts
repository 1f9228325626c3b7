// What the cells of an experiment give, of any number of runs: read a cell at a time, so that its summaries are in memory and not those of
// all, and kept for the next who asks. A cell is read anew when its runs stand otherwise than before.
import type { Cell } from '#protocol/api';
import type { ExperimentAnswer } from '#protocol/answers';
import type { CcaDescriptor } from '#protocol/cca';
import { briefFigures } from '#analysis/figures';
import { answerSteps } from '#analysis/experiment-answers';
import { resultsOf, type CellResult } from '#analysis/results';
import { termSteps, type TermTable } from '#analysis/terms';
import type { Slices } from '../slices.ts';
import type { RunFeed } from '../jobs/feed.ts';
import type { Store } from '../store/store.ts';
import type { Places } from '../store/experiments.ts';
import { inPieces } from './enter.ts';
import { MOST_INLINE } from './experiment-service.ts';

/** Experiments whose figures are kept; and the most cells that one may have for that. */
const KEPT = 2;
const MOST_CELLS_KEPT = 10_000;
/** Bootstrap replicates of one take 128 kB at most. */
export const MOST_CCAS_SCORED = 200;
/** Of the runs that do not count, so many are named with the reason. */
const MOST_NAMED = 5;
/** While runs end all the time, figures are this old at most. */
const FRESH_MS = 2000;

interface Entry {
  /** How the cell's runs stood. */
  readonly standing: string;
  readonly result: CellResult;
}

interface Known {
  readonly cells: Map<string, Entry>;
  readonly revision: number;
  readonly at: number;
  readonly results: readonly CellResult[];
  readonly listing: readonly CcaDescriptor[];
  terms: Promise<TermTable> | null;
  answers: Promise<ExperimentAnswer[]> | null;
}

export class ExperimentFigures {
  readonly #store: Store;
  readonly #slices: Slices;
  readonly #known = new Map<string, Known>();
  readonly #going = new Map<string, Promise<Known>>();
  /** Counts the changes of all runs. */
  #revision = 0;

  constructor(store: Store, slices: Slices, feed: RunFeed) {
    this.#store = store;
    this.#slices = slices;
    feed.onAny((_run, change) => {
      if (change === 'state') this.#revision += 1;
    });
  }

  /** In the order of the cells; estimates are without the values of single runs. */
  async results(id: string, ccas: readonly CcaDescriptor[]): Promise<readonly CellResult[]> {
    return (await this.#look(id, ccas)).results;
  }

  /** Of some cells: alone, where there are so many that they are not kept. */
  async page(
    id: string,
    ccas: readonly CcaDescriptor[],
    places: Places,
  ): Promise<{ readonly results: readonly CellResult[]; readonly more: boolean }> {
    const count = this.#store.experiments.cellCount(id);
    const results =
      count > MOST_CELLS_KEPT
        ? (await this.#slices.run(this.#steps(id, ccas, new Map(), places))).results
        : (await this.results(id, ccas)).slice(places.from, places.to);
    return { results, more: places.to < count };
  }

  /** Of very many runs, whose summaries must not be in memory at once; null: they may. */
  async forExport(
    { id, runs_total }: { readonly id: string; readonly runs_total: number },
    ccas: readonly CcaDescriptor[],
  ): Promise<readonly CellResult[] | null> {
    return runs_total > MOST_INLINE ? this.results(id, ccas) : null;
  }

  async terms(id: string, ccas: readonly CcaDescriptor[]): Promise<TermTable> {
    const known = await this.#look(id, ccas);
    return (known.terms ??= this.#slices.run(termSteps(known.results)));
  }

  async answers(id: string, ccas: readonly CcaDescriptor[]): Promise<ExperimentAnswer[]> {
    const known = await this.#look(id, ccas);
    return (known.answers ??= this.#slices.run(answerSteps(known.results)));
  }

  /** Those who ask at the same time share the answer. */
  #look(id: string, ccas: readonly CcaDescriptor[]): Promise<Known> {
    const known = this.#known.get(id);
    const fresh = known !== undefined && (known.revision === this.#revision || performance.now() - known.at < FRESH_MS);
    if (fresh && known.listing === ccas) return Promise.resolve(known);
    const going = this.#going.get(id);
    if (going !== undefined) return going;
    const made = this.#slices
      .run(this.#steps(id, ccas, known?.listing === ccas ? known.cells : new Map()))
      .finally(() => this.#going.delete(id));
    this.#going.set(id, made);
    return made;
  }

  *#steps(
    id: string,
    listing: readonly CcaDescriptor[],
    before: ReadonlyMap<string, Entry>,
    some?: Places,
  ): Generator<void, Known, undefined> {
    const { experiments } = this.#store;
    const revision = this.#revision;
    const spec = experiments.spec(id);
    if (spec === null) throw new Error(`there is no experiment ${id}`);
    const cells = new Map<string, Entry>();
    for (const { cell, places } of this.#cells(id, some)) {
      const standing = experiments.standing(id, places);
      const old = before.get(cell.key);
      const result = old?.standing === standing ? old.result : yield* this.#cell(id, cell, places, spec, listing);
      cells.set(cell.key, { standing, result });
      yield;
    }
    const results = [...cells.values()].map(({ result }) => result);
    const known: Known = { cells, revision, at: performance.now(), results, listing, terms: null, answers: null };
    if (some !== undefined) return known;
    this.#known.delete(id);
    if (cells.size <= MOST_CELLS_KEPT) this.#known.set(id, known);
    for (const old of [...this.#known.keys()].slice(0, -KEPT)) this.#known.delete(old);
    return known;
  }

  *#cells(id: string, some?: Places): Generator<{ readonly cell: Cell; readonly places: Places }, void, undefined> {
    const { experiments } = this.#store;
    const all = some ?? { from: 0, to: experiments.cellCount(id) };
    for (const piece of inPieces(all.to - all.from, PIECE_CELLS)) {
      const from = all.from + piece.from;
      yield* experiments.placedCells(id, { from, to: all.from + piece.to });
    }
  }

  *#cell(
    id: string,
    cell: Cell,
    { from, to }: Places,
    spec: { readonly duration_s: number },
    listing: readonly CcaDescriptor[],
  ): Generator<void, CellResult, undefined> {
    const runs = [];
    for (const piece of inPieces(to - from, PIECE_RUNS)) {
      for (const ref of this.#store.experiments.storedRefs(id, { from: from + piece.from, to: from + piece.to }))
        runs.push(ref);
      yield;
    }
    const [found] = resultsOf({ cells: [cell], runs, spec }, listing);
    if (found === undefined) throw new Error(`cell ${cell.key} has no result`);
    const { cca, excluded, left_out, running, planned, pending } = found;
    const figures = briefFigures(found.figures);
    // Whoever keeps it does not keep the summaries.
    return { cell, cca, figures, excluded: excluded.slice(0, MOST_NAMED), left_out, running, planned, pending };
  }
}

const PIECE_CELLS = 100;
/** With summaries: some milliseconds. */
const PIECE_RUNS = 50;
