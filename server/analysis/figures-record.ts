// What a cell gives, as the API and files tell it.
import type { CellResult } from '#analysis/results';
import type { Estimate } from '#analysis/statistics';
import { tableOf } from '#analysis/table';
import type { CellFiguresRecord } from '#protocol/figures';

const estimateRecord = (estimate: Estimate | null): CellFiguresRecord['intra'] => {
  if (estimate === null) return null;
  const { mean, low, high, sd, n } = estimate;
  return { mean, low, high, sd, n };
};

export function figuresRecord(result: CellResult): CellFiguresRecord {
  const { cell, excluded, left_out, running, planned, pending, figures } = result;
  const [row] = tableOf([result]);
  return {
    cell,
    n: figures.n,
    planned,
    pending,
    running,
    left_out,
    excluded: [...excluded],
    metrics: Object.fromEntries(Object.entries(figures.metrics).map(([id, value]) => [id, estimateRecord(value)])),
    intra: estimateRecord(row?.intra ?? null),
    inter: estimateRecord(row?.inter ?? null),
    delay_basis: figures.delay_basis,
    missing_k: { intra: [...figures.missing_k.intra], inter: [...figures.missing_k.inter] },
    scores: (row?.scores ?? null) as CellFiguresRecord['scores'],
    capacity: figures.capacity,
  };
}
