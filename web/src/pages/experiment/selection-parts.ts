// The selected cells with their runs, in parts of a few runs, so that a list of many need not be whole in the page.
import type { RunRef } from '#protocol/api';
import type { TableRow } from '#analysis/table';

/** A cell has as many parts as its runs need, and at least one. */
export interface SelectionPart {
  readonly row: TableRow;
  /** Of the cell's runs the first that is here, from 0. */
  readonly first: number;
  readonly runs: readonly RunRef[];
}

const RUNS_A_PART = 24;

export const selectionParts = (
  rows: readonly TableRow[],
  byCell: ReadonlyMap<string, readonly RunRef[]>,
): SelectionPart[] =>
  rows.flatMap((row) => {
    const runs = byCell.get(row.key) ?? [];
    return Array.from({ length: Math.max(1, Math.ceil(runs.length / RUNS_A_PART)) }, (_, i) => ({
      row,
      first: i * RUNS_A_PART,
      runs: runs.slice(i * RUNS_A_PART, (i + 1) * RUNS_A_PART),
    }));
  });
