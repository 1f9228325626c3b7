import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignDecimals,
  columnFormat,
  formatBytes,
  formatChosen,
  formatCount,
  formatDelay,
  formatDuration,
  formatEstimate,
  formatMeasured,
  formatPercent,
  formatRate,
  formatRates,
  formatSpread,
  formatTimes,
  formatWhen,
  plural,
} from '#analysis/format';

/** Typographic spaces as plain ones, so that expectations can be read. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/\u2212/g, '-');

describe('numbers', () => {
  it('writes three significant digits and keeps measured zeros', () => {
    expect([184.4, 23.06, 1.2, 0.12, 1234, 93_149, 999.6, 20].map(formatNumber)).toEqual([
      '184',
      '23.1',
      '1.20',
      '0.120',
      '1 230',
      '93 100',
      '1 000',
      '20.0',
    ]);
  });

  it('shows a dash where nothing was measured, never NaN', () => {
    expect([null, undefined, Number.NaN, Infinity].map((v) => formatMeasured(v))).toEqual(['–', '–', '–', '–']);
    expect(formatRate(null)).toBe('–');
    expect(formatPercent(undefined)).toBe('–');
  });

  it('has no minus before zero and a real minus elsewhere', () => {
    expect(formatMeasured(-0)).toBe('0');
    expect(formatMeasured(-3.14159)).toBe('\u22123.14');
  });

  it('stays within half a unit of the third digit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-5, max: 1e9, noNaN: true }), (value) => {
        const read = Number(formatMeasured(value).replace(/\u202f/g, ''));
        expect(Math.abs(read - value)).toBeLessThanOrEqual(value * 0.00501);
      }),
    );
  });

  it('writes chosen numbers as they were chosen', () => {
    expect([20, 0.5, 1000, 0.1 + 0.2].map((v) => plain(formatChosen(v)))).toEqual(['20', '0.5', '1 000', '0.3']);
  });

  it('counts exactly', () => {
    expect(plain(formatCount(1_048_576))).toBe('1 048 576');
    expect(plural(1, 'run')).toBe('1 run');
    expect(plural(160, 'run')).toBe('160 runs');
  });
});

const formatNumber = (value: number): string => plain(formatMeasured(value));

describe('units', () => {
  it('takes the SI prefix that leaves one to three digits', () => {
    expect(plain(formatRates(16, 672))).toBe('16.0 … 672 Mbps');
    expect(plain(formatRates(0.02, 31))).toBe('20.0 kbps … 31.0 Mbps');
    expect(plain(formatRates(null, null))).toBe('– … –');
    expect([0.0000005, 0.512, 184.2, 999.6, 1500].map((v) => plain(formatRate(v)))).toEqual([
      '0.500 bps',
      '512 kbps',
      '184 Mbps',
      '1.00 Gbps',
      '1.50 Gbps',
    ]);
    expect([0, 1500, 129_000, 2.5e9].map((v) => plain(formatBytes(v)))).toEqual([
      '0 B',
      '1.50 kB',
      '129 kB',
      '2.50 GB',
    ]);
    expect([0, 0.02, 23.06, 1500].map((v) => plain(formatDelay(v)))).toEqual(['0 ms', '20.0 µs', '23.1 ms', '1.50 s']);
  });

  it('writes shares and multiples', () => {
    expect(plain(formatPercent(0.9312))).toBe('93.1 %');
    expect(plain(formatPercent(0))).toBe('0 %');
    expect(formatTimes(3.4)).toBe('×3.40');
  });

  it('writes durations in at most two parts', () => {
    expect([0.25, 9.94, 25, 119, 125, 3600, 12_000, 86_400 * 2].map((v) => plain(formatDuration(v)))).toEqual([
      '0.25 s',
      '9.9 s',
      '25 s',
      '119 s',
      '2 min 5 s',
      '1 h',
      '3 h 20 min',
      '2 d',
    ]);
  });

  it('carries seconds into minutes when rounding', () => {
    expect(plain(formatDuration(3599.7))).toBe('1 h');
  });

  it('says how long something may take', () => {
    expect(
      [formatEstimate(0.2, 0.4), formatEstimate(20, 25), formatEstimate(20, 40), formatEstimate(50, 150)].map(plain),
    ).toEqual(['under a second', 'about 25 s', '20–40 s', '50 s to 2 min 30 s']);
  });

  it('says when something happened', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    expect(
      ['2026-11-20T11:59:50Z', '2026-11-20T11:55:00Z', '2026-11-20T09:00:00Z', '2026-11-01T12:00:00Z', 'x'].map((t) =>
        plain(formatWhen(t, now)),
      ),
    ).toEqual(['just now', '5 min ago', '3 h ago', '1 Nov 2026', '–']);
  });
});

describe('what lies around a mean', () => {
  const estimate = (values: readonly number[], low: number | null = null, high: number | null = null) =>
    formatSpread({ mean: values.reduce((a, b) => a + b, 0) / values.length, low, high, values });

  it('is its interval, which need not lie evenly around it', () => {
    expect(estimate([30, 40, 50], 28.11, 61.04)).toBe('28.1\u202f…\u202f61.0');
    expect(formatSpread({ mean: 0.5, low: 0.4, high: 0.7 })).toBe('0.400\u202f…\u202f0.700');
  });

  it('is the two runs themselves where they are all there is, and nothing beside one', () => {
    expect(estimate([1300, 3320])).toBe('1\u202f300, 3\u202f320');
    expect(estimate([1300])).toBe('');
    expect(estimate([5, 5, 5], 5, 5)).toBe('');
  });
});

describe('alignDecimals', () => {
  it('puts every decimal point at the same distance from the right edge', () => {
    const aligned = alignDecimals(['184', '23.1', '1.23', '–']);
    expect(aligned.slice(0, 3).map((cell) => cell.length - cell.search(/[.\u2008]/))).toEqual([3, 3, 3]);
    expect(aligned[3]).toBe('–');
  });

  it('leaves whole numbers alone', () => {
    expect(alignDecimals(['1', '20'])).toEqual(['1', '20']);
  });
});

describe('a column of numbers', () => {
  const column = (values: readonly number[], quantity: Parameters<typeof columnFormat>[1]): string[] => {
    const { unit, write } = columnFormat(values, quantity);
    return [unit, ...values.map((value) => plain(write(value)))];
  };

  it('is in the unit that suits its greatest', () => {
    expect(column([0.93, 0.5, 0.0641], 'share')).toEqual(['%', '93.0', '50.0', '6.41']);
    expect(column([5.56e-6, 8.7e-8], 'share')).toEqual(['ppm', '5.56', '0.087']);
    expect(column([0.04, 0.0123], 'delay_ms')).toEqual(['µs', '40.0', '12.3']);
    expect(column([120_000, 3400], 'delay_ms')).toEqual(['s', '120', '3.4']);
    expect(column([23.4, 1.5], 'delay_ms')).toEqual(['ms', '23.4', '1.50']);
    expect(column([0, 0], 'share')).toEqual(['%', '0', '0']);
  });

  it('does not write out what is nothing beside the others', () => {
    expect(column([0.0206, 0.00000556, 0], 'share')).toEqual(['%', '2.06', '0.001', '0']);
    expect(column([0.0206, 0.000000087], 'share')).toEqual(['%', '2.06', '<0.001']);
  });

  it('never has an exponent or more than three significant digits', () => {
    const value = fc.double({ min: 1e-12, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('share', 'delay_ms', 'number'),
        (values, quantity) => {
          const { write } = columnFormat(values, quantity);
          for (const written of values.map(write)) {
            expect(written).not.toMatch(/e|10⁻/);
            const digits = written.replace(/[^0-9]/g, '').replace(/^0+/, '');
            expect(written.includes('.') ? digits.length : 0).toBeLessThanOrEqual(3);
          }
        },
      ),
    );
  });
});
