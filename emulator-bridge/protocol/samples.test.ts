import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSamples, FRAME_HEADER_BYTES } from '#protocol/frames';
import { encodeSamples, joinSamples, type SampleSlice } from '#protocol/samples';

/** Row r of column c is a value that names both. */
const valueAt = (row: number, column: number): number => row * 16 + column;

function slice(firstRow: number, rows: number, columns: number): SampleSlice {
  const time = Float64Array.from({ length: rows }, (_, i) => (firstRow + i) / 100);
  const values = Array.from({ length: columns }, (_, column) =>
    Float32Array.from({ length: rows }, (_, i) => valueAt(firstRow + i, column)),
  );
  return { firstRow, rows, payload: encodeSamples(0, firstRow, time, values).subarray(FRAME_HEADER_BYTES) };
}

/** Slices of the given sizes, one after the other. */
function cut(sizes: readonly number[], columns: number): SampleSlice[] {
  let next = 0;
  return sizes.map((rows) => {
    next += rows;
    return slice(next - rows, rows, columns);
  });
}

describe('joinSamples', () => {
  it('gives any range of rows from any cut, bit for bit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        fc.nat(),
        fc.nat(),
        (sizes, columns, a, b) => {
          const total = sizes.reduce((sum, rows) => sum + rows, 0);
          const from = Math.min(a % total, b % total);
          const to = Math.max(a % total, b % total) + 1;
          const block = decodeSamples(joinSamples(21, cut(sizes, columns), from, to));
          expect(block).toMatchObject({ stream: 21, firstRow: from, rows: to - from });
          expect(block.columns).toHaveLength(columns);
          for (let row = from; row < to; row++) {
            expect(block.time[row - from]).toBe(row / 100);
            for (let c = 0; c < columns; c++) expect(block.columns[c]?.[row - from]).toBe(valueAt(row, c));
          }
        },
      ),
    );
  });

  it('takes overlapping slices once', () => {
    const block = decodeSamples(joinSamples(1, [slice(0, 10, 1), slice(6, 10, 1)], 2, 16));
    expect([...(block.columns[0] ?? [])]).toEqual(Array.from({ length: 14 }, (_, i) => valueAt(i + 2, 0)));
  });

  it('refuses a gap, an end that is not there, and columns that change', () => {
    expect(() => joinSamples(1, [slice(0, 4, 1), slice(6, 4, 1)], 0, 10)).toThrow('missing from row 4');
    expect(() => joinSamples(1, [slice(0, 4, 1)], 0, 5)).toThrow('missing from row 4');
    expect(() => joinSamples(1, [slice(0, 4, 1), slice(4, 4, 2)], 0, 8)).toThrow('changes its columns at row 4');
    expect(() => joinSamples(1, [], 0, 1)).toThrow('no samples');
  });
});
