// Draws the inside of a time-series panel on a surface, screen or export alike. Pure: everything it needs is given.
import {
  areaBars,
  bandBars,
  detailOf,
  lineBars,
  pixelOf,
  timeAt,
  traceArea,
  traceBand,
  traceLine,
  type Mapping,
} from './columns';
import { dashed, dashedBars } from './dash';
import { RIBBON_LANE, type PanelLayout } from './layout';
import { MARK_PATHS } from './glyph';
import { phasesOf } from './phases';
import { pyramidOf } from './pyramid';
import { lowerBound } from './search';
import type { Surface } from './surface';
import type { Range } from './time-view';
import {
  dataOf,
  type LimitSpec,
  type MarkSpec,
  type PanelSpec,
  type RibbonSeries,
  type SeriesSpec,
  type ShadeSeries,
} from './types';
import type { Visibility } from './visibility';
import type { Theme } from '../theme/theme';

export interface Scene {
  readonly spec: PanelSpec;
  readonly layout: PanelLayout;
  readonly range: Range;
  readonly yRange: Range;
  /** No line has a value in this time. */
  readonly empty?: boolean;
  readonly yTicks: readonly number[];
  readonly xTicks: readonly number[];
  readonly visibility: Visibility;
  readonly theme: Theme;
  /** Width of a pixel column: one device pixel, in CSS pixels. */
  readonly columnWidth: number;
  /** Nothing left of this pixel has changed. */
  readonly dirtyFrom: number;
}

/** Values to pixels. Plain arithmetic: it is asked for every column of every series of every frame. */
export function yPixel({ layout, yRange, spec }: Pick<Scene, 'layout' | 'yRange' | 'spec'>): (value: number) => number {
  const [low, high] = yRange;
  const bottom = layout.top + layout.plotHeight;
  if (spec.y.scale === 'log') {
    const perUnit = layout.plotHeight / Math.log(high / low);
    return (value) => (value <= low ? bottom : bottom - Math.log(value / low) * perUnit);
  }
  const perUnit = layout.plotHeight / (high - low);
  return (value) => bottom - (value - low) * perUnit;
}

export function mappingOf(scene: Scene): Mapping {
  const { layout, range } = scene;
  return {
    from: range[0],
    to: range[1],
    left: layout.left,
    width: layout.plotWidth,
    columnWidth: scene.columnWidth,
    y: yPixel(scene),
    dirtyFrom: scene.dirtyFrom,
  };
}

/** Marks and round ends stick out this far from their moment. */
const OVERHANG = 6;

export function drawPanel(surface: Surface, scene: Scene): void {
  const { layout, spec, visibility } = scene;
  const m = mappingOf(scene);
  const left = Math.max(layout.left, scene.dirtyFrom);
  const right = layout.left + layout.plotWidth;
  const shown = spec.series.filter((series) => visibility.shows(series));
  const back = shown.filter(
    (series) => series.kind === 'area' || series.kind === 'step-area' || series.kind === 'band',
  );
  const ribbons = shown.filter((series) => series.kind === 'ribbon');
  const lines = shown
    .filter((series) => series.kind === 'line' || series.kind === 'step')
    // What is highlighted lies on top.
    .sort((a, b) => visibility.emphasis(a) - visibility.emphasis(b));

  const shades = shown.filter((series) => series.kind === 'shade');

  const dense = [...back, ...lines].some((series) => detailOf(dataOf(series), m).crowded);
  const inside = (): void => {
    shades.forEach((series, place) => drawShade(surface, series, place / shades.length, 1 / shades.length, m, scene));
    for (const series of back) drawBack(surface, series, m, scene);
    drawGrid(surface, scene);
    for (const limit of spec.limits ?? []) drawLimit(surface, limit, scene, left, right);
    for (const series of lines) drawLine(surface, series, m, visibility);
    if (spec.y.cut !== undefined) for (const series of [...back, ...lines]) drawBeyond(surface, series, m, scene);
    ribbons.forEach((series, lane) => drawRibbon(surface, series, lane, m, scene));
    if (scene.empty === true && scene.dirtyFrom <= layout.left)
      surface.text('no values', layout.left + 8, layout.top + layout.plotHeight / 2, {
        colour: scene.theme.ink3,
        font: scene.theme.sans,
        size: 11,
      });
  };
  surface.clip(left, layout.top - 1, right - left, layout.plotHeight + 2, inside, dense);
  if (layout.markTop !== null) {
    const top = layout.markTop;
    surface.clip(
      Math.max(layout.left - OVERHANG, scene.dirtyFrom),
      top,
      right + OVERHANG - left + OVERHANG,
      layout.axisTop - top + 2,
      () => {
        for (const mark of spec.marks ?? []) if (visibility.shows(mark)) drawMarks(surface, mark, m, top, scene);
      },
    );
  }
}

/** Crisp hairlines lie on half pixels. */
const crisp = (pixel: number): number => Math.round(pixel - 0.5) + 0.5;

function drawGrid(surface: Surface, { spec, layout, yTicks, xTicks, theme, range, yRange }: Scene): void {
  const y = yPixel({ spec, layout, yRange });
  const m = { from: range[0], to: range[1], left: layout.left, width: layout.plotWidth };
  surface.rules(
    (path) => {
      for (const tick of yTicks) {
        path.moveTo(layout.left, crisp(y(tick)));
        path.lineTo(layout.left + layout.plotWidth, crisp(y(tick)));
      }
      for (const tick of xTicks) {
        const x = crisp(m.left + ((tick - m.from) / (m.to - m.from)) * m.width);
        path.moveTo(x, layout.top);
        path.lineTo(x, layout.top + layout.plotHeight);
      }
    },
    { colour: theme.ink, width: 1, opacity: theme.scheme === 'dark' ? 0.09 : 0.065 },
  );
}

function drawBack(surface: Surface, series: SeriesSpec, m: Mapping, scene: Scene): void {
  const { style } = series;
  const fill = style.fill ?? style.colour;
  const opacity = style.opacity ?? (style.fill === undefined ? 0.18 : 1);
  if (series.kind === 'band') {
    const { lower, upper } = series;
    if (detailOf(upper, m).crowded) surface.bars((bar) => bandBars(lower, upper, m, bar), { colour: fill, opacity });
    else surface.fill((path) => traceBand(lower, upper, m, path), { colour: fill, opacity });
    return;
  }
  if (series.kind !== 'area' && series.kind !== 'step-area') return;
  const { data, kind } = series;
  const base = Math.max(0, scene.yRange[0]);
  if (detailOf(data, m).crowded) {
    const faint: number[] = [];
    surface.bars((bar) => areaBars(data, m, bar, (...upper) => void faint.push(...upper), base), {
      colour: fill,
      opacity,
    });
    surface.bars(
      (bar) => {
        for (let i = 0; i < faint.length; i += 4)
          bar(faint[i] ?? 0, faint[i + 1] ?? 0, faint[i + 2] ?? 0, faint[i + 3] ?? 0);
      },
      { colour: fill, opacity: opacity * SOMETIMES },
    );
  } else surface.fill((path) => traceArea(data, m, path, kind === 'step-area', base), { colour: fill, opacity });
}

/** Between the least and the greatest value of a pixel column an area is there only some of the time: it is drawn fainter. */
const SOMETIMES = 0.6;

function drawLine(surface: Surface, series: SeriesSpec, m: Mapping, visibility: Visibility): void {
  if (series.kind !== 'line' && series.kind !== 'step') return;
  const { style, data, kind } = series;
  const opacity = (style.opacity ?? 1) * visibility.emphasis(series);
  const width = style.width ?? 1.5;
  const crowded = detailOf(data, m).crowded;
  const draw = (dash: readonly number[], strength: number): void => {
    const look = { colour: style.colour, opacity: strength };
    if (crowded) {
      // Bars narrower than a CSS pixel would make spikes faint on fine screens; only opaque ones may overlap.
      const spread = strength < 1 ? 0 : Math.max(0, 1 - m.columnWidth);
      surface.bars((bar) => lineBars(data, m, dashedBars(bar, dash), width, spread), look);
    } else surface.stroke((path) => traceLine(data, m, dashed(path, dash), kind === 'step'), { ...look, width });
  };
  const dash = style.dash ?? [];
  // What falls between two dashes is drawn faintly: a dash must not hide a spike.
  if (dash.length > 0) draw([], opacity * BETWEEN_DASHES);
  draw(dash, opacity);
}

const BETWEEN_DASHES = 0.3;

const BEYOND = { above: 'M0,-3L3,2.4L-3,2.4Z', below: 'M0,3L3,-2.4L-3,-2.4Z' };

/** Marks at the edges where a line or a band leaves the scale. */
function drawBeyond(surface: Surface, series: SeriesSpec, m: Mapping, scene: Scene): void {
  if (series.kind !== 'line' && series.kind !== 'step' && series.kind !== 'band') return;
  const { style } = series;
  const data = series.kind === 'band' ? series.upper : series.data;
  const { layout, visibility, theme } = scene;
  // What stands for zero on a logarithmic axis is not beyond it.
  const low = scene.spec.y.scale === 'log' ? -Infinity : scene.yRange[0];
  const high = scene.yRange[1];
  // From the edge of a cell, so that a cell shows the same mark whether all is drawn or only what is new.
  const firstCell = Math.floor(Math.max(m.left, m.dirtyFrom) / MARK_CELL) - 1;
  const from = lowerBound(data.x, timeAt(m, firstCell * MARK_CELL), 0, data.length);
  const to = lowerBound(data.x, m.to, from, data.length);
  const pyramid = pyramidOf(data);
  pyramid.query(from, to);
  if (!(pyramid.max > high || pyramid.min < low)) return;
  const marked = { above: NaN, below: NaN };
  for (let i = from; i < to; i++) {
    const value = data.y[i] ?? NaN;
    const side = value > high ? 'above' : value < low ? 'below' : null;
    if (side === null) continue;
    const cell = Math.floor(pixelOf(m, data.x[i] ?? NaN) / MARK_CELL);
    if (cell === marked[side]) continue;
    marked[side] = cell;
    surface.shape(
      BEYOND[side],
      (cell + 0.5) * MARK_CELL,
      side === 'above' ? layout.top + 4 : layout.top + layout.plotHeight - 4,
      {
        fill: style.colour,
        opacity: visibility.emphasis(series),
        stroke: { colour: theme.surface, width: 2 },
      },
    );
  }
}

function drawLimit(surface: Surface, limit: LimitSpec, scene: Scene, left: number, right: number): void {
  const { layout } = scene;
  if (!limitInSight(limit, scene)) return;
  const y = crisp(yPixel(scene)(limit.value));
  surface.rules(
    (path) => {
      const pen = dashed(path, limit.dash ?? [5, 3]);
      pen.moveTo(Math.max(layout.left, left - 10), y);
      pen.lineTo(right, y);
    },
    { colour: limit.colour, width: 1 },
  );
}

export const limitInSight = (limit: LimitSpec, { visibility, yRange }: Pick<Scene, 'visibility' | 'yRange'>): boolean =>
  (limit.group === undefined || !visibility.isHidden(limit.group)) &&
  limit.value <= yRange[1] &&
  limit.value >= yRange[0];

/** The same pixel cell shows one mark of a kind: more would only cover each other. */
const MARK_CELL = 7;
function drawMarks(surface: Surface, mark: MarkSpec, m: Mapping, top: number, scene: Scene): void {
  const { times } = mark;
  // From the edge of a cell, so that a cell shows the same mark whether all is drawn or only what is new.
  const firstCell = Math.floor(Math.max(m.left, m.dirtyFrom) / MARK_CELL) - 2;
  const from = lowerBound(times, timeAt(m, firstCell * MARK_CELL), 0, times.length);
  const to = lowerBound(times, m.to, from, times.length);
  const opacity = scene.visibility.emphasis(mark);
  let lastCell = NaN;
  for (let i = from; i < to; i++) {
    const x = pixelOf(m, times[i] ?? NaN);
    const cell = Math.floor(x / MARK_CELL);
    if (cell === lastCell || x < m.left - 0.5) continue;
    lastCell = cell;
    surface.shape(MARK_PATHS[mark.shape], x, top + OVERHANG, {
      fill: mark.colour,
      opacity,
      ...(mark.shape === 'timeout' && { stroke: { colour: scene.theme.surface, width: 2 } }),
    });
  }
}

/** From `from` to `from + share` of the panel's height, counted from its top. */
function drawShade(
  surface: Surface,
  { data, style }: ShadeSeries,
  from: number,
  share: number,
  m: Mapping,
  { layout }: Scene,
): void {
  const phases = phasesOf(data);
  const top = layout.top + from * layout.plotHeight;
  const bottom = top + share * layout.plotHeight;
  const first = Math.max(
    0,
    lowerBound(phases.starts, timeAt(m, Math.max(m.left, m.dirtyFrom)), 0, phases.starts.length) - 1,
  );
  surface.fill(
    (path) => {
      for (let i = first; i < phases.starts.length; i++) {
        const start = Math.max(m.left, pixelOf(m, phases.starts[i] ?? 0));
        if (start > m.left + m.width) break;
        const end = Math.min(m.left + m.width, pixelOf(m, phases.starts[i + 1] ?? phases.end));
        if (end <= m.left || !((phases.states[i] ?? NaN) > 0)) continue;
        path.moveTo(start, top);
        path.lineTo(end, top);
        path.lineTo(end, bottom);
        path.lineTo(start, bottom);
        path.closePath();
      }
    },
    { colour: style.fill ?? style.colour, opacity: style.opacity ?? 0.14 },
  );
}

function drawRibbon(surface: Surface, series: RibbonSeries, lane: number, m: Mapping, scene: Scene): void {
  const { theme, layout, visibility } = scene;
  const phases = phasesOf(series.data);
  const top = layout.top + lane * RIBBON_LANE + 2;
  const height = RIBBON_LANE - 4;
  const first = Math.max(
    0,
    lowerBound(phases.starts, timeAt(m, Math.max(m.left, m.dirtyFrom - 120)), 0, phases.starts.length) - 1,
  );
  const opacity = visibility.emphasis(series);
  const end = (i: number): number => Math.min(m.left + m.width, pixelOf(m, phases.starts[i + 1] ?? phases.end));
  const begin = (i: number): number => Math.max(m.left, pixelOf(m, phases.starts[i] ?? 0));
  /** Phases in sight, by state. */
  const seen = new Map<number, number[]>();
  for (let i = first; i < phases.starts.length && begin(i) <= m.left + m.width; i++) {
    const state = phases.states[i] ?? NaN;
    if (end(i) <= m.left || Number.isNaN(state)) continue;
    const same = seen.get(state);
    if (same === undefined) seen.set(state, [i]);
    else same.push(i);
  }
  for (const [state, all] of seen) {
    // States are told apart by strength of the flow's own colour, and by name where there is room.
    const strength = series.states.length < 2 ? 0.3 : 0.14 + (0.5 * state) / (series.states.length - 1);
    surface.bars(
      (bar) => {
        // A phase thinner than half a pixel still shows.
        for (const i of all) bar(begin(i), top, Math.max(0.5, end(i) - begin(i)), height);
      },
      { colour: series.style.colour, opacity: strength * opacity },
    );
    const name = series.states[state] ?? String(state);
    for (const i of all)
      if (end(i) - begin(i) > name.length * 6.2 + 8)
        surface.text(name, begin(i) + 5, top + height / 2 + 0.5, {
          colour: theme.ink,
          font: theme.sans,
          size: 10.5,
          opacity,
        });
  }
}
