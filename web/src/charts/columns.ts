// Samples to pixels. When many samples share a pixel column, each column is a bar from its exact least to its exact greatest value,
// joined to the column before: filling upright bars costs a fraction of stroking a jagged line, and nothing is left out. When
// there is room, every sample is drawn where it is, as a line.
import { blockBelow, pyramidOf } from './pyramid';
import { gallop, lowerBound } from './search';
import type { BarSink, PathSink } from './sinks';
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

/** What is drawn at a time reaches so far to the left and right of it: half a line's width, a mark on the edge of its cell. */
const REACH_PX = 4;

/** Where a picture begins: at the left edge, or so far left of what is dirty that everything that reaches into that is drawn. */
const startOf = (m: Mapping): number =>
  m.dirtyFrom > m.left ? Math.max(m.from, timeAt(m, m.dirtyFrom - REACH_PX)) : m.from;

/** First and last sample that matter for the visible (and dirty) part: two more at each side, so that lines leave the picture. */
function visibleSamples(data: SeriesData, m: Mapping): [from: number, to: number] {
  const { x, length } = data;
  const from = Math.max(0, lowerBound(x, startOf(m), 0, length) - 2);
  const to = Math.min(length, lowerBound(x, m.to, from, length) + 2);
  return [from, to];
}

/** How many samples per column there must be before columns are drawn instead of samples. */
const CROWD = 1.5;
/** Column edges are moved to whole blocks of the pyramid where that is no more than such a part of a column. */
const EDGE_SLACK = 8;

/** The time that one column covers. */
const columnTime = (m: Mapping): number => ((m.to - m.from) * m.columnWidth) / m.width;

/** How a series is drawn. */
export interface Detail {
  /** By columns instead of sample by sample. */
  readonly crowded: boolean;
  /** Columns begin at whole blocks of so many samples. */
  readonly block: number;
}

/**
 * How densely samples lie in what is in sight decides how they are drawn, not how many there are so far: a run that has just begun
 * looks as it will when it is complete. Never decided by the dirty part alone. A changed answer changes the whole picture.
 */
export function detailOf(data: SeriesData, m: Mapping): Detail {
  const [from, to] = visibleSamples(data, { ...m, dirtyFrom: 0 });
  const spanned = ((data.x[to - 1] ?? 0) - (data.x[from] ?? 0)) / columnTime(m);
  // Samples at one and the same time have no density.
  const perColumn = to - from < 2 ? 0 : (to - from - 1) / Math.max(spanned, 1e-9);
  return { crowded: perColumn > CROWD, block: blockBelow(perColumn / EDGE_SLACK) };
}

/** Visits every visible sample. */
function visitSamples(data: SeriesData, m: Mapping, visit: (x: number, value: number) => void): void {
  const [from, to] = visibleSamples(data, m);
  for (let i = from; i < to; i++) visit(pixelOf(m, data.x[i] ?? NaN), data.y[i] ?? NaN);
}

/** Which samples fall into which column: `ends[i]` is the first sample after the i-th column that has any. */
interface Grid {
  readonly key: string;
  readonly from: number;
  readonly columns: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
}

/** The last grid of each array of times: columns of one stream share their times, so each is sorted into columns once per picture. */
const grids = new WeakMap<Float64Array, Grid>();

/**
 * Sorts samples into columns. Columns stand on a fixed grid from the left edge, and where each begins depends on the samples around
 * that edge alone: whatever is drawn before it, at once or in parts, it has the same samples. Edges are moved to whole blocks of the
 * pyramid, so that none of the millions of samples themselves needs to be read.
 */
function gridOf(data: SeriesData, m: Mapping): Grid {
  const { x, length } = data;
  const { block } = detailOf(data, m);
  const key = `${length} ${m.dirtyFrom} ${m.from} ${m.to} ${m.left} ${m.width} ${m.columnWidth} ${block}`;
  const known = grids.get(x);
  if (known?.key === key) return known;
  const perColumn = columnTime(m);
  const inColumn = (index: number): number => Math.floor(((x[index] ?? 0) - m.from) / perColumn);
  const edgeOf = (column: number): number => m.from + column * perColumn;
  const snapped = (edge: number, found: number): number => {
    const whole = Math.round(found / block) * block;
    return whole < length && Math.abs((x[whole] ?? 0) - edge) * EDGE_SLACK <= perColumn ? whole : found;
  };
  const begin = (column: number): number => snapped(edgeOf(column), lowerBound(x, edgeOf(column), 0, length));
  /** The column to which a sample is counted. */
  const columnAt = (index: number): number => {
    let column = inColumn(index);
    while (begin(column) > index) column--;
    while (begin(column + 1) <= index) column++;
    return column;
  };

  // The last column with samples before the beginning is whole, and so is the one before it: what is drawn of a column depends on both.
  const lastBefore = lowerBound(x, startOf(m), 0, length) - 1;
  const beforeThat = lastBefore < 0 ? -1 : begin(columnAt(lastBefore)) - 1;
  const from = beforeThat < 0 ? 0 : begin(columnAt(beforeThat));
  const to = begin(Math.ceil(m.width / m.columnWidth) + 1);

  const most = Math.max(0, Math.min(to - from, (from < to ? inColumn(to - 1) - inColumn(from) : 0) + 3));
  const columns = new Int32Array(most);
  const ends = new Int32Array(most);
  let count = 0;
  /** Samples per second around here. */
  let density = 0;
  const endAfter = (index: number, column: number): number => {
    const edge = edgeOf(column + 1);
    // Samples come at even times mostly: where the edge lies is known to one sample or so.
    const here = x[index] ?? 0;
    let likely = index + Math.round((edge - here) * density);
    if (likely > index + 1 && (x[likely - 1] ?? 0) >= edge) likely--;
    else if (likely < length && (x[likely] ?? 0) < edge) likely++;
    const even = likely > index && likely < length && (x[likely - 1] ?? 0) < edge && (x[likely] ?? 0) >= edge;
    const found = even ? likely : gallop(x, edge, index, length);
    if (found < length) density = (found - index) / ((x[found] ?? 0) - here);
    return snapped(edge, found);
  };
  for (let index = from, column = NaN; index < to && count < most; count++) {
    // The sample after a column is the next one's first, unless there is a gap or the edge was moved past it.
    column = inColumn(index) <= column + 1 ? column + 1 : columnAt(index);
    let end = endAfter(index, column);
    if (end <= index) {
      column = columnAt(index);
      end = begin(column + 1);
    }
    columns[count] = column;
    ends[count] = Math.min(to, end);
    index = end;
  }
  const grid = { key, from, columns, ends, count };
  grids.set(x, grid);
  return grid;
}

/** Visits every visible column that has samples; `x` is its left edge. */
export function visitColumns(data: SeriesData, m: Mapping, visit: ColumnVisitor): void {
  const { from, columns, ends, count } = gridOf(data, m);
  pyramidOf(data).queryEach(from, ends, count, (i, min, max) => {
    const x = m.left + (columns[i] ?? 0) * m.columnWidth;
    if (min > max) visit(x, NaN, NaN);
    else visit(x, min, max);
  });
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
