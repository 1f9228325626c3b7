// The rows behind time-series panels: what is shown of each series, one value per row.
import { lowerBound } from './search';
import type { Range } from './time-view';
import type { PanelSpec, SeriesData, Table } from './types';

interface Shows {
  shows(series: { readonly group: string; readonly facet?: string }): boolean;
}

type Row = readonly (string | number | null)[];

/** `time_s, series, value, unit` for every sample in the range of every series that is not hidden. */
export function panelRows(panels: readonly PanelSpec[], range: Range | null, visibility: Shows): Table {
  function* rows(): Generator<Row> {
    for (const { series: all } of panels)
      for (const series of all) {
        if (!visibility.shows(series)) continue;
        const { label, unit } = series;
        if (series.kind === 'band') {
          for (const [time, value] of samplesIn(series.lower, range)) yield [time, `${label} (low)`, value, unit];
          for (const [time, value] of samplesIn(series.upper, range)) yield [time, `${label} (high)`, value, unit];
        } else if (series.kind === 'ribbon' || series.kind === 'shade')
          for (const [time, value] of samplesIn(series.data, range))
            yield [time, label, value === null ? null : (series.states[value] ?? value), unit];
        else for (const [time, value] of samplesIn(series.data, range)) yield [time, label, value, unit];
      }
  }
  return { columns: ['time_s', 'series', 'value', 'unit'], rows: rows() };
}

function* samplesIn(data: SeriesData, range: Range | null): Generator<[time: number, value: number | null]> {
  const { x, y, length } = data;
  for (let i = range === null ? 0 : lowerBound(x, range[0], 0, length); i < length; i++) {
    const time = x[i] ?? 0;
    if (range !== null && time > range[1]) return;
    const value = y[i] ?? NaN;
    yield [time, Number.isNaN(value) ? null : value];
  }
}
