// The table behind the figures: a row per cell, sortable, in groups if wanted; a row lights its dots and lists its runs.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { sortRows, type SortColumn, type TableRow } from '#analysis/table';
import { dimensionsOf, groupRows } from '#analysis/table-groups';
import { cx } from '../../ui/cx';
import { WideTable } from '../../ui/scroll';
import { RowGap, useVirtualRows } from '../../ui/virtual-rows';
import type { Grouping } from './grouping';
import { axisColumns, columnsOf } from './result-columns';
import { ResultHead } from './ResultHead';
import { type Line, writeLines } from './result-lines';
import { ResultLine } from './ResultLine';
import { TableTools } from './TableTools';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

const ROW_HEIGHT = 31;
/** A row is two dozen elements: more of them are most of the page. */
const MOST_WHOLE = 40;

interface ResultTableProps {
  readonly rows: readonly TableRow[];
  /** `-loss`: by loss, the greatest first. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly full: boolean;
  /** What a row must say somewhere to be shown. */
  readonly find: string;
  readonly onFind: (find: string) => void;
  readonly group: Grouping;
  readonly onGroup: (group: Grouping) => void;
  /** Columns that are not shown. */
  readonly without: readonly string[];
  readonly onWithout: (columns: readonly string[]) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (cells: readonly string[]) => void;
}

export function ResultTable(props: ResultTableProps) {
  const { rows, sort, onSort, full, find, group, without, selected, onSelect } = props;
  const offered = useMemo(() => columnsOf(rows, full), [rows, full]);
  const columns = useMemo(() => offered.filter(({ id }) => !without.includes(id)), [offered, without]);
  // The head of each group says its set.
  const axes = useMemo(
    () => axisColumns(rows).filter(({ dimension }) => dimension !== 'set' || group !== 'set'),
    [rows, group],
  );
  const dimensions = useMemo(() => dimensionsOf(rows), [rows]);
  const descending = sort.startsWith('-');
  const by = sort.replace(/^-/, '');
  const found = useFound(rows, axes, find);
  const { lines, units } = useMemo(() => {
    const column = by === '' ? null : (by as SortColumn);
    if (group !== 'none') return writeLines(found, groupRows(found, group, column, descending), columns);
    return writeLines(column === null ? found : sortRows(found, column, descending), null, columns);
  }, [found, group, by, descending, columns]);
  const { shown, closed, allClosed, toggle, closeAll } = useClosedGroups(lines);
  const box = useRef<HTMLDivElement>(null);
  const { from, to, above, below, measure, heightOf, scrollTo } = useVirtualRows({
    count: shown.length,
    box,
    height: ROW_HEIGHT,
    whole: MOST_WHOLE,
  });
  /** The group of the first row stays below the head, though it is further up. */
  const pinned = measure === null ? -1 : shown.slice(0, from).findLastIndex(({ kind }) => kind === 'group');
  const width = columns.length + axes.length + 3;
  const toggleAt = (place: number, key: string): void => {
    if (place !== pinned) {
      toggle(key);
      return;
    }
    // Its rows go from above what is in sight: first to its own place, so that it stays in the page and keeps the focus.
    scrollTo(place);
    requestAnimationFrame(() => toggle(key));
  };

  const line = (place: number): ReactNode => {
    const item = shown[place];
    if (item === undefined) return null;
    return (
      <ResultLine
        key={item.kind === 'group' ? `group ${item.group.key}` : item.row.key}
        place={place}
        measure={place === pinned ? null : measure}
        line={item}
        group={group}
        axes={axes}
        closed={closed}
        selected={selected}
        onToggle={(key) => toggleAt(place, key)}
        onSelect={(key) => onSelect(selected.has(key) ? [...except(selected, key)] : [...selected, key])}
      />
    );
  };

  return (
    <>
      <TableTools
        find={find}
        onFind={props.onFind}
        group={group}
        dimensions={dimensions}
        onGroup={props.onGroup}
        allClosed={allClosed}
        onCloseAll={closeAll}
        offered={offered}
        without={without}
        onWithout={props.onWithout}
        found={found.length}
        rows={rows.length}
        written={async () =>
          (await import('./result-table-latex')).resultTable({ lines: shown, units, columns, axes, group })
        }
      />
      <TableNotes grouped={group !== 'none'} lines={lines} />
      <WideTable ref={box} label="Results" className={page['tall']}>
        <table className={cx(page['table'], page['pinned'], css['results'])} aria-rowcount={shown.length + 1}>
          <ResultHead
            by={by}
            descending={descending}
            onSort={onSort}
            group={group}
            axes={axes}
            columns={columns}
            units={units}
          />
          <tbody>
            {pinned < 0 ? null : line(pinned)}
            <RowGap height={above - (pinned < 0 ? 0 : heightOf(pinned))} width={width} />
            {Array.from({ length: to - from }, (_, i) => line(from + i))}
            <RowGap height={below} width={width} />
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

/** What the figures mean that are not a cell's own, or stand on less than others. */
function TableNotes({ grouped, lines }: { readonly grouped: boolean; readonly lines: readonly Line[] }) {
  const notes = new Set(lines.flatMap(({ texts }) => texts.flatMap(({ note }) => note?.about ?? [])));
  return (
    <>
      {grouped ? (
        <p className={css['groupNote']}>
          A group’s figures are means over its cells, each counted once, without references; its runs are their sum.
          Files are not grouped.
        </p>
      ) : null}
      {[...notes].map((note) => (
        <p key={note} className={css['groupNote']}>
          {note}
        </p>
      ))}
    </>
  );
}

const except = (keys: ReadonlySet<string>, key: string): Set<string> => new Set([...keys].filter((k) => k !== key));

interface ClosedGroups {
  /** The lines without the rows of closed groups. */
  readonly shown: readonly Line[];
  /** Keys of groups. */
  readonly closed: ReadonlySet<string>;
  /** null: there are no groups. */
  readonly allClosed: boolean | null;
  readonly toggle: (key: string) => void;
  readonly closeAll: (all: boolean) => void;
}

/** Which groups are closed, and what is left to show. */
function useClosedGroups(lines: readonly Line[]): ClosedGroups {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => lines.flatMap((line) => (line.kind === 'group' ? [line.group.key] : [])), [lines]);
  const shown = useMemo(() => {
    const hidden = new Set(
      lines.flatMap((line) => (line.kind === 'group' && closed.has(line.group.key) ? line.group.rows : [])),
    );
    return lines.filter((line) => line.kind === 'group' || !hidden.has(line.row));
  }, [lines, closed]);
  return {
    shown,
    closed,
    allClosed: groups.length === 0 ? null : groups.every((key) => closed.has(key)),
    toggle: (key) => setClosed((now) => (now.has(key) ? except(now, key) : new Set([...now, key]))),
    closeAll: (all) => setClosed(new Set(all ? groups : [])),
  };
}

/** The rows that have all words somewhere. */
function useFound(rows: readonly TableRow[], axes: ReturnType<typeof axisColumns>, find: string): readonly TableRow[] {
  return useMemo(() => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => {
      const text = [row.label, row.limit, ...axes.map((column) => column.read(row))].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [rows, axes, find]);
}
