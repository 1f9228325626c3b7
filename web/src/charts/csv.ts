// Tables as CSV (RFC 4180): a header, numbers with as many digits as they have, empty cells for what is not known.
import { csvText } from '#analysis/csv-text';
import type { Table } from './types';

/** The shortest decimal that gives the same 32-bit float: samples are f32, and 0.1 must not become 0.10000000149011612. */
export function shortest(value: number): string {
  if (!Number.isFinite(value)) return '';
  const single = Math.fround(value);
  if (single !== value) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === single) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return shortest(value);
  return csvText(value);
}

export function toCsv(table: Table): string {
  const lines = [table.columns.map(cell).join(',')];
  for (const row of table.rows) lines.push(row.map(cell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}
