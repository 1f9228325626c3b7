// Samples to pixels. Many samples may share a pixel column; each column then shows its exact least and greatest value, and the
// line enters at its first and leaves at its last one. When there is room, every sample is drawn where it is.
import { pyramidOf } from './pyramid';
import { gallop, lowerBound } from './search';
import type { PathSink } from './surface';
import type { SeriesData } from './types';

/** How times become pixels. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly width: number;
}

/** How samples become a picture. Columns are device pixels: `columnWidth` is 1 / devicePixelRatio. */
export interface Mapping extends Span {
  readonly columnWidth: number;
  readonly y: (value: number) => number;
  /** Draw only what can be seen at or right of this pixel (for a picture that grows to the right). */
  readonly dirtyFrom: number;
}

export const pixelOf = (m: Span, time: number): number => m.left + ((time - m.from) / (m.to - m.from)) * m.width;
export const timeAt = (m: Span, pixel: number): number => m.from + ((pixel - m.left) / m.width) * (m.to - m.from);

/** Receives the columns of a series from left to right. NaN min: nothing but gaps. */
export interface ColumnVisitor {
  column(x: number, first: number, min: number, max: number, last: number): void;
}

/** First and last sample that matter for the visible (and dirty) part: one more at each side, so that lines leave the picture. */
function visibleSamples(data: SeriesData, m: Mapping): [from: number, to: number] {
  const { x, length } = data;
  const start = m.dirtyFrom > m.left ? timeAt(m, m.dirtyFrom) : m.from;
  const from = Math.max(0, lowerBound(x, start, 0, length) - 2);
  const to = Math.min(length, lowerBound(x, m.to, from, length) + 2);
  return [from, to];
}

export function visitColumns(data: SeriesData, m: Mapping, visitor: ColumnVisitor): void {
  const [from, to] = visibleSamples(data, m);
  const { x, y } = data;
  const start = Math.max(m.left, m.dirtyFrom);
  const columns = Math.ceil((m.left + m.width - start) / m.columnWidth);
  if (to - from <= columns * 2) {
    for (let i = from; i < to; i++) {
      const value = y[i] ?? NaN;
      visitor.column(pixelOf(m, x[i] ?? NaN), value, value, value, value);
    }
    return;
  }
  const pyramid = pyramidOf(data);
  // Columns stand on a fixed grid from the left edge, whatever is dirty.
  const perColumn = ((m.to - m.from) * m.columnWidth) / m.width;
  for (let index = from; index < to;) {
    const column = Math.floor(((x[index] ?? 0) - m.from) / perColumn);
    const end = Math.max(index + 1, gallop(x, m.from + (column + 1) * perColumn, index, to));
    pyramid.query(index, end);
    const min = pyramid.min <= pyramid.max ? pyramid.min : NaN;
    visitor.column(m.left + (column + 0.5) * m.columnWidth, y[index] ?? NaN, min, pyramid.max, y[end - 1] ?? NaN);
    index = end;
  }
}

/** A line through the samples; `step`: a value holds over the interval that ends at its time. */
export function traceLine(data: SeriesData, m: Mapping, sink: PathSink, step: boolean): void {
  let down = false;
  let previous = NaN;
  visitColumns(data, m, {
    column(x, first, min, max, last) {
      if (Number.isNaN(min)) {
        down = false;
        previous = x;
        return;
      }
      const enter = Number.isNaN(first) ? min : first;
      if (!down) {
        // A value alone between gaps would be invisible: a line needs two ends.
        const back = step && !Number.isNaN(previous) ? previous : x - 0.75;
        sink.moveTo(back, m.y(enter));
      } else if (step) sink.lineTo(previous, m.y(enter));
      sink.lineTo(x, m.y(enter));
      if (min !== max) {
        const lowFirst = enter - min < max - enter;
        sink.lineTo(x, m.y(lowFirst ? min : max));
        sink.lineTo(x, m.y(lowFirst ? max : min));
        if (!Number.isNaN(last)) sink.lineTo(x, m.y(last));
      }
      // A column that ends in a gap: the next one begins anew.
      down = !Number.isNaN(last);
      previous = x;
    },
  });
}

/** Outline of the area between a base line and the least (`low`) or greatest value of each column. */
export function traceArea(
  data: SeriesData,
  m: Mapping,
  sink: PathSink,
  step: boolean,
  edge: 'low' | 'high',
  base: number,
): void {
  let open = false;
  let previous = NaN;
  const floor = m.y(base);
  const close = (): void => {
    if (!open) return;
    sink.lineTo(previous, floor);
    sink.closePath();
    open = false;
  };
  visitColumns(data, m, {
    column(x, _first, min, max) {
      if (Number.isNaN(min)) {
        close();
        previous = x;
        return;
      }
      const y = m.y(edge === 'low' ? min : max);
      if (!open) {
        const back = step && !Number.isNaN(previous) ? previous : x;
        sink.moveTo(back, floor);
        sink.lineTo(back, y);
        open = true;
      } else if (step) sink.lineTo(previous, y);
      sink.lineTo(x, y);
      previous = x;
    },
  });
  close();
}

/** Outline of the band between two series of the same times. */
export function traceBand(lower: SeriesData, upper: SeriesData, m: Mapping, sink: PathSink): void {
  const low: number[] = [];
  const high: number[] = [];
  const flush = (): void => {
    if (high.length >= 4) {
      for (let i = 0; i < high.length; i += 2) {
        if (i === 0) sink.moveTo(high[0] ?? 0, high[1] ?? 0);
        else sink.lineTo(high[i] ?? 0, high[i + 1] ?? 0);
      }
      for (let i = low.length - 2; i >= 0; i -= 2) sink.lineTo(low[i] ?? 0, low[i + 1] ?? 0);
      sink.closePath();
    }
    low.length = 0;
    high.length = 0;
  };
  const bottoms: [x: number, min: number][] = [];
  visitColumns(lower, m, { column: (x, _first, min) => void bottoms.push([x, min]) });
  let i = 0;
  visitColumns(upper, m, {
    column(x, _first, min, max) {
      const bottom = bottoms[i++]?.[1] ?? NaN;
      if (Number.isNaN(min) || Number.isNaN(bottom)) {
        flush();
        return;
      }
      high.push(x, m.y(max));
      low.push(x, m.y(bottom));
    },
  });
  flush();
}
