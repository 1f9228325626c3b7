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
    const arrays = this.#arrays();
    this.#scan(arrays, from, Math.min(to, this.#data.length));
  }

  /** Exact extremes of runs of samples that follow one another: the first begins at `from`, each ends before `ends[i]`; min > max: only NaN. */
  queryEach(from: number, ends: Int32Array, count: number, visit: (i: number, min: number, max: number) => void): void {
    this.#absorb();
    const arrays = this.#arrays();
    const { length } = this.#data;
    let start = from;
    for (let i = 0; i < count; i++) {
      const end = ends[i] ?? start;
      this.#scan(arrays, start, Math.min(end, length));
      visit(i, this.min, this.max);
      start = end;
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

  /** What each depth holds: samples at depth 0, blocks above. */
  #arrays(): Depths {
    const { y } = this.#data;
    return {
      mins: [y, ...this.#levels.map(({ min }) => min)],
      maxs: [y, ...this.#levels.map(({ max }) => max)],
      blocks: this.#levels.map(({ count }) => count),
    };
  }

  /** Extremes of samples [from, to): the ends of each depth, and what is whole from the depth above. */
  #scan({ mins, maxs, blocks }: Depths, from: number, to: number): void {
    let [min, max] = [Infinity, -Infinity];
    let [a, b] = [from, to];
    for (let depth = 0; a < b; depth++) {
      const first = Math.ceil(a / FAN);
      const last = Math.min(Math.floor(b / FAN), blocks[depth] ?? 0);
      const low = mins[depth];
      const high = maxs[depth];
      if (low === undefined || high === undefined) break;
      const split = first < last;
      const head = split ? first * FAN : b;
      for (let i = a; i < head; i++) {
        if ((low[i] ?? NaN) < min) min = low[i] ?? NaN;
        if ((high[i] ?? NaN) > max) max = high[i] ?? NaN;
      }
      if (!split) break;
      for (let i = last * FAN; i < b; i++) {
        if ((low[i] ?? NaN) < min) min = low[i] ?? NaN;
        if ((high[i] ?? NaN) > max) max = high[i] ?? NaN;
      }
      [a, b] = [first, last];
    }
    this.min = min;
    this.max = max;
  }
}

interface Depths {
  readonly mins: readonly Float32Array[];
  readonly maxs: readonly Float32Array[];
  /** Whole blocks of eight of each depth. */
  readonly blocks: readonly number[];
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
