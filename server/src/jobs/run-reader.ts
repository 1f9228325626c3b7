import { joinSamples } from '#protocol/samples';
import type { StoredControl } from '../store/samples.ts';
import type { Store } from '../store/store.ts';
import type { Recording } from './recording.ts';

/** Reads a run the same way whether it is going on or long over: old rows from the store, the newest from the recording. */
export class RunReader {
  readonly #store: Store;
  readonly #recordingOf: (run: string) => Recording | null;

  constructor(store: Store, recordingOf: (run: string) => Recording | null) {
    this.#store = store;
    this.#recordingOf = recordingOf;
  }

  /** Rows that can be read, per stream. */
  heads(run: string): ReadonlyMap<number, number> {
    return this.#recordingOf(run)?.heads() ?? this.#store.samples.heads(run);
  }

  /** One sample frame with rows [from, to), which must be below the stream's head. */
  read(run: string, stream: number, from: number, to: number): Uint8Array {
    const recording = this.#recordingOf(run);
    const stored = recording?.storedRows(stream) ?? Number.POSITIVE_INFINITY;
    const slices = from < stored ? this.#store.samples.slices(run, stream, from, to) : [];
    return joinSamples(stream, [...slices, ...(recording?.slices(stream, from, to) ?? [])], from, to);
  }

  controls(run: string, from = 0): StoredControl[] {
    const newest = this.#recordingOf(run)?.controls(from) ?? [];
    const first = newest[0]?.seq;
    if (first !== undefined && first <= from) return newest;
    return [...this.#store.samples.controls(run, from), ...newest];
  }
}
