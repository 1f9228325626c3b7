// The table of results for LaTeX: a row for each cell, means with their 95 % intervals, loss beside throughput.
import { formatSpread } from '#analysis/format';
import { latexTable } from '#analysis/latex-table';
import { METRICS, type MetricId } from '#analysis/metrics';
import { metricUnit, shortMetric } from '#analysis/metric-text';
import { axesOf, figuresOf } from '#analysis/report-table';
import type { TableRow } from '#analysis/table';

export interface ResultsOf {
  readonly id: string;
  readonly name: string;
  readonly repetitions: number;
  readonly engineVersion: string | null;
  /** Null: there is no page of it. */
  readonly permalink: string | null;
}

/** The interval in brackets, where there is one that can be told from the mean. */
function written(id: MetricId, row: TableRow): string | null {
  const estimate = row.metrics[id];
  if (estimate === null) return null;
  const write = (value: number): string => shortMetric(id, value);
  const mean = write(estimate.mean);
  const told = [estimate.low, estimate.high].some((end) => end !== null && write(end) !== mean);
  const spread = formatSpread({ ...estimate, values: [] }, write);
  // As papers write it.
  return told ? `${mean} (${spread.replace(/\s*…\s*/u, '–')})` : mean;
}

export function resultLatex(rows: readonly TableRow[], of: ResultsOf): string {
  const axes = axesOf(rows);
  const figures = figuresOf(rows);
  const { id, name, repetitions, engineVersion, permalink } = of;
  const engine = engineVersion === null ? '' : `, Paceline engine ${engineVersion}`;
  return latexTable({
    columns: [
      'Algorithm',
      ...axes.map(({ head }) => head),
      'Queue limit',
      ...figures.map((figure) => `${METRICS[figure].label}, ${metricUnit(figure)}`),
      'n',
    ],
    rows: rows.map((row) => [
      row.label,
      ...axes.map(({ read }) => read(row)),
      row.limit,
      ...figures.map((figure) => written(figure, row)),
      row.n,
    ]),
    caption: `${name}: means of ${repetitions === 1 ? 'one repetition' : `up to ${repetitions} repetitions`} with 95 % intervals, where there are three and more${engine}.`,
    label: `tab:paceline-${id}`,
    comments: permalink === null ? [] : [permalink],
  });
}
