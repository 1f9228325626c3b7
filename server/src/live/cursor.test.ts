import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamCursor } from './cursor.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('grow' as const), rows: fc.integer({ min: 1, max: 3000 }) }),
  fc.record({ kind: fc.constant('take' as const), rows: fc.integer({ min: 1, max: 1000 }) }),
  fc.record({ kind: fc.constant('skip' as const), rows: fc.constant(0) }),
);

describe('StreamCursor', () => {
  it('gives every row exactly once, whatever grows and is skipped', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 50 }), (steps, from) => {
        const cursor = new StreamCursor(from);
        const given: number[] = [];
        let head = from;
        const take = (most: number): boolean => {
          const rows = cursor.take(head, most);
          for (let row = rows?.from ?? 0; row < (rows?.to ?? 0); row++) given.push(row);
          return rows !== null;
        };
        for (const { kind, rows } of steps) {
          if (kind === 'grow') head += rows;
          else if (kind === 'take') take(rows);
          else cursor.skipTo(head);
        }
        while (take(777));
        expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: head - from }, (_, i) => from + i));
      }),
      { numRuns: 60 },
    );
  });

  it('gives the newest first after a skip, and the gap when nothing is newer', () => {
    const cursor = new StreamCursor(0);
    cursor.skipTo(2000);
    expect(cursor.take(2000, 10_000)).toEqual({ from: 1488, to: 2000 });
    expect(cursor.take(2100, 10_000)).toEqual({ from: 2000, to: 2100 });
    expect(cursor.take(2100, 1000)).toEqual({ from: 0, to: 1000 });
    expect(cursor.take(2100, 1000)).toEqual({ from: 1000, to: 1488 });
    expect(cursor.take(2100, 1000)).toBeNull();
  });

  it('stays in order without a skip', () => {
    const cursor = new StreamCursor(5);
    expect(cursor.take(20, 10)).toEqual({ from: 5, to: 15 });
    expect(cursor.take(20, 10)).toEqual({ from: 15, to: 20 });
    expect(cursor.take(20, 10)).toBeNull();
  });
});
