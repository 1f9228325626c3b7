// Lists and tables that may be long: beyond a hundred rows only those in sight are in the page. The box around them scrolls.
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Fewer rows are all there at once: they can be searched and printed. */
export const MOST_WHOLE = 100;
/** Before the room is known. */
const FIRST_ROOM = { width: 1000, height: 640 };

export interface VirtualRows {
  /** Rows from `from` to before `to` are in the page. */
  readonly from: number;
  readonly to: number;
  /** The room of those that are not, pixels. */
  readonly above: number;
  readonly below: number;
  /** Of each row, whose `data-index` is its place: rows may differ in height. null: nothing is to be measured. */
  readonly measure: ((row: Element | null) => void) | null;
  readonly heightOf: (index: number) => number;
  /** Brings a row to the top of the box. */
  readonly scrollTo: (index: number) => void;
}

export function useVirtualRows({
  count,
  box,
  height,
  whole = MOST_WHOLE,
  overscan = 6,
}: {
  readonly count: number;
  readonly box: RefObject<HTMLElement | null>;
  /** Usual height of a row, pixels. */
  readonly height: number;
  /** So many rows are all there: fewer where a row is many elements. */
  readonly whole?: number;
  readonly overscan?: number;
}): VirtualRows {
  const few = count <= whole;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while rendering, none is kept
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    initialRect: FIRST_ROOM,
    overscan,
    enabled: !few,
  });
  if (few)
    return {
      from: 0,
      to: count,
      above: 0,
      below: 0,
      measure: null,
      heightOf: () => height,
      scrollTo: (index) => box.current?.scrollTo({ top: index * height }),
    };
  const items = virtual.getVirtualItems();
  return {
    from: items[0]?.index ?? 0,
    to: (items.at(-1)?.index ?? -1) + 1,
    above: items[0]?.start ?? 0,
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
    heightOf: (index) => virtual.measurementsCache[index]?.size ?? height,
    scrollTo: (index) => virtual.scrollToOffset(virtual.measurementsCache[index]?.start ?? index * height),
  };
}

/** The room of rows of a table that are not there. */
export const RowGap = ({ height, width }: { readonly height: number; readonly width: number }) =>
  height <= 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
