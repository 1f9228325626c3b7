import { describe, expect, it } from 'vitest';
import { groupBy, resultsOf } from '#analysis/results';
import { tableOf } from '#analysis/table';
import { experimentOf, LISTING } from '#analysis/testing';
import { selectionParts } from './selection-parts';

const record = experimentOf([
  ...Array.from({ length: 60 }, (_, repetition) => ({ cca: 'base', utilisation: 1, queueing_ms: 1, repetition })),
  { cca: 'rival', utilisation: 1, queueing_ms: 1 },
]);
const rows = tableOf(resultsOf(record, LISTING.ccas));
const byCell = groupBy(record.runs, (run) => run.cell);

describe('the parts of a selection', () => {
  it('hold every run of the chosen cells once, a few each', () => {
    const parts = selectionParts(rows, byCell);
    expect(parts.map(({ row, first, runs }) => [row.label, first, runs.length])).toEqual([
      ['BASE', 0, 24],
      ['BASE', 24, 24],
      ['BASE', 48, 12],
      ['RIVAL', 0, 1],
    ]);
    expect(parts.flatMap(({ runs }) => runs.map(({ id }) => id))).toEqual(
      rows.flatMap(({ key }) => (byCell.get(key) ?? []).map(({ id }) => id)),
    );
  });

  it('name a cell that has no runs yet', () => {
    expect(selectionParts(rows.slice(1), new Map())).toEqual([{ row: rows[1], first: 0, runs: [] }]);
  });
});
