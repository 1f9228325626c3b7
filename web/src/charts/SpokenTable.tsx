// The rows behind a figure for people who cannot see it.
import { useDeferredValue } from 'react';
import type { Table } from './types';
import { formatMeasured } from '../ui/format';

/** More rows than this nobody listens to; the CSV has them all. */
const MOST_ROWS = 100;

export function SpokenTable({ caption, table }: { readonly caption: string; readonly table: () => Table }) {
  // After what is seen: it can be more elements than the figure itself.
  const now = useDeferredValue(true, false);
  return now ? <Rows caption={caption} table={table} /> : null;
}

function Rows({ caption, table }: { readonly caption: string; readonly table: () => Table }) {
  const { columns, rows } = table();
  const some: (readonly (string | number | null)[])[] = [];
  for (const row of rows) {
    if (some.length === MOST_ROWS) break;
    some.push(row);
  }
  return (
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column.replaceAll('_', ' ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {some.map((row, i) => (
            <tr key={i}>
              {row.map((value, j) => (
                <td key={columns[j]}>
                  {value === null ? 'not measured' : typeof value === 'number' ? formatMeasured(value) : value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
