// Where a blend of throughput, delay and fairness lies in the triangle of all weightings, and which blend lies at a place.
import { insideTriangle, middleOf, type Blend } from '#analysis/weight-triangle';

const MOST_SIDE = 460;
const [TOP, BOTTOM] = [30, 44];
/** Beside the triangle, where the names of its corners go on. */
export const MARGIN = 22;
const HEIGHT = Math.sqrt(3) / 2;

export interface TriangleFrame {
  readonly left: number;
  readonly side: number;
}

export const triangleFrame = (width: number): TriangleFrame => {
  const side = Math.min(MOST_SIDE, width - 2 * MARGIN);
  return { left: (width - side) / 2, side };
};

/** Of the picture with what is written above and below, pixels. */
export const triangleHeight = (width: number): number => TOP + triangleFrame(width).side * HEIGHT + BOTTOM;

/** Throughput alone is the upper corner, delay the left one, fairness the right one. */
export const placeOfBlend = ([throughput, , fairness]: Blend, { left, side }: TriangleFrame): [number, number] => [
  left + side * (fairness + throughput / 2),
  TOP + side * HEIGHT * (1 - throughput),
];

/** The blend at a place, also outside of the triangle. */
export function blendAt([x, y]: readonly [number, number], { left, side }: TriangleFrame): Blend {
  const throughput = 1 - (y - TOP) / (side * HEIGHT);
  const fairness = (x - left) / side - throughput / 2;
  return [throughput, 1 - throughput - fairness, fairness];
}

/** How far a name keeps from a point, pixels: both have words beside them. */
const AIR: readonly [x: number, y: number] = [90, 36];

/** In the middle of a region, or towards the corner where no point of a scenario is near. */
export function nameAt(
  polygon: readonly Blend[],
  taken: readonly Blend[],
  frame: TriangleFrame,
): readonly [x: number, y: number] {
  const [x, y] = placeOfBlend(middleOf(polygon), frame);
  const others = taken.map((blend) => placeOfBlend(blend, frame));
  const towards = [0.2, 0.35, 0.5].flatMap((part) =>
    polygon.map((corner): [number, number] => {
      const [toX, toY] = placeOfBlend(corner, frame);
      return [x + (toX - x) * part, y + (toY - y) * part];
    }),
  );
  const free = ([a, b]: readonly [number, number]): number =>
    Math.min(...others.map(([c, d]) => Math.max(Math.abs(a - c) / AIR[0], Math.abs(b - d) / AIR[1])), 1);
  const candidates: readonly (readonly [number, number])[] = [[x, y], ...towards];
  return candidates.reduce((best, next) => (free(next) > free(best) ? next : best));
}

/** Up: more throughput at the cost of both others; right: fairness instead of delay. */
export function stepped([throughput, delay, fairness]: Blend, key: string, by: number): Blend | null {
  switch (key) {
    case 'ArrowRight':
      return insideTriangle([throughput, delay - Math.min(by, delay), fairness + Math.min(by, delay)]);
    case 'ArrowLeft':
      return insideTriangle([throughput, delay + Math.min(by, fairness), fairness - Math.min(by, fairness)]);
    case 'ArrowUp':
    case 'ArrowDown': {
      const next = Math.min(1, Math.max(0, throughput + (key === 'ArrowUp' ? by : -by)));
      const others = delay + fairness;
      const part = others > 0 ? delay / others : 0.5;
      return [next, (1 - next) * part, (1 - next) * (1 - part)];
    }
    default:
      return null;
  }
}
