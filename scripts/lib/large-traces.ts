// Large files of traces, made on the fly: speed and memory are measured with them.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Opportunities of the milliseconds of a trace of some 34 Mbps, over and over: most have some, no two neighbours the same. */
const PER_MS = [0, 3, 1, 5, 0, 2, 9, 4, 0, 1, 7, 2] as const;

/** Writes what `pieces` gives, in blocks. */
export function writeLarge(path: string, pieces: Iterable<string | Uint8Array>): void {
  const file = openSync(path, 'w');
  try {
    let block: string[] = [];
    let length = 0;
    const flush = (): void => {
      writeSync(file, block.join(''));
      block = [];
      length = 0;
    };
    for (const piece of pieces) {
      if (typeof piece !== 'string') {
        writeSync(file, piece);
        continue;
      }
      block.push(piece);
      length += piece.length;
      if (length > 1 << 20) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

/** Mahimahi text: one line for each of `lines` opportunities. */
export function* mahimahiLines(lines: number): Generator<string> {
  for (let ms = 1, left = lines; left > 0; ms++) {
    const n = Math.min(left, PER_MS[ms % PER_MS.length] ?? 0);
    yield `${ms}\n`.repeat(n);
    left -= n;
  }
}

/** The form `ms count`: milliseconds with their opportunities. */
export function* countLines(lines: number): Generator<string> {
  for (let ms = 1, left = lines; left > 0; ms++) {
    const n = PER_MS[ms % PER_MS.length] ?? 0;
    if (n === 0) continue;
    yield `${ms} ${n}\n`;
    left--;
  }
}

/** A table of seconds and Mbps, a row each millisecond. */
export function* tableRows(rows: number): Generator<string> {
  yield 'time_s,mbps\n';
  for (let row = 0; row < rows; row++) yield `${(row / 1000).toFixed(3)},${(row * 7919) % 1000}.25\n`;
}
