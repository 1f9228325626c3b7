// The table of a report: a row for each cell, every figure with its interval and the runs behind it, loss beside throughput.
import { formatBytes, formatSpread, NO_VALUE } from '#analysis/format';
import { METRICS, type MetricId } from '#analysis/metrics';
import { metricUnit, shortMetric } from '#analysis/metric-text';
import { queueLabel } from '#analysis/queue-label';
import { safe } from '#analysis/report-page';
import { disciplineOf, transportOf } from '#analysis/results';
import type { Estimate } from '#analysis/statistics';
import { sweepName } from '#analysis/sweep-name';
import { sweptValue, type TableRow } from '#analysis/table';
import { TRANSPORT_NAMES } from '#analysis/cca-label';

/** More rows than anybody reads; the files have all. */
export const MOST_ROWS = 400;

const COLUMNS: readonly MetricId[] = [
  'throughput',
  'loss',
  'utilisation',
  'queueing_mean',
  'queueing_p95',
  'rtt_mean',
  'delay_inflation',
];

export const TABLE_RULES = `
.num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}td.num{color:var(--ink)}.num small{display:block;color:var(--ink-3)}th.num{white-space:normal;overflow-wrap:normal;max-width:8.5em}.name{color:var(--ink);min-width:8em}.axis{min-width:9em}`;

interface Axis {
  readonly head: string;
  readonly read: (row: TableRow) => string;
}

/** What tells rows apart beside algorithm and limit. */
const AXES: readonly Axis[] = [
  { head: 'Trace', read: ({ cell }) => cell.trace_name },
  { head: 'Base RTT, ms', read: ({ cell }) => String(cell.base_rtt_ms) },
  { head: 'Queue', read: ({ cell }) => queueLabel(disciplineOf(cell)) },
  {
    head: 'Transport',
    read: ({ cell }) => {
      const transport = transportOf(cell);
      return transport === undefined ? NO_VALUE : TRANSPORT_NAMES[transport];
    },
  },
  { head: 'Random loss, %', read: ({ cell }) => String(Number((cell.loss * 100).toPrecision(6))) },
];

/** Those with more than one value, and what is swept. */
export function axesOf(rows: readonly TableRow[]): Axis[] {
  const swept = rows.find(({ cell }) => cell.sweep !== undefined)?.cell.sweep;
  return [
    ...AXES.filter(({ read }) => new Set(rows.map(read)).size > 1),
    ...(swept === undefined
      ? []
      : [{ head: sweepName(swept.path), read: ({ cell }: TableRow) => String(sweptValue(cell) ?? NO_VALUE) }]),
  ];
}

function estimateCell(id: MetricId, estimate: Estimate | null): string {
  if (estimate === null) return `<td class="num">${NO_VALUE}</td>`;
  const write = (value: number): string => shortMetric(id, value);
  const spread = formatSpread({ ...estimate, values: [] }, write);
  const told =
    spread !== '' && [estimate.low, estimate.high].some((end) => end !== null && write(end) !== write(estimate.mean));
  return `<td class="num">${shortMetric(id, estimate.mean)}${told ? `<small>${spread}</small>` : ''}</td>`;
}

function rowHtml(row: TableRow, axes: readonly Axis[], shown: readonly MetricId[]): string {
  const { label, limit, cell, metrics, n, planned, delay_basis } = row;
  const bytes = cell.limit_bytes === null ? '' : `<small>${formatBytes(cell.limit_bytes)}</small>`;
  const basis = delay_basis === 'rtt' ? '<small>delay of RTT samples</small>' : '';
  return `<tr><td class="name">${safe(label)}${basis}</td>${axes.map(({ read }) => `<td class="axis">${safe(read(row))}</td>`).join('')}<td class="num">${safe(limit)}${bytes}</td>${shown.map((id) => estimateCell(id, metrics[id])).join('')}<td class="num">${n === planned ? n : `${n} of ${planned}`}</td></tr>`;
}

/** Those that are always there, and those that were measured. */
export const figuresOf = (rows: readonly TableRow[]): MetricId[] => [
  ...COLUMNS,
  ...(['message_mean', 'on_time', 'jain'] as const).filter((id) => rows.some(({ metrics }) => metrics[id] !== null)),
];

/** In pieces: there may be many rows. */
export function* tableSteps(rows: readonly TableRow[]): Generator<string, void, undefined> {
  const axes = axesOf(rows);
  const shown = figuresOf(rows);
  const heads = shown.map(
    (id) => `<th class="num" scope="col">${safe(METRICS[id].label)}, ${safe(metricUnit(id))}</th>`,
  );
  yield `<div class="scroll"><table><thead><tr><th scope="col">Algorithm</th>${axes.map(({ head }) => `<th scope="col">${safe(head)}</th>`).join('')}<th class="num" scope="col">Queue limit</th>${heads.join('')}<th class="num" scope="col">n</th></tr></thead><tbody>`;
  for (const row of rows.slice(0, MOST_ROWS)) yield rowHtml(row, axes, shown);
  yield '</tbody></table></div>';
}
