// Direct labels beside points: each goes where it covers the least, away from its point with a leader if it must, or nowhere.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LabelRequest {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Points that the label may stand at, best first, with the radius of their marker. */
  readonly anchors: readonly { readonly x: number; readonly y: number; readonly r: number }[];
}

export interface PlacedLabel {
  readonly id: string;
  readonly box: Box;
  /** The point that it names. */
  readonly anchor: { readonly x: number; readonly y: number; readonly r: number };
  /** It stands apart from its point: a thin line joins them. */
  readonly leader: boolean;
}

/** Places in order of preference: direction from the point, and how much of the width lies left of it when above or below. */
const PLACES = [
  { dx: 1, dy: 0, left: 0 },
  { dx: -1, dy: 0, left: 1 },
  { dx: 0, dy: -1, left: 0.5 },
  { dx: 0, dy: 1, left: 0.5 },
  { dx: 1, dy: -1, left: 0 },
  { dx: 1, dy: 1, left: 0 },
  { dx: -1, dy: -1, left: 1 },
  { dx: -1, dy: 1, left: 1 },
  { dx: 0, dy: -1, left: 0.85 },
  { dx: 0, dy: 1, left: 0.85 },
  { dx: 0, dy: -1, left: 0.15 },
  { dx: 0, dy: 1, left: 0.15 },
] as const;
/** Gaps between marker and label, pixels: near first. */
const GAPS = [4, 14, 28, 46] as const;
const NEAR = 5;

export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

const inside = (a: Box, b: Box): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

function beside(
  { x, y, r }: LabelRequest['anchors'][number],
  { dx, dy, left }: (typeof PLACES)[number],
  gap: number,
  { width, height }: LabelRequest,
): Box {
  const reach = (r + gap) * (dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1);
  return {
    x: x + dx * reach - left * width,
    y: y + dy * reach - (dy === 0 ? height / 2 : dy > 0 ? 0 : height),
    width,
    height,
  };
}

/** Places labels one after the other so that none covers an obstacle or another label; those that fit nowhere are left out. */
export function placeLabels(labels: readonly LabelRequest[], obstacles: readonly Box[], bounds: Box): PlacedLabel[] {
  const taken: Box[] = [...obstacles];
  const placed: PlacedLabel[] = [];
  for (const label of labels) {
    const found = firstFree(label, taken, bounds);
    if (found === null) continue;
    taken.push(found.box);
    placed.push({ id: label.id, ...found });
  }
  return placed;
}

function firstFree(label: LabelRequest, taken: readonly Box[], bounds: Box): Omit<PlacedLabel, 'id'> | null {
  for (const gap of GAPS)
    for (const anchor of label.anchors)
      for (const place of PLACES) {
        const box = beside(anchor, place, gap, label);
        if (inside(box, bounds) && taken.every((other) => overlap(box, other) === 0))
          return { box, anchor, leader: gap > NEAR };
      }
  return null;
}

/** The corner of `bounds` in which a box of this size covers the fewest of the obstacles; earlier corners win ties. */
export function emptiestCorner(
  size: Pick<Box, 'width' | 'height'>,
  bounds: Box,
  obstacles: readonly Box[],
  corners: readonly ('bottom-left' | 'bottom-right' | 'top-left' | 'top-right')[],
): Box | null {
  let best: { box: Box; covered: number } | null = null;
  for (const corner of corners) {
    const [vertical, horizontal] = corner.split('-');
    const box: Box = {
      ...size,
      x: horizontal === 'left' ? bounds.x : bounds.x + bounds.width - size.width,
      y: vertical === 'top' ? bounds.y : bounds.y + bounds.height - size.height,
    };
    const covered = obstacles.reduce((sum, other) => sum + overlap(box, other), 0);
    if (best === null || covered < best.covered) best = { box, covered };
  }
  return best === null || best.covered > 0 ? null : best.box;
}
