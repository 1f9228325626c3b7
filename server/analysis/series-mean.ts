// Means of telemetry over any stretch of time, however many are asked for: sums up to each row are made once.
import type { TimeSeries } from '#analysis/live-comparison';

export type MeanBetween = (from_s: number, to_s: number) => number | null;

/** How long a row is, seconds; 0 of fewer than two. */
export const periodOf = ({ time, rows }: TimeSeries): number => (rows > 1 ? (time[1] ?? 0) - (time[0] ?? 0) : 0);

/** null where less than half of the stretch is known. */
export function meanBetween(series: TimeSeries): MeanBetween {
  const { time, values, rows } = series;
  // Row i is of the time from edge i to edge i + 1; sums are of all rows before an edge.
  const edges = new Float64Array(rows + 1);
  const [totals, known] = [new Float64Array(rows + 1), new Float64Array(rows + 1)];
  edges[0] = (time[0] ?? 0) - periodOf(series);
  for (let i = 0; i < rows; i++) {
    const value = values[i] ?? NaN;
    const length = (time[i] ?? 0) - (edges[i] ?? 0);
    edges[i + 1] = time[i] ?? 0;
    totals[i + 1] = (totals[i] ?? 0) + (Number.isNaN(value) ? 0 : value * length);
    known[i + 1] = (known[i] ?? 0) + (Number.isNaN(value) ? 0 : length);
  }
  /** The last edge at or before `t`. */
  const edgeBefore = (t: number): number => {
    let [low, high] = [0, rows];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((edges[middle] ?? Infinity) <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const upTo = (sums: Float64Array, t: number): number => {
    const at = edgeBefore(t);
    const [from, to] = [edges[at] ?? 0, edges[at + 1] ?? edges[at] ?? 0];
    const part = to > from ? Math.min(Math.max((t - from) / (to - from), 0), 1) : 0;
    return (sums[at] ?? 0) + part * ((sums[at + 1] ?? sums[at] ?? 0) - (sums[at] ?? 0));
  };
  return (from_s, to_s) => {
    const length = upTo(known, to_s) - upTo(known, from_s);
    return length > 0 && length >= (to_s - from_s) / 2 ? (upTo(totals, to_s) - upTo(totals, from_s)) / length : null;
  };
}
