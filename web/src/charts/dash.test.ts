import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dashed, dashedBars } from './dash';
import { Recorder } from './testing';

function draw(points: [number, number][], pattern: number[]): [number, number][][] {
  const recorder = new Recorder();
  const pen = dashed(recorder, pattern);
  points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  return recorder.lines;
}

describe('dashes by position', () => {
  it('cover exactly the "on" stretches of a level line', () => {
    expect(
      draw(
        [
          [0, 5],
          [20, 5],
        ],
        [6, 4],
      ),
    ).toEqual([
      [
        [0, 5],
        [6, 5],
      ],
      [
        [10, 5],
        [16, 5],
      ],
    ]);
  });

  it('do not depend on where a line is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 25 }),
        (steps, start) => {
          const on = (lines: [number, number][][]): number =>
            lines.reduce((sum, line) => sum + line.at(-1)![0] - line[0]![0], 0);
          let x = start;
          const points: [number, number][] = [[start, 0], ...steps.map((step): [number, number] => [(x += step), 0])];
          expect(on(draw(points, [7, 3, 2, 3]))).toBeCloseTo(on(draw([points[0]!, points.at(-1)!], [7, 3, 2, 3])), 6);
        },
      ),
    );
  });

  it('let through the bars of a crowded line that lie in an "on" stretch', () => {
    const drawn: number[] = [];
    const bar = dashedBars((x) => void drawn.push(x), [3, 2]);
    for (let x = 0; x < 10; x++) bar(x, 0, 1, 1);
    expect(drawn).toEqual([0, 1, 2, 5, 6, 7]);
  });

  it('leave solid lines alone', () => {
    expect(
      draw(
        [
          [0, 0],
          [9, 9],
        ],
        [],
      ),
    ).toEqual([
      [
        [0, 0],
        [9, 9],
      ],
    ]);
  });

  it('draw what is upright only where the pen is down', () => {
    expect(
      draw(
        [
          [2, 0],
          [2, 9],
        ],
        [6, 4],
      ),
    ).toEqual([
      [
        [2, 0],
        [2, 9],
      ],
    ]);
    expect(
      draw(
        [
          [7, 0],
          [7, 9],
        ],
        [6, 4],
      ),
    ).toEqual([]);
  });
});
