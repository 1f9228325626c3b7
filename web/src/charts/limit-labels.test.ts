import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeLimitLabels } from './limit-labels';
import { overlap } from '#analysis/place-labels';
import type { LimitSpec } from './types';

const layout = { left: 50, top: 18, plotWidth: 400, plotHeight: 120 };
const limit = (value: number, label = `limit ${value}`): LimitSpec => ({ id: label, label, value, colour: '#a00' });
const place = (...limits: LimitSpec[]) =>
  placeLimitLabels(
    limits,
    (value) => value,
    layout,
    (text) => text.length * 6,
  );

describe('the names of limits', () => {
  it('stand above their lines, and below where there is no room', () => {
    expect(place(limit(80))).toMatchObject([{ x: 56, y: 76 }]);
    expect(place(limit(20))).toMatchObject([{ x: 56, y: 32 }]);
  });

  it('that would cover one another stand on the other side of the line, or beside', () => {
    const [a, b, c] = place(limit(80), limit(82), limit(84));
    expect([a?.y, b?.y]).toEqual([76, 94]);
    expect(c?.x).toBeGreaterThan(56 + 'limit 80'.length * 6);
  });

  it('never cover one another, wherever the limits are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 18, max: 138 }), { maxLength: 12 }), (values) => {
        const boxes = place(...values.map((value) => limit(value))).map(({ limit: { label }, x, y }) => ({
          ...{ x, y: y - 10, height: 13 },
          width: label.length * 6,
        }));
        boxes.forEach((box, i) => boxes.slice(i + 1).forEach((other) => expect(overlap(box, other)).toBe(0)));
        if (values.length > 0) expect(boxes.length).toBeGreaterThan(0);
      }),
    );
  });
});
