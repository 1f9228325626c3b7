import { describe, expect, it } from 'vitest';
import { mapScale, nearestStation, type Plan, pointAt, scaleBar, shadedWay, timeNear } from './plan';

/** Along a street and back, ten seconds each. */
const plan: Plan = {
  stations: [
    [0, 0],
    [100, 20],
  ],
  buildings: [[20, 5, 60, 15]],
  way: Array.from({ length: 21 }, (_, i): [number, number, number] => [i, i <= 10 ? i * 10 : (20 - i) * 10, 0]),
  blockers: [],
};

describe('the map of a plan', () => {
  it('holds everything, with the same metre in both directions', () => {
    const { x, y, scale, width, height } = mapScale(plan, 500);
    expect(x(100) - x(0)).toBeCloseTo(100 * scale);
    expect(y(0) - y(100)).toBeCloseTo(100 * scale);
    for (const [px, py] of plan.stations) {
      expect(x(px)).toBeGreaterThan(0);
      expect(x(px)).toBeLessThan(width);
      expect(y(py)).toBeGreaterThan(0);
      expect(y(py)).toBeLessThan(height);
    }
    expect(scaleBar({ x, y, scale, width, height })).toBe(20);
  });

  it('knows where the user is at a time, and when at a place', () => {
    expect(pointAt(plan, 3.2)).toEqual([3, 30, 0]);
    expect(pointAt(plan, 99)).toEqual([20, 0, 0]);
    expect(timeNear(plan, [31, 2], 1, 0)).toBe(3);
    expect(timeNear(plan, [31, 2], 1, 20)).toBe(17);
  });

  it('knows the nearest station', () => {
    expect(nearestStation(plan, 10, 0)).toEqual({ index: 0, metres: 10 });
    expect(nearestStation(plan, 100, 0)).toEqual({ index: 1, metres: 20 });
  });

  it('draws the way stronger where more gets through', () => {
    const lines = shadedWay(plan, mapScale(plan, 500), [0, 100], 3);
    expect(lines.map((line) => line.split('M').length - 1)).toEqual([10, 0, 10]);
  });
});
