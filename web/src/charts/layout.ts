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

/** Where plots of a width begin and end: the same for all, and for the time axis that they share. */
export function plotEdges(width: number): Pick<PanelLayout, 'left' | 'plotWidth' | 'compact'> {
  const compact = width < COMPACT_WIDTH;
  const left = compact ? 40 : 56;
  const right = compact ? 10 : 56;
  return { left, plotWidth: Math.max(8, width - left - right), compact };
}

export function layoutPanel(spec: PanelSpec, width: number, height: number, timeAxis: boolean): PanelLayout {
  const edges = plotEdges(width);
  // A panel whose series are still to come has a unit, too.
  const ribbons = spec.series.length > 0 && spec.series.every((series) => series.kind === 'ribbon');
  const top = ribbons ? 4 : TOP;
  const marks = (spec.marks?.length ?? 0) > 0;
  const bottom = (marks ? MARK_LANE : 0) + (timeAxis ? TIME_AXIS : 5);
  const plotHeight = Math.max(8, height - top - bottom);
  return {
    ...edges,
    width,
    height,
    top,
    plotHeight,
    markTop: marks ? top + plotHeight : null,
    axisTop: top + plotHeight + (marks ? MARK_LANE : 0),
  };
}
