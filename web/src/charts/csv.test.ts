import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortest, toCsv } from './csv';

describe('CSV', () => {
  it('quotes what needs it and leaves unknown cells empty', () => {
    const rows = [
      ['Cubic, 5 BDP', 1.5, null],
      ['say "hi"', 2, NaN],
    ];
    expect(toCsv({ columns: ['cca', 'rate_mbps', 'delay_ms'], rows })).toBe(
      'cca,rate_mbps,delay_ms\r\n"Cubic, 5 BDP",1.5,\r\n"say ""hi""",2,\r\n',
    );
  });

  it('has no formulas, and its numbers stay numbers', () => {
    const rows = [['=cmd|x', -3.2, '-3.2']];
    expect(toCsv({ columns: ['@name', 'a', 'b'], rows })).toBe("'@name,a,b\r\n'=cmd|x,-3.2,-3.2\r\n");
  });

  it('writes samples short and without loss', () => {
    expect(shortest(Math.fround(0.1))).toBe('0.1');
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        (value) => Math.fround(Number(shortest(value))) === value,
      ),
    );
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => Object.is(Number(shortest(value)), value === 0 ? 0 : value) || Math.fround(value) === value,
      ),
    );
  });
});
