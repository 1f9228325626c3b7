// Where the parts of a time-series panel lie. All panels of one width have the same left and right edges, so that stacked panels
// line up on one time axis.
import type { PanelSpec } from './types';

export interface PanelLayout {
  /** The whole panel. */
  readonly width: number;
  readonly height: number;
  /** The plot area. */
  readonly left: number;
  readonly top: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
  /** Top of the lane of event marks, just under the axis line; null: no marks. */
  readonly markTop: number | null;
  /** Where the time axis stands: under the marks. */
  readonly axisTop: number;
  /** Narrow: labels of the right axis go inside the plot area. */
  readonly compact: boolean;
}

/** Below this width a phone is assumed: gutters shrink. */
const COMPACT_WIDTH = 560;
/** Room for the unit above the y axis. */
const TOP = 18;
const MARK_LANE = 11;
const TIME_AXIS = 22;
export const RIBBON_LANE = 20;

export function layoutPanel(spec: PanelSpec, width: number, height: number, timeAxis: boolean): PanelLayout {
  const compact = width < COMPACT_WIDTH;
  const left = compact ? 40 : 56;
  const right = compact ? 10 : 56;
  const top = spec.series.every((series) => series.kind === 'ribbon') ? 4 : TOP;
  const marks = (spec.marks?.length ?? 0) > 0;
  const bottom = (marks ? MARK_LANE : 0) + (timeAxis ? TIME_AXIS : 5);
  const plotHeight = Math.max(8, height - top - bottom);
  return {
    width,
    height,
    left,
    top,
    plotWidth: Math.max(8, width - left - right),
    plotHeight,
    markTop: marks ? top + plotHeight : null,
    axisTop: top + plotHeight + (marks ? MARK_LANE : 0),
    compact,
  };
}
