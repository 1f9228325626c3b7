// The table behind the figures: a row per cell, sortable; a row lights its dots and lists its runs.
import { useMemo, type ReactNode } from 'react';
import { METRICS, type MetricId } from '#analysis/metrics';
import { SCENARIOS } from '#analysis/scores';
import type { Estimate } from '#analysis/statistics';
import { sortRows, type SortColumn, type TableRow } from '#analysis/table';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { alignDecimals, formatMeasured, formatSpread, NO_VALUE } from '../../ui/format';
import { Badge } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

interface Column {
  readonly id: SortColumn;
  readonly label: string;
  readonly title?: string;
  readonly read: (row: TableRow) => Reading | null;
}

type Reading = Parameters<typeof formatSpread>[0];

const times = (factor: number, { mean, low, high, values }: Estimate): Reading => ({
  mean: mean * factor,
  low: low === null ? null : low * factor,
  high: high === null ? null : high * factor,
  values: values.map((value) => value * factor),
});

const metric = (id: MetricId, label: string, factor = 1): Column => ({
  id,
  label,
  title: METRICS[id].definition,
  read: (row) => {
    const estimate = row.metrics[id];
    return estimate === null ? null : times(factor, estimate);
  },
});

const COLUMNS: readonly Column[] = [
  metric('utilisation', 'Util., %', 100),
  metric('queueing_mean', 'Queueing, ms'),
  metric('queueing_p95', 'p95, ms'),
  metric('delay_inflation', 'RTT, × base'),
  metric('loss', 'Loss, %', 100),
  metric('retransmitted', 'Rtx, %', 100),
];

/** Where applications write messages. */
const MESSAGES: readonly Column[] = [
  metric('message_mean', 'Message delay, ms'),
  metric('message_p95', 'p95, ms'),
  metric('on_time', 'On time, %', 100),
];

const FULL: readonly Column[] = [
  {
    id: 'intra',
    label: 'Jain, self',
    title: 'Jain’s index of two flows of the algorithm',
    read: (row) => row.intra,
  },
  {
    id: 'inter',
    label: 'Jain, base',
    title: 'Jain’s index of the algorithm and the baseline',
    read: (row) => row.inter,
  },
  ...SCENARIOS.filter((scenario) => scenario.main).map((scenario): Column => ({
    id: `score:${scenario.id}`,
    label: scenario.label,
    title: scenario.summary,
    read: (row) => {
      const score = row.scores?.[scenario.id];
      const value = score?.score.value ?? null;
      return value === null
        ? null
        : { mean: value, low: score?.interval?.low ?? null, high: score?.interval?.high ?? null };
    },
  })),
];

interface ResultTableProps {
  readonly rows: readonly TableRow[];
  /** `-loss`: by loss, the greatest first. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly full: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (cells: readonly string[]) => void;
}

export function ResultTable({ rows, sort, onSort, full, selected, onSelect }: ResultTableProps) {
  const messages = MESSAGES.filter((column) => rows.some((row) => column.read(row) !== null));
  const columns = [...COLUMNS, ...messages, ...(full ? FULL : [])];
  const descending = sort.startsWith('-');
  const by = sort.replace(/^-/, '');
  const sorted = useMemo(
    () => (by === '' ? rows : sortRows(rows, by as SortColumn, descending)),
    [rows, by, descending],
  );
  const extra = extraColumns(rows);
  const cells = columns.map((column) => cellTexts(sorted, column));

  const header = (id: SortColumn, label: string, title?: string): ReactNode => {
    const on = by === id;
    return (
      <button
        type="button"
        className={css['sort']}
        aria-pressed={on}
        title={title}
        onClick={() => onSort(on && !descending ? `-${id}` : on ? '' : id)}
      >
        {label}
        {on ? <span aria-hidden="true">{descending ? '↓' : '↑'}</span> : null}
      </button>
    );
  };
  const ariaSort = (id: SortColumn) => (by === id ? (descending ? 'descending' : 'ascending') : undefined);

  return (
    <WideTable label="Results">
      <table className={cx(page['table'], css['results'])}>
        <thead>
          <tr>
            <th aria-sort={ariaSort('cca')}>{header('cca', 'Algorithm')}</th>
            <th aria-sort={ariaSort('limit')} className={page['num']}>
              {header('limit', 'Limit')}
            </th>
            {extra.map((column) => (
              <th key={column.label} className={css['axis']}>
                {column.label}
              </th>
            ))}
            {columns.map((column) => (
              <th key={column.id} aria-sort={ariaSort(column.id)} className={page['num']}>
                {header(column.id, column.label, column.title)}
              </th>
            ))}
            <th aria-sort={ariaSort('n')} className={page['num']}>
              {header('n', 'Runs', 'Repetitions that count, of those planned')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, i) => (
            <Row
              key={row.key}
              row={row}
              extra={extra.map((column) => column.read(row))}
              cells={cells.map((column) => column[i] ?? { mean: NO_VALUE, spread: '' })}
              selected={selected.has(row.key)}
              onToggle={() =>
                onSelect(
                  selected.has(row.key) ? [...selected].filter((key) => key !== row.key) : [...selected, row.key],
                )
              }
            />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

interface CellText {
  readonly mean: string;
  readonly spread: string;
}

function cellTexts(rows: readonly TableRow[], column: Column): CellText[] {
  const values = rows.map(column.read);
  const means = alignDecimals(values.map((value) => formatMeasured(value?.mean)));
  return values.map((value, i) => ({
    mean: means[i] ?? NO_VALUE,
    spread: value === null ? '' : formatSpread(value),
  }));
}

interface ExtraColumn {
  readonly label: string;
  readonly read: (row: TableRow) => string;
}

/** Axes with more than one value get a column. */
function extraColumns(rows: readonly TableRow[]): ExtraColumn[] {
  const all: readonly ExtraColumn[] = [
    { label: 'Trace', read: ({ cell }) => cell.trace_name },
    { label: 'Base RTT, ms', read: ({ cell }) => String(cell.base_rtt_ms) },
    { label: 'Discipline', read: ({ cell }) => cell.queue.id },
    { label: 'Random loss, %', read: ({ cell }) => String(cell.loss * 100) },
  ];
  return all.filter((column) => new Set(rows.map(column.read)).size > 1);
}

interface RowProps {
  readonly row: TableRow;
  readonly extra: readonly string[];
  readonly cells: readonly CellText[];
  readonly selected: boolean;
  readonly onToggle: () => void;
}

function Row({ row, extra, cells, selected, onToggle }: RowProps) {
  return (
    <tr className={css['rowMain']} onClick={onToggle} {...(selected ? { 'data-selected': '' } : {})}>
      <td>
        <button
          type="button"
          className={css['expand']}
          aria-pressed={selected}
          aria-label={`Select ${row.label}, ${row.limit}${extra.map((text) => `, ${text}`).join('')}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <CcaMark cca={row.cca ?? undefined} />
          {row.label}
          {row.reference ? <Badge>reference</Badge> : null}
        </button>
        {extra.length === 0 ? null : <div className={css['axes']}>{extra.join(' · ')}</div>}
      </td>
      <td className={page['num']}>{row.limit}</td>
      {extra.map((text, i) => (
        <td key={String(i) + text} className={css['axis']}>
          {text}
        </td>
      ))}
      {cells.map((cell, i) => (
        <td key={String(i)} className={page['num']}>
          {cell.mean} <span className={css['pm']}>{cell.spread}</span>
        </td>
      ))}
      <td className={page['num']}>
        <Count row={row} />
      </td>
    </tr>
  );
}

/** How many repetitions are behind the row's means. */
const Count = ({ row }: { readonly row: TableRow }) => (
  <span
    className={cx(row.n < row.planned && row.pending === 0 && css['unmeasured'])}
    title={row.excluded.map((run) => `repetition ${run.repetition + 1}: ${run.reason}`).join('\n')}
  >
    {row.n === row.planned ? row.n : `${row.n} of ${row.planned}`}
  </span>
);
