// The lines of the table of results, with their numbers written so that they line up: a line per cell, and one above each group.
import { sum } from '#analysis/statistics';
import type { TableRow } from '#analysis/table';
import { groupMean, type GroupMean, type RowGroup } from '#analysis/table-groups';
import { alignDecimals, columnFormat, formatSpread, NO_VALUE, plural } from '../../ui/format';
import type { Column, Note } from './result-columns';

export interface CellText {
  readonly mean: string;
  /** The interval, of a group over traces; and how many cells a group's mean is over, where that is not all. */
  readonly spread: string;
  readonly note: Note | null;
}

export type Line =
  | { readonly kind: 'row'; readonly row: TableRow; readonly texts: readonly CellText[] }
  | {
      readonly kind: 'group';
      readonly group: RowGroup;
      readonly texts: readonly CellText[];
      readonly n: number;
      readonly planned: number;
    };

export interface WrittenLines {
  readonly lines: readonly Line[];
  /** Of each column. */
  readonly units: readonly string[];
}

/** Groups with their rows; null: rows alone. */
export function writeLines(
  rows: readonly TableRow[],
  groups: readonly RowGroup[] | null,
  columns: readonly Column[],
): WrittenLines {
  const order = groups === null ? rows : groups.flatMap((group) => [group, ...group.rows]);
  const written = columns.map((column) => writeColumn(order, column));
  const lines = order.map((item, place): Line => {
    const texts = written.map(({ texts }) => texts[place] ?? { mean: NO_VALUE, spread: '', note: null });
    return 'rows' in item
      ? {
          kind: 'group',
          group: item,
          texts,
          n: sum(item.rows.map(({ n }) => n)),
          planned: sum(item.rows.map(({ planned }) => planned)),
        }
      : { kind: 'row', row: item, texts };
  });
  return { lines, units: written.map(({ unit }) => unit) };
}

function writeColumn(order: readonly (TableRow | RowGroup)[], column: Column): { unit: string; texts: CellText[] } {
  const values = order.map((item) => {
    if (!('rows' in item)) return column.read(item);
    return groupMean(item, (row) => column.read(row)?.mean ?? null, column.range);
  });
  const { unit, write } = columnFormat(
    values.flatMap((value) => value?.mean ?? []),
    column.quantity,
  );
  const means = alignDecimals(values.map((value) => (value === null ? NO_VALUE : write(value.mean))));
  const texts = values.map((value, place): CellText => {
    const item = order[place];
    const note = value === null || item === undefined || 'rows' in item ? null : (column.note?.(item) ?? null);
    return { mean: means[place] ?? NO_VALUE, spread: spreadOf(value, write), note };
  });
  return { unit, texts };
}

function spreadOf(value: ReturnType<Column['read']> | GroupMean, write: (value: number) => string): string {
  if (value === null) return '';
  if (!('of' in value)) return formatSpread(value, write);
  const { mean, interval_traces, n, of } = value;
  const interval = interval_traces === null ? '' : formatSpread({ mean, ...interval_traces }, write);
  return [interval, n === of ? '' : `of ${plural(n, 'cell')}`].filter(Boolean).join(' ');
}
