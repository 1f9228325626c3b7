// Metrics of #analysis/metrics as text.
import { METRICS, type MetricId } from '#analysis/metrics';
import type { Estimate } from '#analysis/statistics';
import { formatMeasured, formatPercent, formatSpread, formatTimes } from '#analysis/format';
import { formatReading } from '#analysis/reading-text';

export function formatMetric(id: MetricId, value: number): string {
  const { unit } = METRICS[id] as { unit: string };
  if (unit === '') return formatPercent(value);
  return unit.startsWith('×') ? formatTimes(value) : formatReading(value, unit);
}

/** Where space is short: no unit, which stands above the figure. */
export function shortMetric(id: MetricId, value: number): string {
  return formatMeasured((METRICS[id] as { unit: string }).unit === '' ? value * 100 : value);
}

/** What the short figures are in. */
export const metricUnit = (id: MetricId): string => {
  const { unit } = METRICS[id] as { unit: string };
  return unit === '' ? '%' : unit;
};

/** `34.2 ms (31.0 … 37.4)`; of two runs, which have no interval, `34.2 ms (33.1, 35.3)`. */
export function formatEstimateOf(id: MetricId, estimate: Estimate): string {
  const spread = formatSpread(estimate, (value) => shortMetric(id, value));
  return spread === '' ? formatMetric(id, estimate.mean) : `${formatMetric(id, estimate.mean)} (${spread})`;
}
