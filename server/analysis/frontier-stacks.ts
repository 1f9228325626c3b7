// Where the marks of a frontier are drawn. Points of one algorithm that coincide are one mark with all their limits beside it
// (“1 5 10 ∞”); marks that would cover each other move apart, and a line leads back to where they belong.
import type { FrontierPoint } from '#analysis/frontier';
import { dodge } from '#analysis/dodge';
import { overlap, type Box } from '#analysis/place-labels';
import type { CcaSeries } from '#analysis/cca-series';

export const POINT_RADIUS = 9.5;
/** Points of one algorithm closer than this cannot be told apart. */
const TOGETHER = 13;
const SLOT_HEIGHT = 17;
const SLOT_LEAST = 15;
const SLOT_AIR = 7;
/** Below this a mark has hardly moved. */
const MOVED = 3;
const VALUE_HEIGHT = 12;

/** One end of an interval, in pixels. */
export interface WhiskerEnd {
  readonly at: number;
  /** It goes on beyond the axis. */
  readonly cut: boolean;
}
export type Whisker = readonly [WhiskerEnd, WhiskerEnd];

export interface PlacedPoint {
  readonly series: CcaSeries;
  readonly point: FrontierPoint;
  readonly reference: boolean;
  /** Written in the point; empty for references: they have no queue to speak of. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Its delay, written out because it stands in the margin; null: it stands where its delay is. */
  readonly beyond: string | null;
  /** null: no interval. */
  readonly whiskerX: Whisker | null;
  readonly whiskerY: Whisker | null;
  /** Repetitions. */
  readonly dots: readonly { readonly x: number; readonly y: number }[];
}

/** One limit of a stack. */
export interface Slot {
  readonly point: PlacedPoint;
  /** What it covers, in pixels of the figure: a part of the tail, or the marker itself. */
  readonly box: Box;
}

export interface Stack {
  readonly members: readonly [PlacedPoint, ...PlacedPoint[]];
  /** Where its marker is drawn. */
  readonly x: number;
  readonly y: number;
  /** Where it belongs. */
  readonly at: { readonly x: number; readonly y: number };
  /** It stands apart from there. */
  readonly leader: boolean;
  /** The capsule with the limits; null when there is only one, which stands in the marker. */
  readonly tail: Box | null;
  readonly slots: readonly [Slot, ...Slot[]];
  /** Marker, tail and value. */
  readonly box: Box;
}

type Measure = (text: string) => number;

interface Group {
  readonly members: [PlacedPoint, ...PlacedPoint[]];
  readonly at: { readonly x: number; readonly y: number };
  readonly slots: readonly number[];
}

const slotWidth = ({ text }: PlacedPoint, measure: Measure): number =>
  Math.max(SLOT_LEAST, Math.ceil(measure(text)) + SLOT_AIR);

function groupsOf(points: readonly PlacedPoint[], measure: Measure): Group[] {
  const groups: [PlacedPoint, ...PlacedPoint[]][] = [];
  for (const point of points) {
    const home = groups.find(([first]) => {
      const same = first.series.key === point.series.key && (first.beyond === null) === (point.beyond === null);
      return same && Math.hypot(first.x - point.x, first.y - point.y) < TOGETHER;
    });
    if (home === undefined) groups.push([point]);
    else home.push(point);
  }
  return groups.map((members) => ({
    members,
    at: {
      x: members.reduce((sum, { x }) => sum + x, 0) / members.length,
      y: members.reduce((sum, { y }) => sum + y, 0) / members.length,
    },
    slots: members.length === 1 ? [] : members.map((member) => slotWidth(member, measure)),
  }));
}

const marker: Box = { x: -POINT_RADIUS, y: -POINT_RADIUS, width: 2 * POINT_RADIUS, height: 2 * POINT_RADIUS };
const shifted = (box: Box, { x, y }: { readonly x: number; readonly y: number }): Box => ({
  ...box,
  x: box.x + x,
  y: box.y + y,
});

function tailBox({ slots }: Group, side: 'left' | 'right'): Box | null {
  if (slots.length === 0) return null;
  const width = slots.reduce((sum, own) => sum + own, 0) + 4;
  return {
    x: side === 'right' ? POINT_RADIUS - 2 : 2 - POINT_RADIUS - width,
    y: -SLOT_HEIGHT / 2,
    width,
    height: SLOT_HEIGHT,
  };
}

function hullOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** The value under a mark in the margin. */
function valueBox({ members: [{ beyond }] }: Group, measure: Measure): Box | null {
  if (beyond === null) return null;
  const width = measure(beyond);
  return { x: -width / 2, y: POINT_RADIUS, width, height: VALUE_HEIGHT };
}

/** Points must come in the order of their limits. */
export function stacksOf(points: readonly PlacedPoint[], bounds: Box, measure: Measure): Stack[] {
  const groups = groupsOf(points, measure);
  const markers = groups.map(({ at }) => shifted(marker, at));
  const shapes = groups.map((group, i) => {
    const others = markers.filter((_, other) => other !== i);
    const covered = (side: 'left' | 'right'): number => {
      const tail = tailBox(group, side);
      if (tail === null) return 0;
      const box = shifted(tail, group.at);
      const outside = box.x < bounds.x || box.x + box.width > bounds.x + bounds.width ? 1e6 : 0;
      return outside + others.reduce((sum, other) => sum + overlap(box, other), 0);
    };
    const side = covered('left') < covered('right') ? ('left' as const) : ('right' as const);
    const tail = tailBox(group, side);
    const value = valueBox(group, measure);
    return { tail, box: hullOf([marker, ...[tail, value].filter((box) => box !== null)]) };
  });
  const places = dodge(
    groups.map(({ at }, i) => ({ ...at, box: shapes[i]?.box ?? marker })),
    bounds,
  );
  return groups.map((group, i): Stack => {
    const place = places[i] ?? group.at;
    const { tail, box } = shapes[i] ?? { tail: null, box: marker };
    return {
      members: group.members,
      ...place,
      at: group.at,
      leader: Math.hypot(place.x - group.at.x, place.y - group.at.y) > MOVED,
      tail: tail === null ? null : shifted(tail, place),
      slots: slotsOf(group, tail, place),
      box: shifted(box, place),
    };
  });
}

function slotsOf(
  { members: [first, ...others], slots }: Group,
  tail: Box | null,
  place: { x: number; y: number },
): [Slot, ...Slot[]] {
  if (tail === null) return [{ point: first, box: shifted(marker, place) }];
  let x = tail.x + 2;
  const slot = (point: PlacedPoint, i: number): Slot => {
    const width = slots[i] ?? SLOT_LEAST;
    const box = shifted({ x, y: tail.y, width, height: tail.height }, place);
    x += width;
    return { point, box };
  };
  return [slot(first, 0), ...others.map((point, i) => slot(point, i + 1))];
}
