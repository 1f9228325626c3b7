import type { ControlFrame } from '#protocol/control';
import { FRAME_HEADER_BYTES, type FrameHeader } from '#protocol/frames';
import { joinSamples, type SampleSlice } from '#protocol/samples';
import { pack, packControls } from '../store/packing.ts';
import type { SampleBlob, StoredControl } from '../store/samples.ts';
import type { Store } from '../store/store.ts';

/** A blob holds at least so many rows, except the last one of a stream. */
const BLOB_ROWS = 1000;
/** Most runs are stored whole, in one transaction; what is longer, so many bytes at a time. */
const STORED_BYTES = 2 * 2 ** 20;
/** Control frames of a blob at most. */
const BLOB_CONTROLS = 1000;

const TEXT = new TextDecoder();

/** The rows of one stream that are not stored yet. */
interface Tail {
  firstRow: number;
  /** The first that are blobs already, then what has arrived since. */
  slices: SampleSlice[];
  /** First row that is in no blob. */
  cut: number;
  /** First row that has not arrived yet. */
  head: number;
}

/** A blob that is being packed. */
interface Packing extends SampleBlob {
  readonly packed: Promise<Uint8Array>;
}

/**
 * Takes a run's frames as they come, keeps the newest rows at hand for those who watch, and stores blobs of about a thousand rows.
 * What has been accepted can be read at once, from here or from the store.
 */
export class Recording {
  readonly run: string;
  readonly #store: Store;
  readonly #tails = new Map<number, Tail>();
  readonly #packing: Packing[] = [];
  #bytes = 0;
  #flushing: Promise<void> = Promise.resolve();
  readonly #controls: StoredControl[] = [];
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

  /** When there is something to wait for before the next frame, it is given. */
  accept(bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null): Promise<void> | undefined {
    if (control === null) this.#acceptRows(bytes, header);
    else this.#acceptControl(bytes, header, control);
    this.#bytes += bytes.byteLength;
    return this.#bytes >= STORED_BYTES ? this.flush() : undefined;
  }

  #acceptControl(bytes: Uint8Array, { seq }: FrameHeader, control: ControlFrame): void {
    this.#controls.push({ seq, body: TEXT.decode(bytes.subarray(FRAME_HEADER_BYTES)) });
    this.#nextControl = seq + 1;
    if (control.type === 'progress' || control.type === 'end') this.#time_s = control.time_s;
  }

  #acceptRows(bytes: Uint8Array, { stream, seq, rows }: FrameHeader): void {
    const tail = this.#tails.get(stream) ?? { firstRow: seq, slices: [], cut: seq, head: seq };
    this.#tails.set(stream, tail);
    // Copied: the frame may be a view into a larger chunk.
    tail.slices.push({ firstRow: seq, rows, payload: new Uint8Array(bytes.subarray(FRAME_HEADER_BYTES)) });
    tail.head = seq + rows;
    if (tail.head - tail.cut >= BLOB_ROWS) this.#cut(stream, tail);
  }

  /** What has arrived since becomes a blob. */
  #cut(stream: number, tail: Tail): void {
    const { cut: firstRow, head } = tail;
    if (head === firstRow) return;
    const newest = tail.slices.findIndex((slice) => slice.firstRow >= firstRow);
    const slices = tail.slices.splice(newest);
    const payload = joinSamples(stream, slices, firstRow, head).subarray(FRAME_HEADER_BYTES);
    const blob = { stream, firstRow, rows: head - firstRow, payload };
    tail.slices.push(blob);
    tail.cut = head;
    const packed = pack(blob);
    // Told when it is stored.
    packed.catch(() => undefined);
    this.#packing.push({ ...blob, packed });
  }

  /** Stores everything that is still at hand, as one transaction. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#flush());
    this.#flushing.catch(() => undefined);
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    for (const [stream, tail] of this.#tails) this.#cut(stream, tail);
    this.#bytes = 0;
    // More of both may come meanwhile.
    const blobs = this.#packing.slice();
    const controls = this.#controls.slice();
    const [packed, packedControls] = await Promise.all([
      Promise.all(blobs.map((blob) => blob.packed)),
      Promise.all(piecesOf(controls).map(packPiece)),
    ]);
    this.#store.transaction(() => {
      for (const { firstSeq, frames, payload } of packedControls)
        this.#store.samples.appendControls(this.run, firstSeq, frames, payload);
      for (const [i, blob] of blobs.entries()) this.#store.samples.append(this.run, blob, packed[i]);
    });
    this.#controls.splice(0, controls.length);
    this.#packing.splice(0, blobs.length);
    for (const { stream, firstRow, rows } of blobs) {
      const tail = this.#tails.get(stream);
      if (tail === undefined) continue;
      tail.firstRow = firstRow + rows;
      tail.slices = tail.slices.filter((slice) => slice.firstRow >= tail.firstRow);
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

const piecesOf = (controls: readonly StoredControl[]): StoredControl[][] =>
  Array.from({ length: Math.ceil(controls.length / BLOB_CONTROLS) }, (_, i) =>
    controls.slice(i * BLOB_CONTROLS, (i + 1) * BLOB_CONTROLS),
  );

async function packPiece(
  controls: readonly StoredControl[],
): Promise<{ readonly firstSeq: number; readonly frames: number; readonly payload: Uint8Array }> {
  const payload = await packControls(controls.map(({ body }) => body));
  return { firstSeq: controls[0]?.seq ?? 0, frames: controls.length, payload };
}
