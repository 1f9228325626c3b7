// What the grid of cells shows of one: its state, and the value of a metric.
import type { MetricId } from '#analysis/metrics';
import type { CellBrief } from '#analysis/results';
import type { Cell } from '#protocol/api';

export type CellState = 'queued' | 'running' | 'done' | 'failed';

export interface GridCell {
  readonly cell: Cell;
  readonly state: CellState;
  /** null: nothing measured. */
  readonly value: number | null;
  /** Mean over the part of the trace that ran; null: not known. */
  readonly capacity_mbps: number | null;
  /** Runs that count, and how many were planned. */
  readonly done: number;
  readonly planned: number;
  readonly excluded: number;
  readonly reason: string | null;
}

function stateOf({ planned, pending, figures, left_out, running }: CellBrief): CellState {
  if (running) return 'running';
  if (pending === planned && planned > 0) return 'queued';
  if (figures.n > 0) return pending > 0 ? 'running' : 'done';
  return left_out > 0 ? 'failed' : 'queued';
}

export const gridCell = (result: CellBrief, metric: MetricId): GridCell => ({
  cell: result.cell,
  state: stateOf(result),
  value: result.figures.metrics[metric]?.mean ?? null,
  capacity_mbps: result.figures.capacity.n === 0 ? null : result.figures.capacity.sum / result.figures.capacity.n,
  done: result.figures.n,
  planned: result.planned,
  excluded: result.left_out,
  reason: result.excluded[0]?.reason ?? null,
});
