// Means, variances and the covariance of points, such that those of several sets together follow from those of each.
import type { Moments } from '#protocol/sampled';

const NONE: Moments = { n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 };

/** Points as they come; those of which either is not known are left out. By Welford's sums: large values that differ little lose nothing. */
export function momentsOf(xs: ArrayLike<number>, ys: ArrayLike<number>): Moments {
  let [n, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const [a, b] = [xs[i] ?? NaN, ys[i] ?? NaN];
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    n += 1;
    const [dx, dy] = [a - x, b - y];
    x += dx / n;
    y += dy / n;
    xx += dx * (a - x);
    yy += dy * (b - y);
    xy += dx * (b - y);
  }
  return { n, x, y, xx, yy, xy };
}

/** Of all points together (Chan, Golub and LeVeque 1979). */
export const joinedMoments = (parts: readonly Moments[]): Moments => parts.reduce(joined, NONE);

function joined(a: Moments, b: Moments): Moments {
  const n = a.n + b.n;
  if (n === 0) return NONE;
  const [dx, dy, part] = [b.x - a.x, b.y - a.y, b.n / n];
  return {
    n,
    x: a.x + dx * part,
    y: a.y + dy * part,
    xx: a.xx + b.xx + dx * dx * a.n * part,
    yy: a.yy + b.yy + dy * dy * a.n * part,
    xy: a.xy + b.xy + dx * dy * a.n * part,
  };
}

/** Pearson's r; null where one of them does not vary. */
export const correlationOf = ({ xx, yy, xy }: Moments): number | null =>
  xx > 0 && yy > 0 ? Math.min(Math.max(xy / Math.sqrt(xx * yy), -1), 1) : null;
