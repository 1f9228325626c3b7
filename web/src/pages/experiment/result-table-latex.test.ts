import { describe, expect, it } from 'vitest';
import { resultsOf } from '#analysis/results';
import { tableOf } from '#analysis/table';
import { groupRows } from '#analysis/table-groups';
import { experimentOf, LISTING } from '#analysis/testing';
import { columnsOf } from './result-columns';
import { writeLines } from './result-lines';
import { resultTable } from './result-table-latex';

const record = experimentOf(
  ['base', 'rival'].flatMap((cca) =>
    [0, 1, 2].map((repetition) => ({
      cca,
      buffer: { bytes: 3000 },
      utilisation: 0.5 + repetition / 100,
      queueing_ms: 10,
      repetition,
    })),
  ),
);
const rows = tableOf(resultsOf(record, LISTING.ccas));
const columns = columnsOf(rows, false).filter(({ id }) => id === 'utilisation' || id === 'queueing_mean');

describe('the table of results for LaTeX', () => {
  it('has the columns that are shown with their units, and intervals', () => {
    const { lines, units } = writeLines(rows, null, columns);
    const table = resultTable({ lines, units, columns, axes: [], group: 'none' });
    expect(table.columns).toEqual(['Algorithm', 'Queue limit', 'Util., %', 'Queueing, ms', 'n']);
    expect(table.rows).toHaveLength(2);
    expect(table.rows[0]?.[2]).toMatch(/^51\.0 \(4\d\.\d–5\d\.\d\)$/);
    expect(table.rows[0]?.at(-1)).toBe(3);
  });

  it('has groups where the page has them', () => {
    const groups = groupRows(rows, 'limit', null, false);
    const { lines, units } = writeLines(rows, groups, columns);
    const table = resultTable({ lines, units, columns, axes: [], group: 'limit' });
    expect(table.rows.map(([first]) => first)).toEqual([rows[0]?.limit, rows[0]?.label, rows[1]?.label]);
    expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
  });
});
