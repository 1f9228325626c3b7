// The table behind the figures: a row per cell, sortable; a row lights its dots and lists its runs.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import { METRICS, type MetricId } from '#analysis/metrics';
import { SCENARIOS } from '#analysis/scores';
import { sortRows, type SortColumn, type TableRow } from '#analysis/table';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { Checkbox, TextField } from '../../ui/fields';
import {
  alignDecimals,
  columnFormat,
  formatCount,
  formatSpread,
  NO_VALUE,
  plural,
  type Quantity,
} from '../../ui/format';
import { Badge } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

interface Column {
  readonly id: SortColumn;
  readonly label: string;
  readonly title?: string;
  readonly quantity: Quantity;
  readonly read: (row: TableRow) => Reading | null;
}

type Reading = Parameters<typeof formatSpread>[0];

const metric = (id: MetricId, label: string, quantity: Quantity): Column => ({
  id,
  label,
  title: METRICS[id].definition,
  quantity,
  read: (row) => row.metrics[id],
});

const COLUMNS: readonly Column[] = [
  metric('utilisation', 'Util.', 'share'),
  metric('queueing_mean', 'Queueing', 'delay_ms'),
  metric('queueing_p95', 'p95', 'delay_ms'),
  metric('delay_inflation', 'RTT, × base', 'number'),
  metric('loss', 'Loss', 'share'),
  metric('retransmitted', 'Rtx', 'share'),
];

/** Where applications write messages. */
const MESSAGES: readonly Column[] = [
  metric('message_mean', 'Message delay', 'delay_ms'),
  metric('message_p95', 'Message p95', 'delay_ms'),
  metric('on_time', 'On time', 'share'),
];

/** Fewer rows are all there at once: they can be searched and printed. */
const MOST_WHOLE = 100;
const ROW_HEIGHT = 31;
/** Before the room is known. */
const FIRST_ROOM = { width: 1000, height: 640 };

const FULL: readonly Column[] = [
  {
    id: 'intra',
    label: 'Jain, self',
    title: 'Jain’s index of two flows of the algorithm',
    quantity: 'number',
    read: (row) => row.intra,
  },
  {
    id: 'inter',
    label: 'Jain, base',
    title: 'Jain’s index of the algorithm and the baseline',
    quantity: 'number',
    read: (row) => row.inter,
  },
  ...SCENARIOS.filter((scenario) => scenario.main).map((scenario): Column => ({
    id: `score:${scenario.id}`,
    label: scenario.label,
    title: scenario.summary,
    quantity: 'number',
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
  /** What a row must say somewhere to be shown. */
  readonly find: string;
  readonly onFind: (find: string) => void;
  /** Columns that are not shown. */
  readonly without: readonly string[];
  readonly onWithout: (columns: readonly string[]) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (cells: readonly string[]) => void;
}

export function ResultTable(props: ResultTableProps) {
  const { rows, sort, onSort, full, find, onFind, without, onWithout, selected, onSelect } = props;
  const messages = MESSAGES.filter((column) => rows.some((row) => column.read(row) !== null));
  const offered = [...COLUMNS, ...messages, ...(full ? FULL : [])];
  const columns = offered.filter(({ id }) => !without.includes(id));
  const descending = sort.startsWith('-');
  const by = sort.replace(/^-/, '');
  const extra = useMemo(() => extraColumns(rows), [rows]);
  const sorted = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => {
      const text = [row.label, row.limit, ...extra.map((column) => column.read(row))].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return by === '' ? found : sortRows(found, by as SortColumn, descending);
  }, [rows, extra, find, by, descending]);
  const cells = columns.map((column) => cellTexts(sorted, column));
  const box = useRef<HTMLDivElement>(null);
  const few = sorted.length <= MOST_WHOLE;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while rendering, none is kept
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    initialRect: FIRST_ROOM,
    overscan: 12,
    enabled: !few,
  });
  const items = few ? [] : virtual.getVirtualItems();
  const [from, to] = few ? [0, sorted.length] : [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1];
  const above = items[0]?.start ?? 0;
  const below = few ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const width = columns.length + extra.length + 3;

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
    <>
      <div className={css['tableTools']}>
        <TextField label="Show rows with" value={find} onChange={onFind} />
        <details>
          <summary>Columns</summary>
          <div>
            {offered.map(({ id, label }) => (
              <Checkbox
                key={id}
                isSelected={!without.includes(id)}
                onChange={(on) => onWithout(on ? without.filter((other) => other !== id) : [...without, id])}
              >
                {label}
              </Checkbox>
            ))}
          </div>
        </details>
        <output>
          {sorted.length === rows.length
            ? plural(rows.length, 'row')
            : `${formatCount(sorted.length)} of ${plural(rows.length, 'row')}`}
        </output>
      </div>
      <WideTable ref={box} label="Results" className={css['tableBox']}>
        <table className={cx(page['table'], css['results'])} aria-rowcount={sorted.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th aria-sort={ariaSort('cca')}>{header('cca', 'Algorithm')}</th>
              <th aria-sort={ariaSort('limit')} className={page['num']}>
                {header('limit', 'Limit')}
              </th>
              {extra.map((column) => (
                <th
                  key={column.label}
                  className={css['axis']}
                  aria-sort={column.id === null ? undefined : ariaSort(column.id)}
                >
                  {column.id === null ? column.label : header(column.id, column.label)}
                </th>
              ))}
              {columns.map((column, i) => (
                <th key={column.id} aria-sort={ariaSort(column.id)} className={page['num']}>
                  {header(column.id, [column.label, cells[i]?.unit].filter(Boolean).join(', '), column.title)}
                </th>
              ))}
              <th aria-sort={ariaSort('n')} className={page['num']}>
                {header('n', 'Runs', 'Repetitions that count, of those planned')}
              </th>
            </tr>
          </thead>
          <tbody>
            <Gap height={above} width={width} />
            {sorted.slice(from, to).map((row, i) => (
              <Row
                key={row.key}
                place={from + i}
                measure={few ? null : virtual.measureElement}
                row={row}
                extra={extra.map((column) => column.read(row))}
                cells={cells.map((column) => column.texts[from + i] ?? { mean: NO_VALUE, spread: '' })}
                selected={selected.has(row.key)}
                onToggle={() =>
                  onSelect(
                    selected.has(row.key) ? [...selected].filter((key) => key !== row.key) : [...selected, row.key],
                  )
                }
              />
            ))}
            <Gap height={below} width={width} />
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

/** The room of rows that are not there. */
const Gap = ({ height, width }: { readonly height: number; readonly width: number }) =>
  height <= 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );

interface CellText {
  readonly mean: string;
  readonly spread: string;
}

function cellTexts(rows: readonly TableRow[], column: Column): { readonly unit: string; readonly texts: CellText[] } {
  const values = rows.map(column.read);
  const { unit, write } = columnFormat(
    values.flatMap((value) => value?.mean ?? []),
    column.quantity,
  );
  const means = alignDecimals(values.map((value) => (value === null ? NO_VALUE : write(value.mean))));
  const texts = values.map((value, i) => ({
    mean: means[i] ?? NO_VALUE,
    spread: value === null ? '' : formatSpread(value, write),
  }));
  return { unit, texts };
}

interface ExtraColumn {
  /** null: not sorted by. */
  readonly id: SortColumn | null;
  readonly label: string;
  readonly read: (row: TableRow) => string;
}

/** Axes with more than one value get a column. */
function extraColumns(rows: readonly TableRow[]): ExtraColumn[] {
  const all: readonly ExtraColumn[] = [
    { id: 'trace', label: 'Trace', read: ({ cell }) => cell.trace_name },
    { id: 'rtt', label: 'Base RTT, ms', read: ({ cell }) => String(cell.base_rtt_ms) },
    { id: null, label: 'Discipline', read: ({ cell }) => cell.queue.id },
    { id: null, label: 'Random loss, %', read: ({ cell }) => String(cell.loss * 100) },
  ];
  return all.filter((column) => new Set(rows.map(column.read)).size > 1);
}

interface RowProps {
  /** Among all rows, from 0. */
  readonly place: number;
  /** Rows are higher where they are narrow. */
  readonly measure: ((row: HTMLTableRowElement | null) => void) | null;
  readonly row: TableRow;
  readonly extra: readonly string[];
  readonly cells: readonly CellText[];
  readonly selected: boolean;
  readonly onToggle: () => void;
}

function Row({ place, measure, row, extra, cells, selected, onToggle }: RowProps) {
  return (
    <tr
      className={css['rowMain']}
      aria-rowindex={place + 2}
      ref={measure}
      data-index={place}
      onClick={onToggle}
      {...(selected ? { 'data-selected': '' } : {})}
    >
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
