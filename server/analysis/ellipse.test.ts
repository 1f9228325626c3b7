import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covarianceEllipse, outlineOf } from '#analysis/ellipse';
import { normal } from '#analysis/testing-series';

describe('the ellipse of points', () => {
  test('by hand: along the axes, and turned by an eighth', () => {
    // Variances 10 / 3 x 2 of ±1 … written out: x of -2 0 0 2 is 8 / 3, y of 0 1 -1 0 is 2 / 3, no covariance.
    const flat = covarianceEllipse([-2, 0, 0, 2], [0, 1, -1, 0], 1 - Math.exp(-0.5));
    // A share of 1 - e^(-1/2) is one deviation.
    expect(flat).toMatchObject({ x: 0, y: 0, angle: 0, n: 4 });
    expect(flat?.major).toBeCloseTo(Math.sqrt(8 / 3), 12);
    expect(flat?.minor).toBeCloseTo(Math.sqrt(2 / 3), 12);
    const line = covarianceEllipse([1, 2, 3], [11, 12, 13]);
    expect(line?.angle).toBeCloseTo(Math.PI / 4, 12);
    expect(line?.minor).toBeCloseTo(0, 12);
    const upright = covarianceEllipse([5, 5, 5], [1, 2, 3]);
    expect(upright?.angle).toBeCloseTo(Math.PI / 2, 12);
  });

  test('there is none of two points; what is not known is left out; a share is between 0 and 1', () => {
    expect(covarianceEllipse([1, 2], [1, 2])).toBeNull();
    expect(covarianceEllipse([1, 2, NaN, 3], [1, 3, 5, Infinity])).toBeNull();
    expect(covarianceEllipse([1, 2, NaN, 3], [1, 3, 5, 2])?.n).toBe(3);
    expect(() => covarianceEllipse([1, 2, 3], [1, 2, 3], 1)).toThrow(RangeError);
  });

  test('moves and grows with its points', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
      minLength: 3,
      maxLength: 30,
    });
    fc.assert(
      fc.property(points, (all) => {
        const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
        const own = covarianceEllipse(xs, ys);
        const moved = covarianceEllipse(
          xs.map((x) => 2 * x + 1e6),
          ys.map((y) => 2 * y - 1e6),
        );
        if (own === null || moved === null) throw new Error('three points have one');
        expect(moved.x).toBeCloseTo(2 * own.x + 1e6, 5);
        expect(moved.major).toBeCloseTo(2 * own.major, 5);
        expect(own.major).toBeGreaterThanOrEqual(own.minor);
        expect(Math.abs(own.angle)).toBeLessThanOrEqual(Math.PI / 2);
      }),
    );
  });

  test('holds its share of normal points, and its outline is where it says', () => {
    const draw = normal(3);
    const points = Array.from({ length: 20_000 }, () => {
      const [u, v] = [draw(), draw()];
      return [40 + 5 * u, 1000 + 60 * (0.8 * u + 0.6 * v)] as const;
    });
    for (const share of [0.5, 0.95]) {
      const ellipse = covarianceEllipse(
        points.map(([x]) => x),
        points.map(([, y]) => y),
        share,
      );
      if (ellipse === null) throw new Error('so many points have one');
      /** 1 on the ellipse. */
      const reach = ([x, y]: readonly [number, number]): number => {
        const [dx, dy] = [x - ellipse.x, y - ellipse.y];
        const [c, s] = [Math.cos(ellipse.angle), Math.sin(ellipse.angle)];
        return Math.hypot((dx * c + dy * s) / ellipse.major, (dy * c - dx * s) / ellipse.minor);
      };
      const within = points.filter((point) => reach(point) <= 1).length / points.length;
      expect(within).toBeGreaterThan(share - 0.01);
      expect(within).toBeLessThan(share + 0.01);
      for (const point of outlineOf(ellipse)) expect(reach(point)).toBeCloseTo(1, 9);
    }
  });
});
