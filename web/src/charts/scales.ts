// Axes: ranges that start at zero, ticks that fit the room, labels that read well.
import { scaleLinear, ticks as d3ticks } from 'd3';
import { pyramidOf } from './pyramid';
import { lowerBound } from './search';
import { dataOf, type LimitSpec, type PanelSpec, type SeriesData, type YAxisSpec } from './types';
import type { Range } from './time-view';
import type { Visibility } from './visibility';
import { tickStep, unitScale } from '#analysis/ticks';
import { decorate, formatChosen } from '../ui/format';

/** Exact extremes of a series in a time range; null: nothing there. */
export function extremes(data: SeriesData, range: Range): Range | null {
  const from = Math.max(0, lowerBound(data.x, range[0], 0, data.length) - 1);
  const to = Math.min(data.length, lowerBound(data.x, range[1], from, data.length) + 1);
  const pyramid = pyramidOf(data);
  pyramid.query(from, to);
  return pyramid.min <= pyramid.max ? [pyramid.min, pyramid.max] : null;
}

/** Nothing is there yet, or lines are shown and none has a value in this time: a scale would be made up. */
export function isEmpty(spec: PanelSpec, range: Range, visibility: Visibility): boolean {
  const shown = spec.series.filter((series) => series.kind !== 'ribbon' && visibility.shows(series));
  return (
    spec.series.length === 0 ||
    (shown.length > 0 &&
      shown.every((series) => extremes(series.kind === 'band' ? series.upper : series.data, range) === null))
  );
}

/** From here on small values could not be read on a linear axis. */
const DECADE = 10;
const settledSpecs = new WeakMap<PanelSpec, Record<'linear' | 'log', PanelSpec>>();

/** The panel with the scale that its data needs. All of the data has a say and not what is in sight: a zoom changes no scale. */
export function settled(spec: PanelSpec): PanelSpec {
  if (spec.y.scale !== 'auto') return spec;
  let [low, high] = [Infinity, 0];
  for (const series of spec.series) {
    if (series.kind === 'ribbon' || series.kind === 'shade' || series.background === true) continue;
    const data = dataOf(series);
    const pyramid = pyramidOf(data);
    pyramid.query(0, data.length);
    if (pyramid.min > 0) low = Math.min(low, pyramid.min);
    high = Math.max(high, pyramid.max);
  }
  let both = settledSpecs.get(spec);
  if (both === undefined) {
    const as = (scale: 'linear' | 'log'): PanelSpec => ({ ...spec, y: { ...spec.y, scale } });
    both = { linear: as('linear'), log: as('log') };
    settledSpecs.set(spec, both);
  }
  return high > DECADE * low ? both.log : both.linear;
}

/** The y range of what is visible: from zero unless asked otherwise, a little air above, round ends. */
export function yRange(spec: PanelSpec, range: Range, visibility: Visibility): Range {
  const log = spec.y.scale === 'log';
  let low = log || spec.y.min === 'auto' ? Infinity : 0;
  let high = -Infinity;
  let bandHigh = -Infinity;
  const include = (data: SeriesData): void => {
    const found = extremes(data, range);
    if (found === null) return;
    // What has been at zero has no least value to begin a logarithmic axis with: its upper decade shall be seen.
    low = Math.min(low, log && found[0] <= 0 ? found[1] / 10 : found[0]);
    high = Math.max(high, found[1]);
  };
  let usual = 0;
  for (const series of spec.series) {
    if (series.kind === 'ribbon' || series.kind === 'shade') continue;
    if (spec.y.cut === 'lines' && series.kind !== 'band' && visibility.shows(series))
      usual = Math.max(usual, usualSize(series.data, range));
    if (series.background === true || !visibility.shows(series)) continue;
    if (series.kind !== 'band') include(series.data);
    else {
      include(series.lower);
      bandHigh = Math.max(bandHigh, extremes(series.upper, range)?.[1] ?? -Infinity);
    }
  }
  high = spec.y.cut === 'bands' && !log ? withBand(high, bandHigh) : Math.max(high, bandHigh);
  if (usual > 0 && high > FAR_BEYOND * usual) high = CUT_AT * usual;
  if (usual > 0 && low < -FAR_BEYOND * usual) low = -CUT_AT * usual;
  if (spec.y.span !== undefined) [low, high] = spec.y.span;
  // A little more than the limit, so that its name fits above the line.
  for (const limit of spec.limits ?? [])
    if (limitCounts(limit, high, visibility)) {
      high = Math.max(high, limit.value * 1.1);
      if (log && limit.pinned === true) low = Math.min(low, limit.value);
    }
  if (log) return logRange(low, high);
  if (high === -Infinity) return [0, 1];
  if (!(high > low)) return high > 0 ? [Math.min(low, 0), high * 1.25] : [low, low + 1];
  const [from, to] = scaleLinear([low, high + 0.04 * (high - low)], [0, 1])
    .nice(4)
    .domain();
  return [from ?? low, to ?? high];
}

/** Whether something in sight leaves the scale upwards. */
export function isCut(spec: PanelSpec, range: Range, visibility: Visibility): boolean {
  if (spec.y.cut === undefined) return false;
  const top = yRange(spec, range, visibility)[1];
  return spec.series.some(
    (series) =>
      series.kind !== 'ribbon' &&
      series.kind !== 'shade' &&
      visibility.shows(series) &&
      (extremes(series.kind === 'band' ? series.upper : series.data, range)?.[1] ?? 0) > top,
  );
}

/** What is so many times as great as the usual is far beyond it; then the axis ends at a little more than the usual. */
const FAR_BEYOND = 5;
const CUT_AT = 1.5;
const BAND_BEYOND = 2.5;

/** Up to where lines and the band around them are shown: all of a band would leave lines far below its top at the foot of the axis. */
export const withBand = (lines: number, band: number): number =>
  lines > 0 && band > BAND_BEYOND * lines ? CUT_AT * lines : Math.max(lines, band);
const USUAL_SHARE = 0.97;
const LOOKED_AT = 600;

/** Below what nearly all values in a time range stay, signs left aside; looks at so many of them at most, since it is asked for every frame. */
function usualSize(data: SeriesData, range: Range): number {
  const from = lowerBound(data.x, range[0], 0, data.length);
  const to = lowerBound(data.x, range[1], from, data.length);
  const step = Math.max(1, Math.ceil((to - from) / LOOKED_AT));
  const sizes: number[] = [];
  // Places that belong to the data and not to the range: the scale does not flicker while data comes in.
  for (let i = Math.ceil(from / step) * step; i < to; i += step) {
    const size = Math.abs(data.y[i] ?? NaN);
    if (!Number.isNaN(size)) sizes.push(size);
  }
  return sizes.sort((a, b) => a - b)[Math.floor(USUAL_SHARE * (sizes.length - 1))] ?? 0;
}

/** On a logarithmic axis so many orders of magnitude are shown at most. */
const DECADES = 4;
const roundDown = (value: number): number => {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return ([5, 2].find((step) => value >= step * decade) ?? 1) * decade;
};

function logRange(low: number, high: number): Range {
  if (!(high > 0)) return [1, 10];
  const from = roundDown(Math.max(low, high / 10 ** DECADES));
  const below = roundDown(high * 1.04);
  const to = [2, 2.5, 5].map((step) => below * step).find((end) => end > high * 1.04) ?? below * 10;
  return [from, Math.max(to, from * 10)];
}

/** A limit that is not pinned joins the scale once the data has come half the way: before, it would only flatten the picture. */
function limitCounts(limit: LimitSpec, high: number, visibility: Visibility): boolean {
  if (limit.group !== undefined && visibility.isHidden(limit.group)) return false;
  return limit.pinned === true || high > limit.value / 2;
}

export function yTicks(range: Range, height: number, scale: YAxisSpec['scale'] = 'linear', unit = ''): number[] {
  const one = tickStep(unit);
  return roundTicks([range[0] / one, range[1] / one], height, scale).map((value) => value * one);
}

function roundTicks([from, to]: Range, height: number, scale: YAxisSpec['scale']): number[] {
  if (scale === 'log') {
    const room = Math.max(2, Math.floor(height / 20));
    const inside = (value: number): boolean => value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9);
    const decades = Array.from({ length: DECADES + 2 }, (_, i) => 10 ** (Math.floor(Math.log10(from) + 1e-9) + i));
    const every = decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]).filter(inside);
    return every.length <= room ? every : decades.filter(inside);
  }
  // A low panel whose range is not round would otherwise get a single tick, which is no scale.
  let count = Math.max(2, Math.floor(height / 34));
  let values = d3ticks(from, to, count);
  while (values.length < 2 && count < 6) values = d3ticks(from, to, ++count);
  return values;
}

/** Ticks of a time axis, about one per 80 px, and how to write them: seconds, from two minutes on min:s. */
export function timeTicks([from, to]: Range, width: number): { values: number[]; format: (t: number) => string } {
  const count = Math.max(2, Math.floor(width / 80));
  const span = to - from;
  if (span <= 0) return { values: [], format: String };
  if (to > 600 && span >= 60) {
    const step =
      [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200].find((s) => span / s <= count) ?? 86_400;
    const values: number[] = [];
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) values.push(t);
    return { values, format: formatClock };
  }
  const values = d3ticks(from, to, count);
  const step = (values[1] ?? 1) - (values[0] ?? 0);
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  return { values, format: (t) => decorate(t.toFixed(digits)) };
}

/** 1:05, 12:30, 1:02:05. */
export function formatClock(seconds: number): string {
  const total = Math.round(seconds);
  const [h, min, s] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${pad(min)}:${pad(s)}` : `${min}:${pad(s)}`;
}

/** A tick of a logarithmic axis: its neighbours may have other prefixes. */
export function logTick(value: number, unit: string): string {
  const scale = unitScale(unit, value);
  return `${formatChosen(Number((value / scale.factor).toPrecision(6)))} ${scale.unit}`;
}

/** The same where there is room for the number and its prefix only (“100 M”), and the unit that then stands above the axis. */
export function narrowLogFormat(unit: string): { format: (value: number) => string; unit: string } {
  const base = unit.replace(/^[GMkmµ](?=bps$|B$|s$)/, '');
  const format = (value: number): string => {
    const text = logTick(value, unit);
    return text.endsWith(base) ? text.slice(0, text.length - base.length).trimEnd() : text;
  };
  return { format, unit: base };
}

export { tickFormat, unitScale } from '#analysis/ticks';
