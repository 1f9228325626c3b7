import { joinSamples } from '#protocol/samples';
import type { StoredControl } from '../store/samples.ts';
import type { Store } from '../store/store.ts';
import type { Recording } from './recording.ts';

/** Frames kept for the next viewer: those of a live turn are small and asked for within milliseconds. */
const SHARED_FRAMES = 512;
const SHARED_ROWS = 64;

/** Reads a run the same way whether it is going on or long over: old rows from the store, the newest from the recording. */
export class RunReader {
  readonly #store: Store;
  readonly #recordingOf: (run: string) => Recording | null;

  /** Frames of the runs that are going on, oldest first. */
  readonly #shared = new WeakMap<Recording, Map<string, Uint8Array>>();

  constructor(store: Store, recordingOf: (run: string) => Recording | null) {
    this.#store = store;
    this.#recordingOf = recordingOf;
  }

  /** Rows that can be read, per stream. */
  heads(run: string): ReadonlyMap<number, number> {
    const recording = this.#recordingOf(run);
    if (recording !== null) return recording.heads();
    return this.#store.samplesGone.isPartial(run) ? new Map() : this.#store.samples.heads(run);
  }

  /** One sample frame with rows [from, to), which must be below the stream's head. Viewers of the same moment share it. */
  read(run: string, stream: number, from: number, to: number): Uint8Array {
    const recording = this.#recordingOf(run);
    if (recording === null || to - from > SHARED_ROWS) return this.#join(run, recording, stream, from, to);
    const shared = this.#shared.get(recording) ?? new Map<string, Uint8Array>();
    this.#shared.set(recording, shared);
    const key = `${stream} ${from} ${to}`;
    const known = shared.get(key);
    if (known !== undefined) return known;
    const frame = this.#join(run, recording, stream, from, to);
    shared.set(key, frame);
    const [oldest] = shared.keys();
    if (shared.size > SHARED_FRAMES && oldest !== undefined) shared.delete(oldest);
    return frame;
  }

  #join(run: string, recording: Recording | null, stream: number, from: number, to: number): Uint8Array {
    const stored = recording?.storedRows(stream) ?? Number.POSITIVE_INFINITY;
    const slices = from < stored ? this.#store.samples.slices(run, stream, from, to) : [];
    return joinSamples(stream, [...slices, ...(recording?.slices(stream, from, to) ?? [])], from, to);
  }

  /** Control frames from `from` on; with `most`, at least one and about so many if there are any. */
  controls(run: string, from = 0, most = Number.MAX_SAFE_INTEGER): StoredControl[] {
    const recording = this.#recordingOf(run);
    if (recording !== null && from >= recording.nextControl) return [];
    const newest = recording?.controls(from) ?? [];
    const first = newest[0]?.seq;
    if (first !== undefined && first <= from) return newest;
    const stored = this.#store.samples.controls(run, from, most);
    return stored.length < most ? [...stored, ...newest] : stored;
  }
}
