// The figures of runs beside those of one of them: in their own units and in per cent.
import { METRICS, type Metric, type MetricId } from '#analysis/metrics';
import type { RunSummary } from '#protocol/summary';

export interface MetricDifference {
  /** null: not measured in this run. */
  readonly value: number | null;
  /** Minus the reference's; null where either is missing, and for the reference itself. */
  readonly difference: number | null;
  /** The same over the reference's, per cent; null where that is 0. */
  readonly percent: number | null;
}

export interface MetricRow {
  readonly id: MetricId;
  readonly metric: Metric;
  /** Of each run. */
  readonly runs: readonly MetricDifference[];
}

/** Those metrics that any of the runs has. `reference`: its place among them. */
export function summaryDifferences(summaries: readonly (RunSummary | null)[], reference: number): MetricRow[] {
  return (Object.keys(METRICS) as MetricId[]).flatMap((id) => {
    const metric: Metric = METRICS[id];
    const values = summaries.map((summary) => (summary === null ? null : metric.of(summary)));
    if (values.every((value) => value === null)) return [];
    const base = values[reference] ?? null;
    const runs = values.map((value, run): MetricDifference => {
      if (value === null || base === null || run === reference) return { value, difference: null, percent: null };
      const difference = value - base;
      return { value, difference, percent: base === 0 ? null : (100 * difference) / Math.abs(base) };
    });
    return [{ id, metric, runs }];
  });
}
