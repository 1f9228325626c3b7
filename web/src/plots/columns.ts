// Series made from telemetry columns. Each is made once per stream, so that the pyramids behind them are built once.
import type { SeriesData } from '../charts/types';
import type { StreamData } from './data';

const NO_VALUES = new Float32Array(0);

class ColumnSeries implements SeriesData {
  readonly #stream: StreamData;
  readonly #name: string;

  constructor(stream: StreamData, name: string) {
    this.#stream = stream;
    this.#name = name;
  }
  get x(): Float64Array {
    return this.#stream.time;
  }
  get y(): Float32Array {
    return this.#stream.column(this.#name) ?? NO_VALUES;
  }
  get length(): number {
    return this.#stream.column(this.#name) === undefined ? 0 : this.#stream.rows;
  }
}

const made = new WeakMap<object, Map<string, SeriesData>>();

/** One series per owner and key. */
function once(owner: object, key: string, make: () => SeriesData): SeriesData {
  let series = made.get(owner);
  if (series === undefined) {
    series = new Map();
    made.set(owner, series);
  }
  let one = series.get(key);
  if (one === undefined) {
    one = make();
    series.set(key, one);
  }
  return one;
}

export const columnSeries = (stream: StreamData, name: string): SeriesData =>
  once(stream, name, () => new ColumnSeries(stream, name));

/**
 * A series whose rows are made from another one's as that grows. Rows appear only when they are final, so that what was drawn
 * never changes.
 */
abstract class Derived implements SeriesData {
  protected readonly source: SeriesData;
  #x = new Float64Array(256);
  #y = new Float32Array(256);
  #length = 0;
  /** Rows of the source that were taken in. */
  protected taken = 0;

  constructor(source: SeriesData) {
    this.source = source;
  }
  get x(): Float64Array {
    this.absorb();
    return this.#x;
  }
  get y(): Float32Array {
    this.absorb();
    return this.#y;
  }
  get length(): number {
    this.absorb();
    return this.#length;
  }
  protected abstract absorb(): void;

  protected push(x: number, y: number): void {
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

/**
 * Means over windows that begin at multiples of their length: the exact rate of each window, since rows are rates of equal times.
 * A window appears when its last row is there; one that the end of the run cuts short does not appear.
 */
class WindowMean extends Derived {
  readonly #window: number;
  #number = 0;
  #sum = 0;
  #count = 0;

  constructor(source: SeriesData, windowS: number) {
    super(source);
    this.#window = windowS;
  }

  protected absorb(): void {
    const { x, y, length } = this.source;
    for (; this.taken < length; this.taken++) {
      // In windows; rows end at their time, so one that ends on a window's end belongs to it.
      const position = (x[this.taken] ?? 0) / this.#window;
      const number = Math.ceil(position - ROUNDING);
      if (number !== this.#number) this.#flush();
      this.#number = number;
      const value = y[this.taken] ?? NaN;
      if (!Number.isNaN(value)) {
        this.#sum += value;
        this.#count++;
      }
      if (position > number - ROUNDING) this.#flush();
    }
  }

  #flush(): void {
    if (this.#count > 0) this.push(this.#number * this.#window, this.#sum / this.#count);
    this.#sum = 0;
    this.#count = 0;
  }
}

/** Slack for dividing times, in windows. */
const ROUNDING = 1e-6;

/** Mean of a column over windows; `windowMs` 0: the column itself. */
export function windowMean(stream: StreamData, name: string, windowMs: number): SeriesData {
  const column = columnSeries(stream, name);
  return windowMs === 0 ? column : once(stream, `${name}/${windowMs}`, () => new WindowMean(column, windowMs / 1000));
}

class Scaled extends Derived {
  readonly #factor: number;

  constructor(source: SeriesData, factor: number) {
    super(source);
    this.#factor = factor;
  }
  protected absorb(): void {
    const { x, y, length } = this.source;
    for (; this.taken < length; this.taken++) this.push(x[this.taken] ?? 0, (y[this.taken] ?? NaN) * this.#factor);
  }
}

export const scaled = (source: SeriesData, factor: number): SeriesData =>
  once(source, `x${factor}`, () => new Scaled(source, factor));

/** Bits in a byte, and megabits of a megabyte. */
const BITS = 8;

/** MB so far, of rates in Mbps: each row's rate for as long as the row is. What is not known adds nothing. */
class Amount extends Derived {
  #total = 0;

  protected absorb(): void {
    const { x, y, length } = this.source;
    // How long the first row is is known from the second.
    for (; this.taken < length && length > 1; this.taken++) {
      const at = Math.max(this.taken, 1);
      const seconds = (x[at] ?? 0) - (x[at - 1] ?? 0);
      const rate = y[this.taken] ?? NaN;
      if (!Number.isNaN(rate)) this.#total += (rate * seconds) / BITS;
      this.push(x[this.taken] ?? 0, this.#total);
    }
  }
}

export const amount = (stream: StreamData, rate: string): SeriesData =>
  once(stream, `${rate}/amount`, () => new Amount(columnSeries(stream, rate)));
