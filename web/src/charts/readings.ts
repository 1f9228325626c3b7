// The value of each series at a moment.
import { lowerBound } from './search';
import { dataOf, type CursorReading, type PanelSpec, type SeriesData, type SeriesSpec } from './types';
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

/** A row that ended no longer ago than this still tells how things stand. */
const FRESH_S = 0.5;

/** At the head the row around it is not over yet: the last value stands for it, until it is old. */
function valueAtHead({ x, y, length }: SeriesData, head: number): number {
  const last = lowerBound(x, head, 0, length);
  let row = last < length && x[last] === head ? last : last - 1;
  const period = row > 0 ? (x[row] ?? 0) - (x[row - 1] ?? 0) : 0;
  const oldest = head - Math.max(FRESH_S, 1.5 * period);
  while (row > 0 && Number.isNaN(y[row]) && (x[row - 1] ?? 0) >= oldest) row--;
  return (x[row] ?? -Infinity) >= oldest ? (y[row] ?? NaN) : NaN;
}

/** A moment, or the head of what grows: up to there it has come. */
export type Moment = { readonly at: number } | { readonly head: number };

/** What comes in may be behind the clock: the head is where its foremost series is. */
function headOf(panel: PanelSpec, head: number): number {
  const reached = panel.series.map((series) => lastTime(dataOf(series)));
  return Math.min(head, Math.max(...reached));
}

const lastTime = ({ x, length }: SeriesData): number => x[length - 1] ?? -Infinity;

function reading(panel: PanelSpec, series: SeriesSpec, moment: Moment): CursorReading {
  const { id, label, unit, group, style } = series;
  const data = dataOf(series);
  const value = 'at' in moment ? valueAt(data, moment.at) : valueAtHead(data, moment.head);
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

export function readPanel(panel: PanelSpec, visibility: Visibility, moment: Moment): CursorReading[] {
  const read: Moment = 'at' in moment ? moment : { head: headOf(panel, moment.head) };
  return panel.series.filter((series) => visibility.shows(series)).map((series) => reading(panel, series, read));
}
