import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookSlots } from './trace-looks';

const id = fc.integer({ min: 0, max: 0xffffff }).map((n) => n.toString(16).padStart(6, '0').padEnd(64, '0'));

describe('the looks of traces', () => {
  it('are all different up to six', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 6 }), (ids) => {
        expect(new Set(lookSlots(ids)).size).toBe(ids.length);
      }),
    );
  });

  it('stay when traces are added behind, and when one goes that had nobody’s place', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), (ids) => {
        expect(lookSlots(ids).slice(0, -1)).toEqual(lookSlots(ids.slice(0, -1)));
      }),
    );
    expect(lookSlots(['000001', '000002'])).toEqual([1, 2]);
    expect(lookSlots(['000002'])).toEqual([2]);
    expect(lookSlots(['000002', '000008'])).toEqual([2, 3]);
  });
});
