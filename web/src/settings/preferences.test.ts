import { afterEach, describe, expect, it } from 'vitest';
import { formatCount, formatMeasured, formatRate, getWriting, PLAIN_WRITING, setWriting } from '#analysis/format';
import { alignDecimals, columnFormat, formatRates, rateUnit } from '#analysis/format';
import { tickFormat } from '#analysis/ticks';
import { yTicks } from '../charts/scales';
import { readPreferences, USUAL } from './preferences';

afterEach(() => setWriting(PLAIN_WRITING));
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('what was kept', () => {
  it('is read back', () => {
    const kept = { ...USUAL, decimal: 'comma', palette: 'red-green', notify: true } as const;
    expect(readPreferences(JSON.stringify(kept))).toEqual(kept);
  });

  it.each(['', 'null', '[1]', '"x"', '{"decimal":"semicolon","notify":"yes","palette":{}}', '{'])(
    'is as usual where it is not understood: %s',
    (text) => expect(readPreferences(text)).toEqual(USUAL),
  );

  it('keeps what is understood beside what is not', () => {
    expect(readPreferences('{"motion":"reduced","rates":"furlongs"}')).toEqual({ ...USUAL, motion: 'reduced' });
  });
});

describe('numbers', () => {
  it('are written plainly until somebody asks otherwise', () => expect(getWriting()).toEqual(PLAIN_WRITING));

  it('have the mark and the groups that were chosen', () => {
    setWriting({ decimal: 'comma', groups: 'space', rates: 'bits' });
    expect([23.06, 12_345, -0.5].map((value) => plain(formatMeasured(value)))).toEqual(['23,1', '12 300', '−0,500']);
    expect(formatMeasured(1.5e-9)).toBe('1,50×10⁻⁹');
    setWriting({ decimal: 'comma', groups: 'mark', rates: 'bits' });
    expect(formatCount(1_048_576)).toBe('1.048.576');
    setWriting({ decimal: 'point', groups: 'mark', rates: 'bits' });
    expect(formatCount(1_048_576)).toBe('1,048,576');
    setWriting({ decimal: 'point', groups: 'none', rates: 'bits' });
    expect(formatCount(1_048_576)).toBe('1048576');
  });

  it('line up on the mark', () => {
    setWriting({ decimal: 'comma', groups: 'mark', rates: 'bits' });
    const aligned = alignDecimals(['1.234', '23,1']);
    expect(aligned[0]?.length).toBe('1.234'.length + 2);
    expect(aligned[1]).toBe('23,1');
    expect(columnFormat([5, 0.000_01], 'number').write(0.000_01)).toBe('<0,001');
  });
});

describe('rates in bytes', () => {
  it('are an eighth of the bits, in every place where the number and its unit are written together', () => {
    setWriting({ ...PLAIN_WRITING, rates: 'bytes' });
    expect([0, 8, 0.08, 12_000].map((mbps) => plain(formatRate(mbps)))).toEqual([
      '0 MB/s',
      '1.00 MB/s',
      '10.0 kB/s',
      '1.50 GB/s',
    ]);
    expect(plain(formatRates(16, 672))).toBe('2.00 … 84.0 MB/s');
    expect(rateUnit()).toEqual({ factor: 8, unit: 'MB/s' });
  });

  it('have axes whose ticks are round in bytes', () => {
    setWriting({ ...PLAIN_WRITING, rates: 'bytes' });
    const values = yTicks([0, 80], 200, 'linear', 'Mbps');
    const { format, unit } = tickFormat(values, 'Mbps');
    expect([unit, ...values.map(format)]).toEqual(['MB/s', '0', '2', '4', '6', '8', '10']);
    expect(yTicks([0, 80], 200, 'linear', 'ms')).toEqual([0, 20, 40, 60, 80]);
  });
});
