import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, shortFloat } from './csv.ts';
import { parseCsv } from './testing.ts';

describe('CSV', () => {
  test('quotes as RFC 4180 says, and only where it must', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 1.5, true, null, Number.NaN, ''])).toBe(
      'a,"b,c","say ""hi""","two\nlines",1.5,true,,,\r\n',
    );
  });

  test('any text is read back', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 })), (rows) => {
        const read = parseCsv(rows.map(csvLine).join(''));
        // What looks like a formula has an apostrophe before it.
        expect(
          read.map((row, r) => row.map((cell, c) => (cell === `'${rows[r]?.[c] ?? ''}` ? cell.slice(1) : cell))),
        ).toEqual(rows);
      }),
    );
  });
});

describe('short float', () => {
  test('gives the decimal that was meant', () => {
    expect([0.1, 12.3, 1e-7, 16777216, 1 / 3].map((v) => shortFloat(Math.fround(v)))).toEqual([
      0.1, 12.3, 1e-7, 16777216, 0.33333334,
    ]);
  });

  test('loses nothing', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        expect(Math.fround(shortFloat(value))).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });
});
