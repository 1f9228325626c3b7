// The plan of a sketch in the pixels of a map: the same metre in both directions, everything in sight.
import type { RecipeSketch } from '#protocol/recipe';

export type Plan = NonNullable<RecipeSketch['plan']>;

export interface MapScale {
  readonly width: number;
  readonly height: number;
  readonly x: (metres: number) => number;
  readonly y: (metres: number) => number;
  /** Pixels of a metre. */
  readonly scale: number;
}

const MARGIN = 24;
/** Below the plan: the scale, and a station's name. */
const FOOT = 26;
const LOWEST = 150;
const HIGHEST = 320;
/** A place that is all one point still has streets around it. */
const LEAST_M = 20;

export function mapScale({ stations, buildings, way }: Plan, width: number): MapScale {
  const xs = [...stations.map(([x]) => x), ...way.map(([, x]) => x), ...buildings.flatMap(([x0, , x1]) => [x0, x1])];
  const ys = [
    ...stations.map(([, y]) => y),
    ...way.map(([, , y]) => y),
    ...buildings.flatMap(([, y0, , y1]) => [y0, y1]),
  ];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const across = (width - 2 * MARGIN) / Math.max(right - left, LEAST_M);
  const scale = Math.min(across, (HIGHEST - FOOT - 2 * MARGIN) / Math.max(high - low, LEAST_M));
  const height = Math.max(LOWEST, Math.ceil((high - low) * scale + FOOT + 2 * MARGIN));
  return {
    width,
    height,
    scale,
    x: (metres) => width / 2 + (metres - (left + right) / 2) * scale,
    y: (metres) => (height - FOOT) / 2 - (metres - (low + high) / 2) * scale,
  };
}

const LENGTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
export const scaleBar = ({ scale, width }: MapScale): number =>
  LENGTHS.findLast((metres) => metres * scale < width / 4) ?? 1;

/** The point of the way at a time. */
export function pointAt({ way }: Plan, second: number): Plan['way'][number] | undefined {
  const stepS = way[1]?.[0] ?? 1;
  return way[Math.min(way.length - 1, Math.max(0, Math.round(second / stepS)))];
}

/** The time at which the user is nearest to a place; of several visits the one nearest to `around`. */
export function timeNear({ way }: Plan, [x, y]: readonly [number, number], tolerance: number, around: number): number {
  const from = (point: Plan['way'][number]): number => Math.hypot(point[1] - x, point[2] - y);
  const least = Math.min(...way.map(from));
  const visits = way.filter((point) => from(point) <= least + tolerance).map(([second]) => second);
  return visits.reduce((best, second) => (Math.abs(second - around) < Math.abs(best - around) ? second : best));
}

export interface Nearest {
  readonly index: number;
  readonly metres: number;
}

export function nearestStation({ stations }: Plan, x: number, y: number): Nearest {
  return stations
    .map(([sx, sy], index) => ({ index, metres: Math.hypot(sx - x, sy - y) }))
    .reduce((best, one) => (one.metres < best.metres ? one : best));
}

/** The way in lines of as many levels, each from where its share of the greatest rate begins. */
export function shadedWay(plan: Plan, { x, y }: MapScale, rates: readonly number[], levels: number): readonly string[] {
  const greatest = Math.max(...rates, 1e-9);
  const lines = Array.from({ length: levels }, (): string[] => []);
  plan.way.slice(1).forEach(([, toX, toY], i) => {
    const [, fromX, fromY] = plan.way[i] ?? [0, toX, toY];
    const rate = rates[Math.min(rates.length - 1, Math.floor((i * rates.length) / (plan.way.length - 1)))] ?? 0;
    const level = Math.min(levels - 1, Math.floor((rate / greatest) * levels));
    lines[level]?.push(`M${x(fromX).toFixed(1)},${y(fromY).toFixed(1)}L${x(toX).toFixed(1)},${y(toY).toFixed(1)}`);
  });
  return lines.map((line) => line.join(''));
}
