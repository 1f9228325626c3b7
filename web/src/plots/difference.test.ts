import { describe, expect, it } from 'vitest';
import type { StreamData } from './data';
import { difference } from './difference';

const stream = (rows: readonly (readonly [time: number, value: number])[]): StreamData => ({
  info: {} as StreamData['info'],
  rows: rows.length,
  time: Float64Array.from(rows, ([time]) => time),
  column: (name) => (name === 'v' ? Float32Array.from(rows, ([, value]) => value) : undefined),
});
const every = (period: number, values: readonly number[]): StreamData =>
  stream(values.map((value, i) => [(i + 1) * period, value]));

const rowsOf = (a: StreamData, b: StreamData, windowMs: number): (readonly [number, number | null])[] => {
  const { x, y, length } = difference(a, b, 'v', windowMs);
  return Array.from({ length }, (_, i) => [
    Number((x[i] ?? 0).toFixed(6)),
    Number.isNaN(y[i]) ? null : Number((y[i] ?? 0).toFixed(4)),
  ]);
};

describe('a series less another one', () => {
  it('is taken by windows that both have', () => {
    const rows = rowsOf(every(0.01, [1, 3, 5, 7]), every(0.02, [10, 20]), 20);
    expect(rows).toEqual([
      [0.02, 2 - 10],
      [0.04, 6 - 20],
    ]);
  });

  it('has a gap where either is not known, and ends where one of them does', () => {
    const rows = rowsOf(every(0.1, [1, NaN, 3, 4, 5]), every(0.1, [1, 1, 1, NaN]), 100);
    expect(rows).toEqual([
      [0.1, 0],
      [0.2, null],
      [0.3, 2],
    ]);
  });

  it('is broken where neither was measured', () => {
    const both = stream([
      [0.1, 1],
      [0.5, 4],
    ]);
    const rows = rowsOf(
      both,
      stream([
        [0.1, 0],
        [0.5, 0],
      ]),
      100,
    );
    expect(rows).toEqual([
      [0.1, 1],
      [0.2, null],
      [0.5, 4],
    ]);
  });

  it('is the same series whenever it is asked for', () => {
    const [a, b] = [every(0.1, [1]), every(0.1, [2])];
    expect(difference(a, b, 'v', 100)).toBe(difference(a, b, 'v', 100));
    expect(difference(b, a, 'v', 100)).not.toBe(difference(a, b, 'v', 100));
  });
});
