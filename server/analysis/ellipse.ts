// The ellipse that holds a share of a two-dimensional normal distribution with the mean and covariance of some points, as Uplink draws bytes
// in flight and throughput against RTT.
import { momentsOf } from '#analysis/moments';
import type { Moments } from '#protocol/sampled';

export interface Ellipse {
  readonly x: number;
  readonly y: number;
  /** Half of the longer axis, and of the shorter. */
  readonly major: number;
  readonly minor: number;
  /** Of the longer axis from the x axis towards the y axis, radians, above -pi/2 and at most pi/2. */
  readonly angle: number;
  readonly n: number;
}

/** Points as they come, by any spacing; rows in which either is not known are left out. null: fewer than three points. */
export const covarianceEllipse = (xs: ArrayLike<number>, ys: ArrayLike<number>, share = 0.95): Ellipse | null =>
  ellipseOf(momentsOf(xs, ys), share);

/** The same of points of which only these sums are left. */
export function ellipseOf({ n, x, y, xx, yy, xy }: Moments, share = 0.95): Ellipse | null {
  if (!(share > 0 && share < 1)) throw new RangeError(`an ellipse cannot hold a share of ${share}`);
  if (n < 3) return null;
  const [a, b, c] = [xx / (n - 1), xy / (n - 1), yy / (n - 1)];
  const [middle, half] = [(a + c) / 2, Math.hypot((a - c) / 2, b)];
  // The chi-squared quantile of two degrees of freedom.
  const scale = -2 * Math.log(1 - share);
  const angle = Math.atan2(2 * b, a - c) / 2;
  return {
    x,
    y,
    major: Math.sqrt(scale * (middle + half)),
    // Their product is the determinant: a difference of two nearly equal numbers would be all rounding.
    minor: Math.sqrt(scale * Math.max(0, middle + half > 0 ? (a * c - b * b) / (middle + half) : 0)),
    angle: angle === -Math.PI / 2 ? Math.PI / 2 : angle,
    n,
  };
}

/** Points on it, to draw. */
export const outlineOf = ({ x, y, major, minor, angle }: Ellipse, points = 72): (readonly [x: number, y: number])[] =>
  Array.from({ length: points }, (_, i) => {
    const t = (2 * Math.PI * i) / points;
    const [u, v] = [major * Math.cos(t), minor * Math.sin(t)];
    return [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)];
  });
