import { decodeSamples } from '#protocol/frames';
import type { RunReader } from './run-reader.ts';

/** Rows of one frame: some 200 kB of a sender's columns. */
const FRAME_ROWS = 4096;

export interface SampleRange {
  readonly stream: number | undefined;
  readonly from_s: number | undefined;
  readonly to_s: number | undefined;
}

/** A run's sample frames, stream by stream, as far as it has come. */
export function* framesOf(reader: RunReader, run: string, range: SampleRange): Generator<Uint8Array> {
  for (const [stream, head] of reader.heads(run)) {
    if (range.stream !== undefined && stream !== range.stream) continue;
    const time = (row: number): number => decodeSamples(reader.read(run, stream, row, row + 1)).time[0] ?? 0;
    const { from_s, to_s } = range;
    const first = from_s === undefined ? 0 : firstRow(head, (row) => time(row) >= from_s);
    const end = to_s === undefined ? head : firstRow(head, (row) => time(row) > to_s);
    for (let from = first; from < end; from += FRAME_ROWS)
      yield reader.read(run, stream, from, Math.min(end, from + FRAME_ROWS));
  }
}

/** The first of `rows` rows of which `holds` is true, given that it stays true after it; `rows` when there is none. */
function firstRow(rows: number, holds: (row: number) => boolean): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
