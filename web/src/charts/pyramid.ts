// Min/max pyramid over a growing series: the exact least and greatest value of any run of samples in O(log n).
// Level k holds one minimum and one maximum per 8^(k+1) samples; only complete blocks are stored, so appending never rewrites.
import type { SeriesData } from './types';

const FAN = 8;

/** The largest block size (1, 8, 64 …) that is at most `samples`. */
export function blockBelow(samples: number): number {
  let block = 1;
  while (block * FAN <= samples) block *= FAN;
  return block;
}

class Level {
  min = new Float32Array(64);
  max = new Float32Array(64);
  count = 0;

  push(min: number, max: number): void {
    if (this.count === this.min.length) {
      this.min = grown(this.min);
      this.max = grown(this.max);
    }
    this.min[this.count] = min;
    this.max[this.count++] = max;
  }
}

function grown(array: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(array.length * 2);
  larger.set(array);
  return larger;
}

export class Pyramid {
  readonly #data: SeriesData;
  readonly #levels: Level[] = [];
  /** Answer of the last query; min > max when every sample of it was NaN. Fields, so that a query allocates nothing. */
  min = Infinity;
  max = -Infinity;

  constructor(data: SeriesData) {
    this.#data = data;
  }

  /** Exact extremes of samples [from, to), NaN left out, into `min` and `max`. */
  query(from: number, to: number): void {
    this.#absorb();
    this.min = Infinity;
    this.max = -Infinity;
    let [a, b] = [from, Math.min(to, this.#data.length)];
    for (let depth = 0; ; depth++) {
      const above = this.#levels[depth];
      const first = Math.ceil(a / FAN);
      const last = Math.min(Math.floor(b / FAN), above?.count ?? 0);
      if (first >= last) {
        this.#scan(depth, a, b);
        return;
      }
      this.#scan(depth, a, first * FAN);
      this.#scan(depth, last * FAN, b);
      [a, b] = [first, last];
    }
  }

  /** Takes in samples that were appended since the last query. */
  #absorb(): void {
    const { y, length } = this.#data;
    const base = this.#level(0);
    while ((base.count + 1) * FAN <= length) {
      let min = Infinity;
      let max = -Infinity;
      const start = base.count * FAN;
      for (let i = start; i < start + FAN; i++) {
        const value = y[i] ?? NaN;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      base.push(min, max);
      this.#raise(0);
    }
  }

  /** Completes blocks of higher levels after level `depth` has grown by one. */
  #raise(depth: number): void {
    const level = this.#level(depth);
    if (level.count % FAN !== 0) return;
    let min = Infinity;
    let max = -Infinity;
    for (let i = level.count - FAN; i < level.count; i++) {
      min = Math.min(min, level.min[i] ?? Infinity);
      max = Math.max(max, level.max[i] ?? -Infinity);
    }
    this.#level(depth + 1).push(min, max);
    this.#raise(depth + 1);
  }

  #level(depth: number): Level {
    return (this.#levels[depth] ??= new Level());
  }

  /** Scans units [a, b) of a depth: samples at depth 0, blocks above. */
  #scan(depth: number, a: number, b: number): void {
    const level = depth === 0 ? undefined : this.#levels[depth - 1];
    const mins = level?.min ?? this.#data.y;
    const maxs = level?.max ?? this.#data.y;
    let { min, max } = this;
    for (let i = a; i < b; i++) {
      const low = mins[i] ?? NaN;
      const high = maxs[i] ?? NaN;
      if (low < min) min = low;
      if (high > max) max = high;
    }
    this.min = min;
    this.max = max;
  }
}

const pyramids = new WeakMap<SeriesData, Pyramid>();

/** The pyramid of a series: made once, kept as long as the series. */
export function pyramidOf(data: SeriesData): Pyramid {
  let pyramid = pyramids.get(data);
  if (pyramid === undefined) {
    pyramid = new Pyramid(data);
    pyramids.set(data, pyramid);
  }
  return pyramid;
}
