// Cutting and joining sample rows. A payload holds its columns one after the other, so a range of rows is a slice of each column:
// the recorder, the store, the live hub and the exports all move bytes with these functions and never decode a value.
import {
  FRAME_HEADER_BYTES,
  FRAME_KIND_CONTROL,
  FRAME_KIND_SAMPLES,
  FrameError,
  samplePayloadBytes,
  writeFrameHeader,
} from '#protocol/frames';

const TIME_BYTES = 8;
const VALUE_BYTES = 4;

/** Consecutive rows of one stream, laid out as in a sample frame's payload. */
export interface SampleSlice {
  readonly firstRow: number;
  readonly rows: number;
  readonly payload: Uint8Array;
}

/** Columns beside the time; throws FrameError when the payload does not divide into its rows. */
export function columnsOf({ rows, payload }: SampleSlice): number {
  const columns = rows === 0 ? -1 : (payload.byteLength / rows - TIME_BYTES) / VALUE_BYTES;
  if (!Number.isInteger(columns) || columns < 0)
    throw new FrameError(`${payload.byteLength} bytes of samples do not divide into ${rows} rows`);
  return columns;
}

/** Copies rows [from, to) of `slice` to row `at` of a payload of `rows` rows. */
export function copyRows(
  slice: SampleSlice,
  from: number,
  to: number,
  target: Uint8Array,
  rows: number,
  at: number,
): void {
  const columns = columnsOf(slice);
  const first = from - slice.firstRow;
  const count = to - from;
  target.set(slice.payload.subarray(TIME_BYTES * first, TIME_BYTES * (first + count)), TIME_BYTES * at);
  for (let column = 0; column < columns; column++) {
    const before = TIME_BYTES + VALUE_BYTES * column;
    const source = slice.rows * before + VALUE_BYTES * first;
    target.set(slice.payload.subarray(source, source + VALUE_BYTES * count), rows * before + VALUE_BYTES * at);
  }
}

/** One frame with rows [from, to) of `stream`, from slices that together hold all of them, in order. */
export function joinSamples(stream: number, slices: readonly SampleSlice[], from: number, to: number): Uint8Array {
  const rows = to - from;
  const [head] = slices;
  if (head === undefined || rows <= 0) throw new FrameError(`no samples for rows ${from} to ${to}`);
  const columns = columnsOf(head);
  const frame = new Uint8Array(FRAME_HEADER_BYTES + samplePayloadBytes(rows, columns));
  const payload = frame.subarray(FRAME_HEADER_BYTES);
  let next = from;
  for (const slice of slices) {
    const end = Math.min(to, slice.firstRow + slice.rows);
    if (end <= next) continue;
    if (slice.firstRow > next) break;
    if (columnsOf(slice) !== columns)
      throw new FrameError(`stream ${stream} changes its columns at row ${slice.firstRow}`);
    copyRows(slice, next, end, payload, rows, next - from);
    next = end;
  }
  if (next !== to) throw new FrameError(`samples of stream ${stream} are missing from row ${next}`);
  writeFrameHeader(new DataView(frame.buffer), {
    payloadBytes: payload.byteLength,
    kind: FRAME_KIND_SAMPLES,
    stream,
    seq: from,
    rows,
  });
  return frame;
}

/** A sample frame of these columns. */
export function encodeSamples(
  stream: number,
  firstRow: number,
  time: Float64Array,
  columns: readonly Float32Array[],
): Uint8Array {
  const rows = time.length;
  const frame = new Uint8Array(FRAME_HEADER_BYTES + samplePayloadBytes(rows, columns.length));
  const view = new DataView(frame.buffer);
  const payloadBytes = frame.byteLength - FRAME_HEADER_BYTES;
  writeFrameHeader(view, { payloadBytes, kind: FRAME_KIND_SAMPLES, stream, seq: firstRow, rows });
  const bytesOf = (array: Float32Array | Float64Array): Uint8Array =>
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  frame.set(bytesOf(time), FRAME_HEADER_BYTES);
  columns.forEach((column, index) => {
    if (column.length !== rows) throw new FrameError(`column ${index} has ${column.length} rows, not ${rows}`);
    frame.set(bytesOf(column), FRAME_HEADER_BYTES + rows * (TIME_BYTES + VALUE_BYTES * index));
  });
  return frame;
}

/** A control frame holding `message` as JSON. */
export function encodeControl(seq: number, message: unknown): Uint8Array {
  const payload = new TextEncoder().encode(JSON.stringify(message));
  const frame = new Uint8Array(FRAME_HEADER_BYTES + payload.byteLength);
  writeFrameHeader(new DataView(frame.buffer), {
    payloadBytes: payload.byteLength,
    kind: FRAME_KIND_CONTROL,
    stream: 0,
    seq,
    rows: 0,
  });
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}
