// What the samples of an experiment's runs come to, cell by cell. A run is read once, in short steps, when somebody asks, and what it comes to
// is kept with it; a study or a figure that asks nothing of samples pays nothing.
import type { CcaDescriptor } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import { SampleFamily, type CellSampled, type RunSampled } from '#protocol/sampled';
import { cellSampled } from '#analysis/pooled-samples';
import { resultsOf } from '#analysis/results';
import { FAMILIES } from '#analysis/sampled';
import { merged } from '#analysis/sampled-parts';
import { NO_STORY, type RunStory } from '#analysis/trace-marks';
import type { RunReader } from '../jobs/run-reader.ts';
import type { Slices } from '../slices.ts';
import type { Places } from '../store/experiments.ts';
import type { Store } from '../store/store.ts';
import { analysisVersion } from '../studies/analysis-version.ts';
import { inPieces } from './enter.ts';
import { columnSteps } from './read-columns.ts';

type Steps<T> = Generator<unknown, T, undefined>;

const PIECE_CELLS = 100;
/** With summaries: some milliseconds. */
const PIECE_RUNS = 50;

export class ExperimentSampled {
  readonly #store: Store;
  readonly #slices: Slices;
  readonly #reader: RunReader;
  readonly #story: (manifest: RunManifest) => Promise<RunStory>;
  /** Runs that are being read, for others who want the same. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(store: Store, slices: Slices, reader: RunReader, story: (manifest: RunManifest) => Promise<RunStory>) {
    this.#store = store;
    this.#slices = slices;
    this.#reader = reader;
    this.#story = story;
  }

  /** In the order of the cells, of the runs that have ended and count; `places`: some cells. */
  cells(
    id: string,
    ccas: readonly CcaDescriptor[],
    families: readonly SampleFamily[],
    places?: Places,
    signal?: AbortSignal,
  ): Promise<CellSampled[]> {
    return this.#slices.run(this.#cells(id, ccas, families, places), signal);
  }

  /** Reads all that is ever asked of the samples of a run: they are about to go. */
  async keep(run: string, signal: AbortSignal): Promise<void> {
    const all = SampleFamily.options;
    if ((await this.#slices.run(this.#run(run, all), signal)) !== null) return;
    // More than can be held at once, perhaps.
    for (const family of all) await this.#slices.run(this.#run(run, [family]), signal);
  }

  *#cells(
    id: string,
    ccas: readonly CcaDescriptor[],
    families: readonly SampleFamily[],
    places?: Places,
  ): Steps<CellSampled[]> {
    const { experiments } = this.#store;
    const spec = experiments.spec(id);
    if (spec === null) throw new Error(`there is no experiment ${id}`);
    const all = places ?? { from: 0, to: experiments.cellCount(id) };
    const found: CellSampled[] = [];
    for (const piece of inPieces(all.to - all.from, PIECE_CELLS))
      for (const { cell, places: own } of experiments.placedCells(id, {
        from: all.from + piece.from,
        to: all.from + piece.to,
      })) {
        const counting: string[] = [];
        for (const { from, to } of inPieces(own.to - own.from, PIECE_RUNS)) {
          const runs = experiments.storedRefs(id, { from: own.from + from, to: own.from + to });
          const [result] = resultsOf({ cells: [cell], runs, spec }, ccas);
          counting.push(...(result?.samples.solo.map(({ run }) => run) ?? []));
          yield;
        }
        const parts: (RunSampled | null)[] = [];
        for (const run of counting) parts.push(yield* this.#run(run, families));
        found.push(cellSampled(cell.key, parts));
        yield;
      }
    return found;
  }

  /** null: its samples are not there. */
  *#run(run: string, families: readonly SampleFamily[]): Steps<RunSampled | null> {
    for (let going = this.#going.get(run); going !== undefined; going = this.#going.get(run)) yield going;
    const version = analysisVersion();
    const kept = families.flatMap((family) => this.#store.sampled.get(run, family, version) ?? []);
    if (kept.length === families.length) return merged(kept);
    let done = (): void => undefined;
    this.#going.set(run, new Promise((resolve) => (done = resolve)));
    try {
      return yield* this.#made(run, families, version);
    } finally {
      this.#going.delete(run);
      done();
    }
  }

  *#made(run: string, families: readonly SampleFamily[], version: string): Steps<RunSampled | null> {
    const manifest = this.#store.runs.manifest(run);
    if (manifest === null) return null;
    const column = yield* columnSteps(
      this.#reader,
      run,
      families.flatMap((family) => FAMILIES[family].needs(manifest)),
    );
    if (column === null) return null;
    let story = NO_STORY;
    if (families.some((family) => FAMILIES[family].story === true))
      yield this.#story(manifest).then((told) => (story = told));
    const parts: RunSampled[] = [];
    for (const family of families) {
      const part = yield* FAMILIES[family].steps(manifest, column, story);
      parts.push(part);
      try {
        this.#store.sampled.set(run, family, version, part);
      } catch {
        // A full disk: it is made again for whoever asks next.
      }
      yield;
    }
    return merged(parts);
  }
}
