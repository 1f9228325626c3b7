// Reads back what the exports wrote: one run's series as CSV or JSON.
import { z } from 'zod';
import type { TimeSeries } from '#analysis/live-comparison';
import { TIME_COLUMN } from '#protocol/columns';

export class SeriesUnreadable extends Error {
  override readonly name = 'SeriesUnreadable';
}

const JsonExport = z.object({
  format: z.literal('paceline.run'),
  columns: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.union([z.number(), z.string(), z.null()]))),
});

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/** Columns by name; throws SeriesUnreadable when it is neither form. */
export class ReadSeries {
  readonly #rows: Rows;
  constructor(text: string) {
    this.#rows = text.trimStart().startsWith('{') ? fromJson(text) : fromCsv(text);
    if (this.#rows.columns[0] !== TIME_COLUMN.name)
      throw new SeriesUnreadable('it does not begin with the column time_s, so it is no series of a run');
  }

  /** Null when there is no such column. */
  column(name: string): TimeSeries | null {
    const index = this.#rows.columns.indexOf(name);
    if (index < 0) return null;
    const { rows } = this.#rows;
    const numbers = (at: number): Float64Array =>
      Float64Array.from(rows, (row) => {
        const cell = row[at] ?? null;
        return cell === null || cell === '' ? Number.NaN : Number(cell);
      });
    return { time: numbers(0), values: numbers(index), rows: rows.length };
  }
}

function fromJson(text: string): Rows {
  try {
    const { columns, rows } = JsonExport.parse(JSON.parse(text));
    return { columns: columns.map(({ name }) => name), rows };
  } catch {
    throw new SeriesUnreadable('it is no JSON export of a run');
  }
}

function fromCsv(text: string): Rows {
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  return { columns: cells(header), rows: lines.map(cells) };
}

/** RFC 4180, without line breaks inside a cell: the exports write none. */
function cells(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const found: string[] = [];
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    found.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  return found;
}
