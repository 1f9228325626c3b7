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

/** Directions in order of preference: right, left, above, below, then the diagonals. */
const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
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
  [dx, dy]: (typeof DIRECTIONS)[number],
  gap: number,
  label: LabelRequest,
): Box {
  const diagonal = dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1;
  const px = x + dx * (r + gap) * diagonal;
  const py = y + dy * (r + gap) * diagonal;
  return {
    x: dx === 0 ? px - label.width / 2 : dx > 0 ? px : px - label.width,
    y: dy === 0 ? py - label.height / 2 : dy > 0 ? py : py - label.height,
    width: label.width,
    height: label.height,
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
      for (const direction of DIRECTIONS) {
        const box = beside(anchor, direction, gap, label);
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
