// Events of another program, packets above all, as series: by intervals that are the same all along.
import type { Row } from '#analysis/imported-series';

/** Rows are this far apart, or so many times this that there are no more than `MOST_ROWS`. */
const PERIOD_S = 0.01;
const MOST_ROWS = 100_000;

/** Events that grow: two numbers each. Times in seconds. */
export class Points {
  readonly times: number[] = [];
  readonly values: number[] = [];
  add(time: number, value: number): void {
    this.times.push(time);
    this.values.push(value);
  }
}

/** The latest of all times; 0: there are none. */
export const endOf = (all: readonly Points[]): number =>
  all.reduce((latest, { times }) => times.reduce((a, b) => Math.max(a, b), latest), 0);

/** Between rows of what lasts so long, in seconds. */
export const periodOf = (end: number): number => PERIOD_S * Math.max(1, Math.ceil(end / PERIOD_S / MOST_ROWS));

const rowOf = (time: number, period: number): number => Math.max(0, Math.ceil(time / period - 1e-9) - 1);

/** Bytes of each interval as a rate in Mbps; of one in which nothing came, 0. */
export function rateRows({ times, values }: Points, period: number): Row[] {
  const last = times.reduce((latest, time) => Math.max(latest, rowOf(time, period)), 0);
  const bytes = new Float64Array(last + 1);
  times.forEach((time, i) => {
    const row = rowOf(time, period);
    bytes[row] = (bytes[row] ?? 0) + (values[i] ?? 0);
  });
  return Array.from(bytes, (sum, row) => ({ time_s: (row + 1) * period, value: (sum * 8) / 1e6 / period }));
}

interface Held {
  readonly period: number;
  /** Of the log: until then it holds. */
  readonly end: number;
  readonly factor: number;
}

/** What it was at the end of each interval: it holds until it is told anew. */
export function stateRows({ times, values }: Points, { period, end, factor }: Held): Row[] {
  const told = new Float64Array(rowOf(end, period) + 1).fill(NaN);
  times.forEach((time, i) => (told[rowOf(time, period)] = values[i] ?? NaN));
  const rows: Row[] = [];
  let state = NaN;
  for (const [row, value] of told.entries()) {
    if (!Number.isNaN(value)) state = value;
    if (!Number.isNaN(state)) rows.push({ time_s: (row + 1) * period, value: state * factor });
  }
  return rows;
}
