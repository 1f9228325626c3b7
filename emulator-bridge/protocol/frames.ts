// Framing of telemetry: the same bytes travel child -> server -> SQLite -> browser. See docs/telemetry.md.
//
// Frame = 16-byte little-endian header, then the payload:
//   u32 payload bytes | u8 kind (1 control, 2 samples) | u8 protocol version | u16 stream | u32 seq | u32 rows
// Control payload: UTF-8 JSON, `stream` 0, `rows` 0, `seq` counts control frames of the child from 0.
// Sample payload: `time_s` as f64[rows], then each further column as f32[rows]; `seq` is the index of the first row within
// the stream, so frames can be cut, joined and resumed at any row.
import { PROTOCOL_VERSION } from '#protocol/columns';

export const FRAME_HEADER_BYTES = 16;
export const FRAME_KIND_CONTROL = 1;
export const FRAME_KIND_SAMPLES = 2;
/** No frame may be larger: a child that says so is printing rubbish. */
export const MAX_FRAME_PAYLOAD_BYTES = 16 * 1024 * 1024;

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly kind: typeof FRAME_KIND_CONTROL | typeof FRAME_KIND_SAMPLES;
  readonly stream: number;
  readonly seq: number;
  readonly rows: number;
}

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Reads the header at `offset`; throws FrameError when the bytes are not a frame of this protocol version. */
export function readFrameHeader(view: DataView, offset = 0): FrameHeader {
  const payloadBytes = view.getUint32(offset, true);
  const kind = view.getUint8(offset + 4);
  const version = view.getUint8(offset + 5);
  if (version !== PROTOCOL_VERSION)
    throw new FrameError(`not a telemetry frame of protocol version ${PROTOCOL_VERSION} (version byte is ${version})`);
  if (kind !== FRAME_KIND_CONTROL && kind !== FRAME_KIND_SAMPLES) throw new FrameError(`unknown frame kind ${kind}`);
  if (payloadBytes > MAX_FRAME_PAYLOAD_BYTES) throw new FrameError(`frame of ${payloadBytes} bytes exceeds the limit`);
  return {
    payloadBytes,
    kind,
    stream: view.getUint16(offset + 6, true),
    seq: view.getUint32(offset + 8, true),
    rows: view.getUint32(offset + 12, true),
  };
}

export function writeFrameHeader(view: DataView, header: FrameHeader, offset = 0): void {
  view.setUint32(offset, header.payloadBytes, true);
  view.setUint8(offset + 4, header.kind);
  view.setUint8(offset + 5, PROTOCOL_VERSION);
  view.setUint16(offset + 6, header.stream, true);
  view.setUint32(offset + 8, header.seq, true);
  view.setUint32(offset + 12, header.rows, true);
}

/** Payload bytes of a sample frame with `columns` f32 columns beside the time. */
export const samplePayloadBytes = (rows: number, columns: number): number => rows * (8 + 4 * columns);

export interface SampleBlock {
  readonly stream: number;
  /** Index of the first row within the stream. */
  readonly firstRow: number;
  readonly rows: number;
  readonly time: Float64Array;
  /** One array per column after the time, in the order of the stream's `hello` columns. */
  readonly columns: readonly Float32Array[];
}

/** Decodes a sample frame without copying where alignment permits. `frame` starts at the header. */
export function decodeSamples(frame: Uint8Array): SampleBlock {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const header = readFrameHeader(view);
  if (header.kind !== FRAME_KIND_SAMPLES) throw new FrameError('not a sample frame');
  if (FRAME_HEADER_BYTES + header.payloadBytes > frame.byteLength) throw new FrameError('sample frame is cut short');
  const { rows } = header;
  const perRow = rows === 0 ? 8 : header.payloadBytes / rows;
  const columnCount = (perRow - 8) / 4;
  if (!Number.isInteger(columnCount) || columnCount < 0)
    throw new FrameError(`sample frame of ${header.payloadBytes} bytes does not divide into ${rows} rows`);
  const start = frame.byteOffset + FRAME_HEADER_BYTES;
  const aligned = start % 8 === 0;
  // Copied by the constructor: `slice` of a Node Buffer would be a view again.
  const buffer = aligned
    ? frame.buffer
    : new Uint8Array(frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + header.payloadBytes)).buffer;
  const base = aligned ? start : 0;
  const columns: Float32Array[] = [];
  for (let c = 0; c < columnCount; c++) columns.push(new Float32Array(buffer, base + rows * (8 + 4 * c), rows));
  return { stream: header.stream, firstRow: header.seq, rows, time: new Float64Array(buffer, base, rows), columns };
}
