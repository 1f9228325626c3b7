// Where everything of one frontier lies: scales, points, whiskers, hull, labels and the capacity inset. Pure.
import { scaleLinear, scaleLog, scaleSymlog, type ScaleContinuousNumeric } from 'd3-scale';
import type { Frontier, FrontierPoint } from '#analysis/frontier';
import { emptiestCorner, overlap, placeLabels, type Box, type PlacedLabel } from '#analysis/place-labels';
import type { Estimate } from '#analysis/statistics';
import { shortLimit, type CcaSeries } from '#analysis/cca-series';
import { cutOf } from '#analysis/frontier-margin';
import {
  POINT_RADIUS,
  stacksOf,
  type PlacedPoint,
  type Stack,
  type Whisker,
  type WhiskerEnd,
} from '#analysis/frontier-stacks';

export interface FrontierLook {
  readonly scale: 'log' | 'linear';
  /** Less delay to the right, so that better is up and to the right. */
  readonly inverted: boolean;
  readonly fromZero: boolean;
  /** The y values are shares of one. */
  readonly share: boolean;
}

type Scale = ScaleContinuousNumeric<number, number>;

export interface FrontierLayout {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
  readonly points: readonly PlacedPoint[];
  /** What is drawn of the points: those that coincide are one mark, and no mark covers another. */
  readonly stacks: readonly Stack[];
  /** Where delays far beyond the others stand; null: there are none. */
  readonly margin: Box | null;
  /** Path through a CCA's points from the smallest limit to the largest. */
  readonly lines: readonly { readonly series: CcaSeries; readonly path: string }[];
  readonly hull: string;
  readonly labels: readonly PlacedLabel[];
  /** The line of the mean capacity, and where its name stands. */
  readonly capacity: { readonly y: number; readonly label: Box | null } | null;
  readonly inset: Box | null;
}

const LABEL_HEIGHT = 15;
/** One more line of text beneath the inset. */
const INSET_LINE = 12;
/** Room for the marker before a label's text. */
export const LABEL_MARKER = 12;

/** Names may stand above the plane, but not in its title. */
const UNDER_TITLE = 18;
/** Between the margin and the axis, where the latter is broken off. */
const BREAK = 14;

/** What an axis must show: what was measured. The interval of few repetitions can be many times wider, and reach below zero. */
const measured = (estimate: Estimate): readonly number[] => [estimate.mean, ...estimate.values];

function xScale(
  all: readonly number[],
  from: number,
  to: number,
  { scale, inverted }: FrontierLook,
): { scale: Scale; ticks: number[] } {
  const low = Math.min(...all);
  const high = Math.max(...all);
  const range = inverted ? [to, from] : [from, to];
  if (scale === 'linear') {
    const pad = 0.06 * (high - low || high || 1);
    const linear = scaleLinear([Math.max(0, low - pad), high + pad], range);
    return { scale: linear, ticks: linear.ticks(Math.max(3, Math.abs(to - from) / 90)) };
  }
  const ratio = Math.max(1.15, (high / Math.max(low, 1e-9)) ** 0.06);
  // A delay of zero (an ideal queue) has no logarithm: then the axis is linear below 1 and logarithmic above.
  const log =
    low > 0 ? scaleLog([low / ratio, high * ratio], range) : scaleSymlog([0, high * ratio], range).constant(1);
  return { scale: log, ticks: oneTwoFive(low > 0 ? low / ratio : 0, high * ratio, Math.abs(to - from)) };
}

/** 1, 2, 5, 10 … between two values, thinned to what fits; even steps where these are too few. */
export function oneTwoFive(low: number, high: number, width: number): number[] {
  const from = Math.floor(Math.log10(Math.max(low, 0.1)));
  const ticks: number[] = low === 0 ? [0] : [];
  for (let power = from; 10 ** power <= high; power++) for (const digit of [1, 2, 5]) ticks.push(digit * 10 ** power);
  const visible = ticks.filter((tick) => tick >= low && tick <= high);
  // Less than a decade may hold hardly a round number.
  if (visible.length < 3) return scaleLinear([low, high], [0, width]).ticks(Math.max(3, width / 110));
  const decades = Math.log10(high / Math.max(low, 0.1));
  // Three ticks of about 46 px per decade, else only powers of ten and their fives.
  if (width / Math.max(decades, 0.3) >= 140) return visible;
  const powers = visible.filter((tick) => tick === 0 || Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6));
  return powers.length >= 2 ? powers : visible;
}

function yScale(
  all: readonly number[],
  plot: Box,
  { fromZero, share }: FrontierLook,
): { scale: Scale; ticks: number[] } {
  const low = Math.min(...all);
  const high = Math.max(...all);
  const pad = 0.08 * (fromZero ? high : high - low || high);
  const domain: [number, number] = [
    fromZero ? 0 : Math.max(0, low - pad),
    share && fromZero ? Math.max(1, high) * 1.04 : high + pad,
  ];
  const scale = scaleLinear(domain, [plot.y + plot.height, plot.y]);
  return { scale, ticks: scale.ticks(Math.max(3, plot.height / 60)).filter((tick) => !share || tick <= 1) };
}

export interface FrontierInput {
  readonly frontier: Frontier;
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly shows: (series: CcaSeries) => boolean;
  readonly look: FrontierLook;
  readonly width: number;
  readonly height: number;
  readonly measure: (text: string) => number;
  /** A delay with its unit. */
  readonly write: (delay: number) => string;
  /** Of text beneath the capacity inset; 0: there is none. */
  readonly insetLines: number;
  readonly capacityName: string;
}

export function layoutFrontier({
  frontier,
  series,
  shows,
  look,
  width,
  height,
  measure,
  write,
  insetLines,
  capacityName,
}: FrontierInput): FrontierLayout {
  const compact = width < 480;
  const left = compact ? 40 : 52;
  const plot: Box = { x: left, y: 26, width: width - left - (compact ? 10 : 16), height: height - 26 - 40 };
  const shown = shownSeries(frontier, series, shows);
  const all = shown.flatMap(({ points }) => points);
  const cut = cutOf(
    all.map(({ x }) => x.mean),
    look.scale === 'log' ? (value) => Math.log(Math.max(value, 0.1)) : (value) => value,
  );
  const isBeyond = ({ x }: FrontierPoint): boolean => cut !== null && x.mean > cut;
  const near = all.filter((point) => !isBeyond(point));
  const far = all.filter(isBeyond);
  const xs = near.length === 0 ? [1, 10] : near.flatMap(({ x }) => measured(x));
  const ys = all.length === 0 ? [0, 1] : all.flatMap(({ y }) => measured(y));
  const capacity = look.share ? 1 : frontier.capacity_mbps;
  const { margin, room } = shareOut(
    plot,
    Math.max(0, ...far.map(({ x }) => Math.max(measure(write(x.mean)), 2 * POINT_RADIUS) + 8)),
    look,
  );
  const { scale: x, ticks: xTicks } = xScale(xs, room.x + POINT_RADIUS, room.x + room.width - POINT_RADIUS, look);
  const placeX = (value: number): number =>
    margin !== null && cut !== null && value > cut && value > Math.max(...x.domain())
      ? margin.x + margin.width / 2
      : x(value);
  const { scale: y, ticks: yTicks } = yScale(capacity === null ? ys : [...ys, capacity], plot, look);

  const points = shown.flatMap(({ one, reference, points: own }) =>
    own.map((point): PlacedPoint => {
      const paired = point.x.values.length === point.y.values.length && point.x.values.length > 1;
      return {
        series: one,
        point,
        reference,
        text: reference ? '' : shortLimit(point.cell.buffer),
        x: placeX(point.x.mean),
        y: y(point.y.mean),
        beyond: isBeyond(point) ? write(point.x.mean) : null,
        whiskerX: isBeyond(point) ? null : whisker(point.x, x),
        whiskerY: whisker(point.y, y),
        dots: paired ? point.x.values.map((value, i) => ({ x: placeX(value), y: y(point.y.values[i] ?? NaN) })) : [],
      };
    }),
  );
  const stacks = stacksOf(points, plot, measure);
  const markers = stacks.map(({ box }) => box);
  const insetSize = compact ? { width: 104, height: 40 } : { width: 168, height: 52 };
  const inset = insetLines > 0 ? placeInset(room, insetSize, insetLines, markers, look) : null;
  const hint: Box = { x: look.inverted ? plot.x + plot.width - 58 : plot.x, y: 0, width: 58, height: plot.y };
  const capacityLabel =
    capacity === null
      ? null
      : freeAlong(room, y(capacity), measure(capacityName), inset === null ? markers : [...markers, inset]);
  const labels = namesBeside(
    shown.map(({ one }) => one),
    stacks,
    measure,
    [...markers, hint, ...[inset, capacityLabel].filter((box) => box !== null)],
    plot,
  );
  return {
    width,
    height,
    plot,
    x,
    y,
    xTicks,
    yTicks,
    points,
    stacks,
    margin,
    lines: shown
      .filter(({ points: own }) => own.length > 1)
      .map(({ one, points: own }) => ({
        series: one,
        path: pathThrough(own.map((p) => [placeX(p.x.mean), y(p.y.mean)])),
      })),
    hull: pathThrough(frontier.hull.map((corner) => [placeX(corner.x), y(corner.y)])),
    labels,
    capacity: capacity === null ? null : { y: y(capacity), label: capacityLabel },
    inset,
  };
}

interface ShownSeries {
  readonly one: CcaSeries;
  readonly reference: boolean;
  readonly points: readonly FrontierPoint[];
}

/** The series that are not hidden, with the points that stand for them. */
const shownSeries = (
  frontier: Frontier,
  series: FrontierInput['series'],
  shows: FrontierInput['shows'],
): readonly ShownSeries[] =>
  frontier.series.flatMap((own) => {
    const one = series.get(own.key);
    // Of a reference only the point with the largest limit: it is not about queues.
    const points = own.reference ? own.points.slice(-1) : own.points;
    return one !== undefined && shows(one) ? [{ one, reference: own.reference, points }] : [];
  });

/** The capacity inset, with room for its text, in the corner where it covers the least. */
function placeInset(
  room: Box,
  { width, height }: Pick<Box, 'width' | 'height'>,
  lines: number,
  markers: readonly Box[],
  { inverted }: FrontierLook,
): Box | null {
  const corners: Box = { x: room.x + 8, y: room.y + 8, width: room.width - 16, height: room.height - 16 };
  return emptiestCorner(
    { width, height: height + (lines - 1) * INSET_LINE },
    corners,
    markers,
    inverted ? ['bottom-left', 'bottom-right', 'top-left'] : ['bottom-right', 'bottom-left', 'top-right'],
  );
}

/** The plane, less a margin of this width (0: none) for what lies far beyond the rest. */
function shareOut(
  plot: Box,
  marginWidth: number,
  look: FrontierLook,
): { readonly margin: Box | null; readonly room: Box } {
  const margin: Box | null =
    marginWidth === 0
      ? null
      : { ...plot, x: look.inverted ? plot.x : plot.x + plot.width - marginWidth, width: marginWidth };
  const room: Box =
    margin === null
      ? plot
      : {
          ...plot,
          x: look.inverted ? plot.x + marginWidth + BREAK : plot.x,
          width: plot.width - marginWidth - BREAK,
        };
  return { margin, room };
}

/** A name for each series, beside a mark of its own and over nothing of what is taken. */
const namesBeside = (
  series: readonly CcaSeries[],
  stacks: readonly Stack[],
  measure: FrontierInput['measure'],
  taken: readonly Box[],
  plot: Box,
): PlacedLabel[] =>
  placeLabels(
    series.map((one) => ({
      id: one.key,
      width: measure(one.label) + LABEL_MARKER + 2,
      height: LABEL_HEIGHT,
      anchors: stacks
        .filter(({ members }) => members[0].series === one)
        .flatMap(({ box, y }) => [
          { x: box.x + box.width - POINT_RADIUS, y, r: POINT_RADIUS },
          { x: box.x + POINT_RADIUS, y, r: POINT_RADIUS },
        ]),
    })),
    taken,
    { x: plot.x, y: UNDER_TITLE, width: plot.width, height: plot.y + plot.height - UNDER_TITLE },
  );

/** The first place along a level line, from the left, where a name covers no point; above the line unless there is no room. */
function freeAlong(plot: Box, y: number, width: number, markers: readonly Box[]): Box | null {
  const top = y - plot.y > LABEL_HEIGHT + 2 ? y - LABEL_HEIGHT : y + 1;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const box = { x: plot.x + 6 + share * (plot.width - width - 12), y: top, width, height: LABEL_HEIGHT };
    if (markers.every((marker) => overlap(box, marker) === 0)) return box;
  }
  return null;
}

function whisker({ low, high }: Estimate, scale: Scale): Whisker | null {
  if (low === null || high === null || low === high) return null;
  const [least = 0, most = 0] = scale.domain();
  const end = (value: number): WhiskerEnd => {
    const shown = Math.min(Math.max(value, least), most);
    return { at: scale(shown), cut: shown !== value };
  };
  return [end(low), end(high)];
}

const pathThrough = (corners: readonly (readonly [number, number])[]): string =>
  corners.length < 2 ? '' : `M${corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`;
