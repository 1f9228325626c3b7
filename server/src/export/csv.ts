// CSV as in RFC 4180: CRLF after every line, quotes only where they are needed. Unknown values are empty fields.

import { csvText } from '#analysis/csv-text';

export type CsvValue = string | number | boolean | null;

export function csvField(value: CsvValue): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return '';
  return typeof value === 'string' ? csvText(value) : String(value);
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvField).join(',')}\r\n`;

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The shortest decimal that is read back as the same 32-bit float: 0.1, where the value held is 0.100000001490116…. */
export function shortFloat(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  for (let digits = 7; digits < 9; digits++) {
    // An integer divided by an exact power of ten is the double nearest to that decimal.
    const scale = POWERS[digits - 1 - magnitude];
    const short = scale === undefined ? Number(value.toPrecision(digits)) : Math.round(value * scale) / scale;
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9)); // nine digits tell all 32-bit floats apart
}
