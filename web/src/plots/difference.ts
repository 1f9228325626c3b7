// A series less another one, on common windows: what two runs differ by over time.
import type { SeriesData } from '../charts/types';
import { windowMean } from './columns';
import type { StreamData } from './data';

/** Slack for comparing the ends of windows, in windows. */
const ROUNDING = 1e-3;

/**
 * Rows of `a` less those of `b`, of windows that both have in common; one that only one of them has is a gap. Both are means over windows that
 * begin at multiples of their length, and grow.
 */
class Difference implements SeriesData {
  readonly #a: SeriesData;
  readonly #b: SeriesData;
  readonly #window: number;
  #x = new Float64Array(256);
  #y = new Float32Array(256);
  #length = 0;
  #takenA = 0;
  #takenB = 0;

  constructor(a: SeriesData, b: SeriesData, windowS: number) {
    this.#a = a;
    this.#b = b;
    this.#window = windowS;
  }
  get x(): Float64Array {
    this.#absorb();
    return this.#x;
  }
  get y(): Float32Array {
    this.#absorb();
    return this.#y;
  }
  get length(): number {
    this.#absorb();
    return this.#length;
  }

  #absorb(): void {
    const { x: ax, y: ay, length: an } = this.#a;
    const { x: bx, y: by, length: bn } = this.#b;
    while (this.#takenA < an && this.#takenB < bn) {
      const [at, bt] = [ax[this.#takenA] ?? 0, bx[this.#takenB] ?? 0];
      if (Math.abs(at - bt) <= ROUNDING * this.#window) {
        this.#put(at, (ay[this.#takenA++] ?? NaN) - (by[this.#takenB++] ?? NaN));
      } else if (at < bt) this.#put(ax[this.#takenA++] ?? 0, NaN);
      else this.#put(bx[this.#takenB++] ?? 0, NaN);
    }
  }

  #put(x: number, y: number): void {
    // Windows that neither has break the line as well.
    const last = this.#length > 0 ? (this.#x[this.#length - 1] ?? 0) : x - this.#window;
    if (x > last + (1 + ROUNDING) * this.#window) this.#push(last + this.#window, NaN);
    this.#push(x, y);
  }

  #push(x: number, y: number): void {
    if (this.#length === this.#x.length) {
      const [largerX, largerY] = [new Float64Array(this.#length * 2), new Float32Array(this.#length * 2)];
      largerX.set(this.#x);
      largerY.set(this.#y);
      [this.#x, this.#y] = [largerX, largerY];
    }
    this.#x[this.#length] = x;
    this.#y[this.#length++] = y;
  }
}

const made = new WeakMap<StreamData, WeakMap<StreamData, Map<string, SeriesData>>>();

/** A column of a stream less the same of another, each the mean over windows. Made once for each pair. */
export function difference(a: StreamData, b: StreamData, column: string, windowMs: number): SeriesData {
  let beside = made.get(a);
  if (beside === undefined) made.set(a, (beside = new WeakMap<StreamData, Map<string, SeriesData>>()));
  let known = beside.get(b);
  if (known === undefined) beside.set(b, (known = new Map<string, SeriesData>()));
  const key = `${column}/${windowMs}`;
  let series = known.get(key);
  if (series === undefined) {
    const mean = (stream: StreamData): SeriesData => windowMean(stream, column, windowMs);
    series = new Difference(mean(a), mean(b), windowMs / 1000);
    known.set(key, series);
  }
  return series;
}
