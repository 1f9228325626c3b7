// Jain's index over rolling windows from samples, of throughput and of RTT alike: what a box plot of them needs. The summary's own (every
// packet, throughput alone) has no ends; where both are, they agree to what a sample's edge cuts off.
import { jainIndex } from '#analysis/fairness';
import type { MeanBetween } from '#analysis/series-mean';
import { mean, sortedQuantile } from '#analysis/statistics';

export interface Box {
  readonly least: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly most: number;
  readonly mean: number;
  /** Windows. */
  readonly n: number;
}

/** null of nothing. Quantiles are nearest-rank. */
export function boxOf(values: readonly number[]): Box | null {
  const sorted = Float64Array.from(values).sort();
  const at = (q: number): number => sortedQuantile(sorted, q) ?? NaN;
  const centre = mean(values);
  return centre === null
    ? null
    : { least: at(0), p25: at(0.25), p50: at(0.5), p75: at(0.75), most: at(1), mean: centre, n: values.length };
}

export interface JainWindow {
  readonly at_s: number;
  readonly index: number;
}

/** One per base RTT, at its end; windows in which a flow is not known, or all are zero, are left out. */
export function rollingJain(
  flows: readonly MeanBetween[],
  { from_s, to_s, window_s, step_s }: { from_s: number; to_s: number; window_s: number; step_s: number },
): JainWindow[] {
  const found: JainWindow[] = [];
  for (let i = 0; from_s + i * step_s + window_s <= to_s + 1e-9; i++) {
    const start = from_s + i * step_s;
    const values = flows.map((flow) => flow(start, start + window_s));
    const index = values.some((value) => value === null) ? null : jainIndex(values.map((value) => value ?? 0));
    if (index !== null) found.push({ at_s: start + window_s, index });
  }
  return found;
}
