// Where stations can go without a building in their way, and how far that is from the user's way.

export type Place = readonly [x: number, y: number];
export type Building = readonly [x0: number, y0: number, x1: number, y1: number];

/** Least distance of a place from a line of corners. */
export function distanceToWay([x, y]: Place, corners: readonly Place[]): number {
  const legs = corners.slice(1).map((to, i) => {
    const [ax, ay] = corners[i] ?? to;
    const [dx, dy] = [to[0] - ax, to[1] - ay];
    const length2 = dx * dx + dy * dy;
    const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length2));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy);
  });
  return Math.min(...legs);
}

/** Streets run along the axes. */
const DIRECTIONS: readonly Place[] = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
];

const moved = ([x, y]: Place, [dx, dy]: Place, metres: number): Place => [x + dx * metres, y + dy * metres];

function isFree(from: Place, to: Place, buildings: readonly Building[]): boolean {
  const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const [low, high] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  return buildings.every(([x0, y0, x1, y1]) => right < x0 || left > x1 || high < y0 || low > y1);
}

/**
 * A station moved away from the user's way: along the street that leads farthest from it, so that it never stands in a building. Where
 * every street is built up, straight away.
 */
export function setBack(
  station: Place,
  metres: number,
  farthest: number,
  corners: readonly Place[],
  buildings: readonly Building[],
): Place {
  const free = DIRECTIONS.filter((direction) => isFree(station, moved(station, direction, farthest), buildings));
  const away = (direction: Place): number => distanceToWay(moved(station, direction, farthest), corners);
  const [best] = [...(free.length > 0 ? free : DIRECTIONS)].sort((a, b) => away(b) - away(a));
  return best === undefined ? station : moved(station, best, metres);
}
