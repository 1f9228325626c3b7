// Made-up telemetry: rates by pieces of time, a row each 10 ms.
import type { TimeSeries } from '#analysis/live-comparison';

/** Each piece until its time, seconds. */
export type Pieces = readonly (readonly [until_s: number, value: number])[];

export function seriesOf(pieces: Pieces, period_s = 0.01): TimeSeries {
  const rows = Math.round((pieces.at(-1)?.[0] ?? 0) / period_s);
  const time = Float64Array.from({ length: rows }, (_, i) => (i + 1) * period_s);
  // A row is of the time before it.
  const values = Float64Array.from(time, (t) => pieces.find(([until]) => t <= until + period_s / 2)?.[1] ?? NaN);
  return { time, values, rows };
}
