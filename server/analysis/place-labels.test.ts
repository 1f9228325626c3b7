import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptiestCorner, overlap, placeLabels, type Box } from '#analysis/place-labels';

const BOUNDS: Box = { x: 0, y: 0, width: 300, height: 200 };
const point = fc.record({
  x: fc.integer({ min: 0, max: 300 }),
  y: fc.integer({ min: 0, max: 200 }),
  r: fc.constant(8),
});
const marker = ({ x, y, r }: { x: number; y: number; r: number }): Box => ({
  x: x - r,
  y: y - r,
  width: 2 * r,
  height: 2 * r,
});

describe('label placement', () => {
  it('never covers a point or another label and never leaves the picture', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(point, { minLength: 1, maxLength: 4 }), fc.integer({ min: 20, max: 90 })), {
          maxLength: 10,
        }),
        (series) => {
          const obstacles = series.flatMap(([points]) => points.map(marker));
          const placed = placeLabels(
            series.map(([anchors, width], i) => ({ id: String(i), width, height: 14, anchors })),
            obstacles,
            BOUNDS,
          );
          placed.forEach(({ box }, i) => {
            for (const other of [...obstacles, ...placed.slice(i + 1).map((label) => label.box)])
              expect(overlap(box, other)).toBe(0);
            expect(box.x).toBeGreaterThanOrEqual(0);
            expect(box.y).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(300);
            expect(box.y + box.height).toBeLessThanOrEqual(200);
          });
        },
      ),
    );
  });

  it('prefers the right of the first point', () => {
    const [label] = placeLabels([{ id: 'a', width: 40, height: 14, anchors: [{ x: 100, y: 100, r: 8 }] }], [], BOUNDS);
    expect(label).toMatchObject({ box: { x: 112, y: 93 }, leader: false });
  });

  it('stands apart with a leader when the near places are taken', () => {
    const near: Box = { x: 70, y: 70, width: 60, height: 60 };
    const [label] = placeLabels(
      [{ id: 'a', width: 40, height: 14, anchors: [{ x: 100, y: 100, r: 8 }] }],
      [near],
      BOUNDS,
    );
    expect(label?.leader).toBe(true);
  });

  it('finds a corner without points, or none', () => {
    const size = { width: 100, height: 50 };
    const corners = ['bottom-left', 'bottom-right'] as const;
    expect(emptiestCorner(size, BOUNDS, [{ x: 10, y: 190, width: 5, height: 5 }], corners)).toMatchObject({
      x: 200,
      y: 150,
    });
    expect(emptiestCorner(size, BOUNDS, [BOUNDS], corners)).toBeNull();
  });
});
