// A table that may have any number of rows: beyond a hundred only those in sight are there, in a box that scrolls on its own.
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ReactNode, RefObject } from 'react';
import { cx } from './cx';
import css from './long-table.module.css';

/** Fewer rows are all there at once: they can be searched and printed. */
const MOST_WHOLE = 100;
/** Before the room is known. */
const FIRST_ROOM = { width: 1000, height: 640 };

export interface LongRows {
  /** Of the box; none while all rows are there. */
  readonly boxClass: string | undefined;
  readonly tableClass: string | undefined;
  readonly from: number;
  readonly to: number;
  /** Room of the rows that are not there. */
  readonly above: number;
  readonly below: number;
  /** For each row, whose heights differ. */
  readonly measure: ((row: HTMLTableRowElement | null) => void) | null;
}

/** `box` is what scrolls. */
export function useLongRows(box: RefObject<HTMLDivElement | null>, count: number, rowHeight: number): LongRows {
  const few = count <= MOST_WHOLE;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while rendering, none is kept
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    initialRect: FIRST_ROOM,
    overscan: 12,
    enabled: !few,
  });
  const items = few ? [] : virtual.getVirtualItems();
  return {
    boxClass: few ? undefined : css['box'],
    tableClass: few ? undefined : css['table'],
    from: few ? 0 : (items[0]?.index ?? 0),
    to: few ? count : (items.at(-1)?.index ?? -1) + 1,
    above: items[0]?.start ?? 0,
    below: few ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: few ? null : virtual.measureElement,
  };
}

/** The room of rows that are not there. */
export const RowGap = ({ height, width }: { readonly height: number; readonly width: number }) =>
  height <= 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );

interface SortHeadProps<K extends string> {
  readonly id: K;
  /** `-mean`: by mean, the greatest first. */
  readonly sort: K | `-${K}`;
  readonly onSort: (sort: K | `-${K}`) => void;
  /** Its first press puts the greatest first. */
  readonly greatestFirst?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The head of a column that rows can be sorted by. */
export function SortHead<K extends string>(props: SortHeadProps<K>) {
  const { id, sort, onSort, greatestFirst = false, className, children } = props;
  const down: `-${K}` = `-${id}`;
  const direction = sort === id ? 'ascending' : sort === down ? 'descending' : undefined;
  const next = direction === undefined ? (greatestFirst ? down : id) : direction === 'ascending' ? down : id;
  return (
    <th className={className} aria-sort={direction}>
      <button type="button" className={cx(css['sort'])} onClick={() => onSort(next)}>
        {children}
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  );
}
