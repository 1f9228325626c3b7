// Samples to pixels. When many samples share a pixel column, each column is a bar from its exact least to its exact greatest value,
// joined to the column before: filling upright bars costs a fraction of stroking a jagged line, and nothing is left out. When
// there is room, every sample is drawn where it is, as a line.
import { blockBelow, pyramidOf } from './pyramid';
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

/** How samples become a picture. `columnWidth` is one device pixel, in CSS pixels. */
export interface Mapping extends Span {
  readonly columnWidth: number;
  readonly y: (value: number) => number;
  /** Draw only what can be seen at or right of this pixel (for a picture that grows to the right). */
  readonly dirtyFrom: number;
}

export const pixelOf = (m: Span, time: number): number => m.left + ((time - m.from) / (m.to - m.from)) * m.width;
export const timeAt = (m: Span, pixel: number): number => m.from + ((pixel - m.left) / m.width) * (m.to - m.from);

/** Receives the columns of a series from left to right. NaN: nothing but gaps. */
export type ColumnVisitor = (x: number, min: number, max: number) => void;

/** First and last sample that matter for the visible (and dirty) part: one more at each side, so that lines leave the picture. */
function visibleSamples(data: SeriesData, m: Mapping): [from: number, to: number] {
  const { x, length } = data;
  const start = m.dirtyFrom > m.left ? timeAt(m, m.dirtyFrom) : m.from;
  const from = Math.max(0, lowerBound(x, start, 0, length) - 2);
  const to = Math.min(length, lowerBound(x, m.to, from, length) + 2);
  return [from, to];
}

/** How many samples per column there must be before columns are drawn instead of samples. */
const CROWD = 1.5;

/** Whether the visible samples are drawn as columns. Decided over the whole range, so that a dirty part looks like the rest. */
export function isCrowded(data: SeriesData, m: Mapping): boolean {
  const [from, to] = visibleSamples(data, { ...m, dirtyFrom: 0 });
  return to - from > (CROWD * m.width) / m.columnWidth;
}

/** Visits every visible sample. */
function visitSamples(data: SeriesData, m: Mapping, visit: (x: number, value: number) => void): void {
  const [from, to] = visibleSamples(data, m);
  for (let i = from; i < to; i++) visit(pixelOf(m, data.x[i] ?? NaN), data.y[i] ?? NaN);
}

/** Which samples fall into which column: `ends[i]` is the first sample after the i-th column that has any. */
interface Grid {
  readonly key: string;
  readonly columns: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
}

/** The last grid of each array of times: columns of one stream share their times, so each is sorted into columns once per picture. */
const grids = new WeakMap<Float64Array, Grid>();

/**
 * Column edges are moved to whole blocks of the pyramid, by an eighth of a column at most: every sample still counts in exactly
 * one column, and none of the millions of samples themselves needs to be read.
 */
const EDGE_SLACK = 8;

function gridOf(data: SeriesData, m: Mapping): { from: number; grid: Grid } {
  const { x } = data;
  const [from, to] = visibleSamples(data, m);
  const key = `${from} ${to} ${m.from} ${m.to} ${m.width} ${m.columnWidth}`;
  const known = grids.get(x);
  if (known?.key === key) return { from, grid: known };
  const perColumn = ((m.to - m.from) * m.columnWidth) / m.width;
  const inColumn = (time: number): number => Math.floor((time - m.from) / perColumn);
  const spanned = inColumn(x[to - 1] ?? 0) - inColumn(x[from] ?? 0) + 1;
  const block = blockBelow((to - from) / Math.max(1, spanned) / EDGE_SLACK);
  const most = Math.min(to - from, spanned + 1);
  const columns = new Int32Array(most);
  const ends = new Int32Array(most);
  let count = 0;
  let guess = 0;
  // Columns stand on a fixed grid from the left edge, whatever is dirty.
  for (let index = from, column = -Infinity; index < to && count < most; count++) {
    column = Math.max(column + 1, inColumn(x[index] ?? 0));
    const edge = m.from + (column + 1) * perColumn;
    // Samples come at even times mostly: the next column is as full as this one was.
    const likely = index + guess;
    const even = likely > index && likely < to && (x[likely - 1] ?? 0) < edge && (x[likely] ?? 0) >= edge;
    const found = even ? likely : gallop(x, edge, index, to);
    guess = found - index;
    const end = found === to ? to : Math.min(to, Math.max(index + 1, Math.round(found / block) * block));
    columns[count] = column;
    ends[count] = end;
    index = end;
  }
  const grid = { key, columns, ends, count };
  grids.set(x, grid);
  return { from, grid };
}

/** Visits every visible column that has samples; `x` is its left edge. */
export function visitColumns(data: SeriesData, m: Mapping, visit: ColumnVisitor): void {
  const { from, grid } = gridOf(data, m);
  const { columns, ends, count } = grid;
  const pyramid = pyramidOf(data);
  let start = from;
  for (let i = 0; i < count; i++) {
    const end = ends[i] ?? start;
    pyramid.query(start, end);
    const empty = pyramid.min > pyramid.max;
    visit(m.left + (columns[i] ?? 0) * m.columnWidth, empty ? NaN : pyramid.min, empty ? NaN : pyramid.max);
    start = end;
  }
}

/** A line through the samples; `step`: a value holds over the interval that ends at its time. */
export function traceLine(data: SeriesData, m: Mapping, sink: PathSink, step: boolean): void {
  let down = false;
  let previous = NaN;
  visitSamples(data, m, (x, value) => {
    if (Number.isNaN(value)) {
      down = false;
      previous = x;
      return;
    }
    const y = m.y(value);
    if (!down) {
      // A value alone between gaps would be invisible: a line needs two ends.
      sink.moveTo(step && !Number.isNaN(previous) ? previous : x - 0.75, y);
      down = true;
    } else if (step) sink.lineTo(previous, y);
    sink.lineTo(x, y);
    previous = x;
  });
}

/** An upright bar. */
export type BarSink = (x: number, y: number, width: number, height: number) => void;

/** The line of a crowded series: a bar per column, as thick as the line where values stand still, reaching to its neighbour. `spread`: how
 * much wider than a column bars are. */
export function lineBars(data: SeriesData, m: Mapping, bar: BarSink, thickness: number, spread = 0): void {
  /** The column before; NaN: it was a gap. */
  let [lastX, lastTop, lastBottom] = [NaN, NaN, NaN];
  const half = thickness / 2;
  visitColumns(data, m, (x, min, max) => {
    if (Number.isNaN(min)) {
      lastTop = NaN;
      return;
    }
    const [high, low] = [m.y(max), m.y(min)];
    let [top, bottom] = [high, low];
    if (!Number.isNaN(lastTop)) {
      // Columns without samples in between: the line goes on level to here.
      const middle = (lastTop + lastBottom) / 2;
      if (x - lastX > m.columnWidth * 1.5)
        bar(lastX + m.columnWidth, middle - half, x - lastX - m.columnWidth, thickness);
      if (lastBottom < top) top = lastBottom;
      if (lastTop > bottom) bottom = lastTop;
    }
    bar(x, top - half, m.columnWidth + spread, bottom - top + thickness);
    [lastX, lastTop, lastBottom] = [x, high, low];
  });
}

/** Outline of the area between a base line and the samples. */
export function traceArea(data: SeriesData, m: Mapping, sink: PathSink, step: boolean, base: number): void {
  let open = false;
  let previous = NaN;
  const floor = m.y(base);
  const close = (): void => {
    if (!open) return;
    sink.lineTo(previous, floor);
    sink.closePath();
    open = false;
  };
  visitSamples(data, m, (x, value) => {
    if (Number.isNaN(value)) {
      close();
      previous = x;
      return;
    }
    const y = m.y(value);
    if (!open) {
      const back = step && !Number.isNaN(previous) ? previous : x;
      sink.moveTo(back, floor);
      sink.lineTo(back, y);
      open = true;
    } else if (step) sink.lineTo(previous, y);
    sink.lineTo(x, y);
    previous = x;
  });
  close();
}

/** The area of a crowded series: `certain` bars up to the least value of each column, `sometimes` bars from there to the greatest. */
export function areaBars(data: SeriesData, m: Mapping, certain: BarSink, sometimes: BarSink, base: number): void {
  const floor = m.y(base);
  let lastX = NaN;
  visitColumns(data, m, (x, min, max) => {
    // A row holds over the time before it: columns without samples belong to the next one.
    const from = Number.isNaN(lastX) ? x : Math.min(x, lastX + m.columnWidth);
    lastX = x;
    if (Number.isNaN(min)) return;
    // Whole pixels: what nobody sees on a jagged edge is filled several times as fast.
    const [low, high] = [Math.round(m.y(min)), Math.round(m.y(max))];
    const width = x + m.columnWidth - from;
    certain(from, low, width, floor - low);
    if (low > high) sometimes(from, high, width, low - high);
  });
}

/** Outline of the band between two series of the same times. */
export function traceBand(lower: SeriesData, upper: SeriesData, m: Mapping, sink: PathSink): void {
  const bottoms: number[] = [];
  visitSamples(lower, m, (_, value) => void bottoms.push(value));
  let low: [number, number][] = [];
  let started = false;
  const flush = (): void => {
    for (const [x, y] of low.reverse()) sink.lineTo(x, y);
    if (started) sink.closePath();
    low = [];
    started = false;
  };
  let i = 0;
  visitSamples(upper, m, (x, value) => {
    const bottom = bottoms[i++] ?? NaN;
    if (Number.isNaN(value) || Number.isNaN(bottom)) {
      flush();
      return;
    }
    if (started) sink.lineTo(x, m.y(value));
    else sink.moveTo(x, m.y(value));
    started = true;
    low.push([x, m.y(bottom)]);
  });
  flush();
}

/** The band of crowded series: a bar per column from the least of the lower to the greatest of the upper series. */
export function bandBars(lower: SeriesData, upper: SeriesData, m: Mapping, bar: BarSink): void {
  const bottoms = new Map<number, number>();
  visitColumns(lower, m, (x, min) => void bottoms.set(x, min));
  visitColumns(upper, m, (x, _min, max) => {
    const bottom = bottoms.get(x) ?? NaN;
    if (!Number.isNaN(max) && !Number.isNaN(bottom)) bar(x, m.y(max), m.columnWidth, m.y(bottom) - m.y(max));
  });
}
