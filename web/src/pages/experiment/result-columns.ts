// The columns of the table of results: figures, and the axes of the matrix that have more than one value.
import { TRANSPORT_NAMES } from '#analysis/cca-label';
import { missingText, windowsText } from '#analysis/fairness';
import { METRICS, type MetricId } from '#analysis/metrics';
import { basisNote } from '#analysis/packet-delay';
import { queueLabel } from '#analysis/queue-label';
import { disciplineOf, transportOf } from '#analysis/results';
import { SCENARIOS } from '#analysis/scores';
import type { Range } from '#analysis/statistics';
import { sweepName } from '#analysis/sweep-name';
import { sweptValue, type SortColumn, type TableRow } from '#analysis/table';
import type { Dimension } from '#analysis/table-groups';
import { formatChosen, NO_VALUE, UNIT_SPACE, type formatSpread, type Quantity } from '../../ui/format';

export type Reading = Parameters<typeof formatSpread>[0];

export interface Column {
  readonly id: SortColumn;
  readonly label: string;
  readonly title?: string;
  readonly quantity: Quantity;
  /** Where its values can be. */
  readonly range: Range;
  readonly read: (row: TableRow) => Reading | null;
  /** What the figure of some rows stands on, said beside it. */
  readonly note?: (row: TableRow) => Note | null;
}

/** `9/10`, what that means there, and anywhere in the table. */
export interface Note {
  readonly text: string;
  readonly title: string;
  readonly about: string;
}

const WINDOWS =
  '“9/10” beside Jain’s index: so many of the ten windows of 1 to 3000 base RTTs fit into the time for which the flows ran together. The mean stands on these.';

/** Of the ten windows of k base RTTs, where some are missing. */
const windowsNote =
  (term: 'intra' | 'inter') =>
  ({ missing_k }: TableRow): Note | null => {
    const text = windowsText(missing_k[term]);
    return text === null
      ? null
      : { text: text.replace(' of ', '/'), title: missingText(missing_k[term]), about: WINDOWS };
  };

const SHARE: Range = [0, 1];
const POSITIVE: Range = [0, Infinity];
const FROM_ONE: Range = [1, Infinity];

const metric = (id: MetricId, label: string, quantity: Quantity, range: Range, note?: Column['note']): Column => ({
  id,
  label,
  title: METRICS[id].definition,
  quantity,
  range,
  read: (row) => row.metrics[id],
  ...(note === undefined ? {} : { note }),
});

const ALWAYS: readonly Column[] = [
  metric('utilisation', 'Util.', 'share', SHARE),
  metric('queueing_mean', 'Queueing', 'delay_ms', POSITIVE),
  metric('queueing_p95', 'p95', 'delay_ms', POSITIVE),
  metric('delay_inflation', 'Delay, × base', 'number', FROM_ONE, (row) => basisNote(row.delay_basis)),
  metric('loss', 'Loss', 'share', SHARE),
  metric('retransmitted', 'Rtx', 'share', SHARE),
];

/** Where it was measured: applications write messages, ends run on a processor in real time. */
const WHERE_MEASURED: readonly Column[] = [
  metric('message_mean', 'Message delay', 'delay_ms', POSITIVE),
  metric('message_p95', 'Message p95', 'delay_ms', POSITIVE),
  metric('on_time', 'On time', 'share', SHARE),
  metric('cpu_percent', 'CPU, %', 'number', POSITIVE),
  metric('cpu_us_per_packet', 'CPU, µs a packet', 'number', POSITIVE),
  // Of several flows.
  metric('jain_together', 'Jain, together', 'number', SHARE),
  metric('first_share', 'First flow', 'share', SHARE),
];

const FULL: readonly Column[] = [
  {
    id: 'intra',
    label: 'Jain, self',
    title: 'Jain’s index of two flows of the algorithm',
    quantity: 'number',
    range: SHARE,
    read: (row) => row.intra,
    note: windowsNote('intra'),
  },
  {
    id: 'inter',
    label: 'Jain, base',
    title: 'Jain’s index of the algorithm and the baseline',
    quantity: 'number',
    range: SHARE,
    read: (row) => row.inter,
    note: windowsNote('inter'),
  },
  ...SCENARIOS.filter((scenario) => scenario.main).map((scenario): Column => ({
    id: `score:${scenario.id}`,
    label: scenario.label,
    title: scenario.summary,
    quantity: 'number',
    range: SHARE,
    read: (row) => {
      const score = row.scores?.[scenario.id];
      const value = score?.score.value ?? null;
      return value === null
        ? null
        : { mean: value, low: score?.interval?.low ?? null, high: score?.interval?.high ?? null };
    },
  })),
];

export const columnsOf = (rows: readonly TableRow[], full: boolean): Column[] => [
  ...ALWAYS,
  ...WHERE_MEASURED.filter((column) => rows.some((row) => column.read(row) !== null)),
  ...(full ? FULL : []),
];

export interface AxisColumn {
  readonly dimension: Dimension;
  /** null: not sorted by. */
  readonly id: SortColumn | null;
  readonly label: string;
  readonly read: (row: TableRow) => string;
}

/** Axes with more than one value get a column. */
export function axisColumns(rows: readonly TableRow[]): AxisColumn[] {
  const all: readonly AxisColumn[] = [
    { dimension: 'trace', id: 'trace', label: 'Trace', read: ({ cell }) => cell.trace_name },
    { dimension: 'set', id: null, label: 'Set', read: ({ cell }) => cell.trace_set ?? NO_VALUE },
    { dimension: 'rtt', id: 'rtt', label: 'Base RTT, ms', read: ({ cell }) => formatChosen(cell.base_rtt_ms) },
    { dimension: 'discipline', id: null, label: 'Discipline', read: ({ cell }) => queueLabel(disciplineOf(cell)) },
    { dimension: 'transport', id: null, label: 'Transport', read: transportText },
    { dimension: 'loss', id: null, label: 'Random loss, %', read: ({ cell }) => formatChosen(cell.loss * 100) },
    { dimension: 'sweep', id: 'sweep', label: sweptText(rows), read: sweptOf },
  ];
  return all.filter((column) => new Set(rows.map(column.read)).size > 1);
}

const sweptText = (rows: readonly TableRow[]): string => {
  const swept = rows.find(({ cell }) => cell.sweep !== undefined)?.cell.sweep;
  return swept === undefined ? DIMENSION_LABELS.sweep : sweepName(swept.path);
};

function sweptOf({ cell }: TableRow): string {
  const value = sweptValue(cell);
  return value === null ? NO_VALUE : typeof value === 'number' ? formatChosen(value) : value;
}

function transportText({ cell }: TableRow): string {
  const transport = transportOf(cell);
  return transport === undefined ? NO_VALUE : TRANSPORT_NAMES[transport];
}

export const DIMENSION_LABELS: Readonly<Record<Dimension, string>> = {
  cca: 'Algorithm',
  limit: 'Queue limit',
  trace: 'Trace',
  set: 'Set of traces',
  rtt: 'Base RTT',
  discipline: 'Discipline',
  transport: 'Transport',
  loss: 'Random loss',
  sweep: 'Swept value',
};

/** What the rows of a group have in common, by any of them. */
export const DIMENSION_TEXTS: Readonly<Record<Dimension, (row: TableRow) => string>> = {
  cca: ({ label }) => label,
  limit: ({ limit }) => limit,
  trace: ({ cell }) => cell.trace_name,
  set: ({ cell, label, limit }) =>
    [cell.trace_set ?? cell.trace_name, label, limit, `${formatChosen(cell.base_rtt_ms)}${UNIT_SPACE}ms`].join(' · '),
  rtt: ({ cell }) => `${formatChosen(cell.base_rtt_ms)}${UNIT_SPACE}ms`,
  discipline: ({ cell }) => queueLabel(disciplineOf(cell)),
  transport: transportText,
  loss: ({ cell }) => `${formatChosen(cell.loss * 100)}${UNIT_SPACE}%`,
  sweep: sweptOf,
};
