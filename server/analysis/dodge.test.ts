import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dodge } from '#analysis/dodge';
import { overlap, type Box } from '#analysis/place-labels';

const FRAME: Box = { x: 40, y: 20, width: 540, height: 380 };
const MARK: Box = { x: -9.5, y: -9.5, width: 19, height: 19 };
const CAPSULE: Box = { x: -9.5, y: -9.5, width: 80, height: 19 };
const mark = fc.record({
  x: fc.double({ min: 40, max: 580, noNaN: true }),
  y: fc.double({ min: 20, max: 400, noNaN: true }),
  box: fc.constantFrom(MARK, MARK, CAPSULE),
});

describe('marks that would cover each other', () => {
  it('are apart, and inside the frame, wherever forty of them belong', () => {
    fc.assert(
      fc.property(fc.array(mark, { minLength: 1, maxLength: 40 }), fc.boolean(), (marks, heaped) => {
        const asked = heaped ? marks.map((one) => ({ ...one, x: 300, y: 200 })) : marks;
        const boxes = dodge(asked, FRAME).map(({ x, y }, i): Box => {
          const { box } = asked[i]!;
          return { ...box, x: x + box.x, y: y + box.y };
        });
        for (const [i, box] of boxes.entries()) {
          for (const other of boxes.slice(i + 1)) expect(overlap(box, other)).toBeLessThan(1e-6);
          expect(box.x).toBeGreaterThanOrEqual(40 - 1e-9);
          expect(box.y + box.height).toBeLessThanOrEqual(400 + 1e-9);
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('stay where they belong when nothing is in the way, and are the same every time', () => {
    const free = [
      { x: 100, y: 100, box: MARK },
      { x: 130, y: 100, box: MARK },
    ];
    expect(dodge(free, FRAME)).toEqual([
      { x: 100, y: 100 },
      { x: 130, y: 100 },
    ]);
    const heap = Array.from({ length: 12 }, () => ({ x: 300, y: 200, box: CAPSULE }));
    expect(dodge(heap, FRAME)).toEqual(dodge(heap, FRAME));
  });
});
