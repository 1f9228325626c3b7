// Figures of whole runs beside those of one of them, as they are written: on the page, for LaTeX, and as numbers for CSV.
import { metricUnit, shortMetric } from '#analysis/metric-text';
import type { MetricId } from '#analysis/metrics';
import { summaryDifferences, type MetricDifference, type MetricRow } from '#analysis/summary-difference';
import type { RunSummary } from '#protocol/summary';
import type { WrittenTable } from '../../charts/save-table';
import type { Table } from '../../charts/types';
import { formatMeasured, NO_VALUE, UNIT_SPACE } from '../../ui/format';

export interface WrittenFigure {
  readonly value: string;
  /** `+1.20 (+4.5 %)`; empty: of the reference, or not known. */
  readonly difference: string;
}

export interface WrittenRow {
  readonly id: MetricId;
  /** With its unit. */
  readonly title: string;
  readonly definition: string;
  readonly figures: readonly WrittenFigure[];
}

const MINUS = '\u2212';
const signed = (value: number, write: (size: number) => string): string =>
  `${value > 0 ? '+' : value < 0 ? MINUS : '±'}${write(Math.abs(value))}`;

/** Smaller than what rounding a 64-bit sum leaves is no difference. */
const ROUNDING = 1e-12;

function differenceText(id: MetricId, { value, difference, percent }: MetricDifference): string {
  if (difference === null) return '';
  const none = Math.abs(difference) <= ROUNDING * Math.abs(value ?? 0);
  const own = signed(none ? 0 : difference, (size) => shortMetric(id, size));
  return percent === null ? own : `${own} (${signed(none ? 0 : percent, formatMeasured)}${UNIT_SPACE}%)`;
}

/** A share's difference is in hundredths of the whole, not of the share. */
const unitOf = (id: MetricId): string => metricUnit(id);

const writtenRow = ({ id, metric, runs }: MetricRow): WrittenRow => ({
  id,
  title: `${metric.label.charAt(0).toUpperCase()}${metric.label.slice(1)}, ${unitOf(id)}`,
  definition: metric.definition,
  figures: runs.map((run) => ({
    value: run.value === null ? NO_VALUE : shortMetric(id, run.value),
    difference: differenceText(id, run),
  })),
});

export const summaryRows = (summaries: readonly (RunSummary | null)[], reference: number): WrittenRow[] =>
  summaryDifferences(summaries, reference).map(writtenRow);

/** For LaTeX: the reference as it is, of the others what they are and what that is less the reference. */
export function summaryLatex(
  summaries: readonly (RunSummary | null)[],
  labels: readonly string[],
  reference: number,
): WrittenTable {
  return {
    columns: ['Metric', ...labels],
    rows: summaryRows(summaries, reference).map(({ title, figures }) => [
      title,
      ...figures.map(({ value, difference }) => (difference === '' ? value : `${value}, ${difference}`)),
    ]),
  };
}

/** For CSV: a row for each metric and run, full numbers. Shares are between 0 and 1. */
export function summaryCsv(
  summaries: readonly (RunSummary | null)[],
  runs: readonly { readonly id: string; readonly label: string }[],
  reference: number,
): Table {
  const against = runs[reference];
  return {
    columns: ['metric', 'unit', 'run', 'label', 'value', 'reference', 'difference', 'difference_percent'],
    rows: summaryDifferences(summaries, reference).flatMap(({ id, metric, runs: figures }) =>
      figures.map(({ value, difference, percent }, i) => [
        id,
        metric.unit,
        runs[i]?.id ?? '',
        runs[i]?.label ?? '',
        value,
        against?.id ?? '',
        difference,
        percent,
      ]),
    ),
  };
}
