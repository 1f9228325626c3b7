// The value of each series at a moment.
import { lowerBound } from './search';
import type { CursorReading, PanelSpec, SeriesData, SeriesSpec } from './types';
import type { Visibility } from './visibility';

/** The row whose interval contains the time (rows end at their x); NaN outside of the data. */
export function valueAt(data: SeriesData, time: number): number {
  const { x, y, length } = data;
  if (length === 0 || time > (x[length - 1] ?? 0)) return NaN;
  // Before the first row by more than one interval: nothing was measured yet.
  const period = length > 1 ? (x[1] ?? 0) - (x[0] ?? 0) : 0;
  if (time < (x[0] ?? 0) - period) return NaN;
  return y[lowerBound(x, time, 0, length)] ?? NaN;
}

function reading(panel: PanelSpec, series: SeriesSpec, time: number): CursorReading {
  const { id, label, unit, group, style } = series;
  const value = valueAt(series.kind === 'band' ? series.upper : series.data, time);
  const text = series.kind === 'ribbon' || series.kind === 'shade' ? series.states[value] : undefined;
  return {
    panel: panel.id,
    series: id,
    label,
    unit,
    group,
    colour: style.colour,
    value,
    ...(text !== undefined && { text }),
  };
}

export const readPanel = (panel: PanelSpec, visibility: Visibility, time: number): CursorReading[] =>
  panel.series.filter((series) => visibility.shows(series)).map((series) => reading(panel, series, time));
