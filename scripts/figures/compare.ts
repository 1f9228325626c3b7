const NUMBER = /-?\d+(?:\.\d+)?/g;

/** What a different mathematical library may move on the average, and a single point, in pixels. */
const MEAN = 0.25;
const MOST = 20;

/** Whether two SVGs are the same picture: the same but for numbers, and those nearly so. */
export function sameFigure(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.replace(NUMBER, '#') !== b.replace(NUMBER, '#')) return false;
  const [left, right] = [a, b].map((svg) => (svg.match(NUMBER) ?? []).map(Number));
  const distances = (left ?? []).map((value, i) => Math.abs(value - (right?.[i] ?? NaN)));
  const sum = distances.reduce((total, distance) => total + distance, 0);
  return distances.every((distance) => distance <= MOST) && sum <= MEAN * distances.length;
}
