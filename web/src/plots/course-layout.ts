// Where the parts of the figure of a run's course lie.

export const ROW = 22;
/** Of the bars that take longest. */
export const MOST_BARS = 14;
export const TOP = 8;
export const AXIS = 38;
export const BOXES = 190;

export interface CourseLayout {
  readonly bars: number;
  /** Of them not drawn. */
  readonly more: number;
  /** Where the time axis is, and where the boxes begin. */
  readonly axis: number;
  readonly boxes: number;
  readonly height: number;
}

export function layoutOf(all: number, boxes: boolean): CourseLayout {
  const bars = Math.min(all, MOST_BARS);
  const axis = TOP + bars * ROW;
  const under = bars === 0 ? 0 : axis + AXIS + (all > bars ? ROW : 0);
  return { bars, more: all - bars, axis, boxes: under, height: under + (boxes ? BOXES : 0) };
}
