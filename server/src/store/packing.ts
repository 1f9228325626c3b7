// Samples as they are stored: a third of their bytes, and every bit of them comes back.
//
// A packed payload: u8 form of the times, u16 columns, then with form 1 f64 the first time and f64 the first step, both in ns;
// then, deflated, the times (form 0: f64; form 1: i32 second differences in ns) and the columns, each cut into planes: first
// the lowest bytes of all its values, then the next. Exponents and signs hardly change, so their planes nearly vanish.
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { samplePayloadBytes } from '#protocol/frames';
import { columnsOf, type SampleSlice } from '#protocol/samples';

const TIME_BYTES = 8;
const VALUE_BYTES = 4;
const HEAD_BYTES = 3;
const STEPS_HEAD_BYTES = HEAD_BYTES + 2 * TIME_BYTES;
const NS = 1e9;
const TIMES = 0;
const STEPS = 1;
/** Of a minute in rows of 10 ms: 276 kB in 7 ms. Level 1: 285 in 6. Level 6: 273 in 12. */
const LEVEL = 4;
/** Far more than are packed together. */
const MOST_CONTROL_BYTES = 2 ** 28;

const deflate = promisify(deflateRaw);

/** Packs beside the thread that calls it. */
export async function pack(slice: SampleSlice): Promise<Uint8Array> {
  const { rows, payload } = slice;
  const columns = columnsOf(slice);
  const steps = stepsOf(rows, payload);
  const timeBytes = steps === null ? TIME_BYTES : VALUE_BYTES;
  const planes = new Uint8Array(rows * (timeBytes + VALUE_BYTES * columns));
  toPlanes(steps?.differences ?? payload, 0, planes, 0, rows, timeBytes);
  for (let column = 0, from = rows * TIME_BYTES, to = rows * timeBytes; column < columns; column++) {
    toPlanes(payload, from, planes, to, rows, VALUE_BYTES);
    from += rows * VALUE_BYTES;
    to += rows * VALUE_BYTES;
  }
  const deflated = await deflate(planes, { level: LEVEL });
  const head = steps === null ? HEAD_BYTES : STEPS_HEAD_BYTES;
  const packed = new Uint8Array(head + deflated.byteLength);
  const view = viewOf(packed);
  view.setUint8(0, steps === null ? TIMES : STEPS);
  view.setUint16(1, columns, true);
  if (steps !== null) {
    view.setFloat64(HEAD_BYTES, steps.first, true);
    view.setFloat64(HEAD_BYTES + TIME_BYTES, steps.step, true);
  }
  packed.set(deflated, head);
  return packed;
}

/** Throws when these are no packed samples of so many rows. */
export function unpack(rows: number, packed: Uint8Array): Uint8Array {
  const view = viewOf(packed);
  const form = view.getUint8(0);
  const columns = view.getUint16(1, true);
  if (form !== TIMES && form !== STEPS) throw new Error(`samples packed in the unknown form ${form}`);
  const timeBytes = form === TIMES ? TIME_BYTES : VALUE_BYTES;
  const expected = rows * (timeBytes + VALUE_BYTES * columns);
  // A damaged head may name any size: no more than that is made.
  const planes = inflateRawSync(packed.subarray(form === TIMES ? HEAD_BYTES : STEPS_HEAD_BYTES), {
    maxOutputLength: Math.max(1, expected),
  });
  if (planes.byteLength !== expected) throw new Error(`${planes.byteLength} bytes of packed samples, not ${expected}`);
  const payload = new Uint8Array(samplePayloadBytes(rows, columns));
  if (form === TIMES) {
    fromPlanes(planes, 0, payload, 0, rows, TIME_BYTES);
  } else {
    const differences = new Uint8Array(rows * VALUE_BYTES);
    fromPlanes(planes, 0, differences, 0, rows, VALUE_BYTES);
    const [first, step] = [view.getFloat64(HEAD_BYTES, true), view.getFloat64(HEAD_BYTES + TIME_BYTES, true)];
    timesOf({ first, step, differences }, rows, payload);
  }
  for (let column = 0, from = rows * timeBytes, to = rows * TIME_BYTES; column < columns; column++) {
    fromPlanes(planes, from, payload, to, rows, VALUE_BYTES);
    from += rows * VALUE_BYTES;
    to += rows * VALUE_BYTES;
  }
  return payload;
}

/** The JSON of control frames that follow one another. */
export function packControls(bodies: readonly string[]): Promise<Uint8Array> {
  return deflate(JSON.stringify(bodies), { level: LEVEL });
}

/** Throws when these are no packed control frames. */
export function unpackControls(packed: Uint8Array): string[] {
  const text = inflateRawSync(packed, { maxOutputLength: MOST_CONTROL_BYTES }).toString();
  return z.array(z.string()).parse(JSON.parse(text));
}

/** Times in whole nanoseconds: the first, the step to the second, and by how much each further step differs from the one before. */
interface Steps {
  readonly first: number;
  readonly step: number;
  /** i32 of each row; of the first two nothing. */
  readonly differences: Uint8Array;
}

/** Null when the times would not come back as they are. */
function stepsOf(rows: number, payload: Uint8Array): Steps | null {
  const times = viewOf(payload);
  const ns = (row: number): number => Math.round(times.getFloat64(TIME_BYTES * row, true) * NS);
  const first = ns(0);
  const step = rows > 1 ? ns(1) - first : 0;
  const differences = new Uint8Array(rows * VALUE_BYTES);
  const view = viewOf(differences);
  for (let row = 2, [before, last] = [first + step, step]; row < rows; row++) {
    const now = ns(row);
    view.setInt32(VALUE_BYTES * row, now - before - last, true);
    [before, last] = [now, now - before];
  }
  const steps = { first, step, differences };
  const back = new Uint8Array(rows * TIME_BYTES);
  timesOf(steps, rows, back);
  return Buffer.compare(back, payload.subarray(0, back.byteLength)) === 0 ? steps : null;
}

function timesOf({ first, step, differences }: Steps, rows: number, payload: Uint8Array): void {
  const [times, view] = [viewOf(payload), viewOf(differences)];
  let [now, last] = [first, step];
  for (let row = 0; row < rows; row++) {
    if (row > 0) {
      last += view.getInt32(VALUE_BYTES * row, true);
      now += last;
    }
    times.setFloat64(TIME_BYTES * row, now / NS, true);
  }
}

function toPlanes(source: Uint8Array, from: number, target: Uint8Array, to: number, rows: number, size: number): void {
  for (let plane = 0; plane < size; plane++)
    for (let row = 0, at = from + plane, place = to + plane * rows; row < rows; row++, at += size, place++)
      target[place] = source[at] ?? 0;
}

function fromPlanes(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  rows: number,
  size: number,
): void {
  for (let plane = 0; plane < size; plane++)
    for (let row = 0, at = to + plane, place = from + plane * rows; row < rows; row++, at += size, place++)
      target[at] = source[place] ?? 0;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
