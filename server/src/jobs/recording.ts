import type { ControlFrame } from '#protocol/control';
import { FRAME_HEADER_BYTES, type FrameHeader } from '#protocol/frames';
import { joinSamples, type SampleSlice } from '#protocol/samples';
import type { StoredControl } from '../store/samples.ts';
import type { Store } from '../store/store.ts';

/** A blob holds at least so many rows, except the last one of a stream. */
const BLOB_ROWS = 1000;

/** The rows of one stream that are not stored yet. */
interface Tail {
  firstRow: number;
  slices: SampleSlice[];
  /** First row that has not arrived yet. */
  head: number;
}

/**
 * Takes a run's frames as they come, keeps the newest rows at hand for those who watch, and stores blobs of about a thousand rows.
 * What has been accepted can be read at once, from here or from the store.
 */
export class Recording {
  readonly run: string;
  readonly #store: Store;
  readonly #tails = new Map<number, Tail>();
  #controls: StoredControl[] = [];
  #nextControl = 0;
  #time_s = 0;

  constructor(run: string, store: Store) {
    this.run = run;
    this.#store = store;
  }

  /** Link time reached. */
  get time_s(): number {
    return this.#time_s;
  }

  accept(bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null): void {
    if (control !== null) {
      const body = new TextDecoder().decode(bytes.subarray(FRAME_HEADER_BYTES));
      this.#controls.push({ seq: header.seq, body });
      this.#nextControl = header.seq + 1;
      if (control.type === 'progress' || control.type === 'end') this.#time_s = control.time_s;
      return;
    }
    const tail = this.#tails.get(header.stream) ?? { firstRow: header.seq, slices: [], head: header.seq };
    this.#tails.set(header.stream, tail);
    // Copied: the frame may be a view into a larger chunk.
    tail.slices.push({
      firstRow: header.seq,
      rows: header.rows,
      payload: new Uint8Array(bytes.subarray(FRAME_HEADER_BYTES)),
    });
    tail.head = header.seq + header.rows;
    if (tail.head - tail.firstRow >= BLOB_ROWS) this.flush();
  }

  /** Stores everything that is still at hand. */
  flush(): void {
    const controls = this.#controls;
    this.#store.transaction(() => {
      for (const control of controls) this.#store.samples.appendControl(this.run, control);
      for (const [stream, { firstRow, slices, head }] of this.#tails) {
        if (head === firstRow) continue;
        const payload = joinSamples(stream, slices, firstRow, head).subarray(FRAME_HEADER_BYTES);
        this.#store.samples.append(this.run, { stream, firstRow, rows: head - firstRow, payload });
      }
    });
    this.#controls = [];
    for (const tail of this.#tails.values()) {
      tail.firstRow = tail.head;
      tail.slices = [];
    }
  }

  /** Rows that have arrived, per stream. */
  heads(): Map<number, number> {
    return new Map([...this.#tails].map(([stream, { head }]) => [stream, head]));
  }

  /** The slices at hand that touch rows [from, to). */
  slices(stream: number, from: number, to: number): SampleSlice[] {
    return (this.#tails.get(stream)?.slices ?? []).filter(
      ({ firstRow, rows }) => firstRow < to && firstRow + rows > from,
    );
  }

  /** First row of the stream that is at hand and not stored. */
  storedRows(stream: number): number {
    return this.#tails.get(stream)?.firstRow ?? 0;
  }

  /** Number of the control frame that comes next. */
  get nextControl(): number {
    return this.#nextControl;
  }

  /** Control frames that are not stored yet, from `from` on. */
  controls(from: number): StoredControl[] {
    return this.#controls.filter(({ seq }) => seq >= from);
  }
}
