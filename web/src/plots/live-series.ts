// A measurement as series on the run's time axis, and the look that tells it from what was emulated.
import { interpolateLab } from 'd3';
import type { MeasuredInterval } from '#protocol/measurement';
import type { LegendItem } from '../charts/figure-props';
import type { SeriesData, SeriesStyle } from '../charts/types';
import type { Theme } from '../theme/theme';
import type { LivePlotData } from './data';
import type { Flow } from './flows';

/** Key in the Visibility store. */
export const LIVE = 'live';

/** What was measured is a grey silhouette behind the lines: colours belong to algorithms, and any of them is told from it. */
export const liveStyle = (theme: Theme): SeriesStyle => ({ colour: theme.ink3, fill: theme.ink3, opacity: 0.42 });

/** A value over each interval; intervals that do not follow each other leave a gap. */
export function intervalSeries(
  { record, offset_s }: Pick<LivePlotData, 'record' | 'offset_s'>,
  read: (interval: MeasuredInterval) => number | null,
  intervals: readonly MeasuredInterval[] = record.measurement.total,
): SeriesData {
  const x: number[] = [];
  const y: number[] = [];
  for (const interval of intervals) {
    const start = interval.start_s + offset_s;
    const last = x.at(-1);
    // The first of a chain of intervals needs a beginning.
    if (last === undefined || start > last + GAP_S) {
      x.push(start);
      y.push(NaN);
    }
    x.push(Math.max(interval.end_s + offset_s, last ?? -Infinity));
    y.push(read(interval) ?? NaN);
  }
  return { x: Float64Array.from(x), y: Float32Array.from(y), length: x.length };
}

/** iperf3's clock drifts by milliseconds from one interval to the next. */
const GAP_S = 0.02;

/** The flow of the run that the measurement is compared with. */
export const comparedFlow = (flows: readonly Flow[], { flow }: Pick<LivePlotData, 'flow'>): Flow | undefined =>
  flows[flow] ?? flows[0];

/** Two entries: what was emulated, in the look of its algorithm, and what was measured. */
export const liveLegend = (flow: Flow, theme: Theme): LegendItem[] => [
  { key: flow.key, label: `${flow.label}, emulated`, colour: flow.look.colour, dash: flow.look.dash },
  { key: LIVE, label: 'live', colour: interpolateLab(theme.surface, theme.ink3)(0.42), glyph: 'swatch' },
];

export const measures = (
  { record }: Pick<LivePlotData, 'record'>,
  read: (interval: MeasuredInterval) => number | null,
): boolean => record.measurement.total.some((interval) => read(interval) !== null);
