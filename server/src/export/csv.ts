// CSV as in RFC 4180: CRLF after every line, quotes only where they are needed. Unknown values are empty fields.

export type CsvValue = string | number | boolean | null;

const NEEDS_QUOTES = /[",\r\n]/;

export function csvField(value: CsvValue): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return '';
  const text = String(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvField).join(',')}\r\n`;

/** The shortest decimal that is read back as the same 32-bit float: 0.1, where the value held is 0.100000001490116…. */
export function shortFloat(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9)); // nine digits tell all 32-bit floats apart
}
