// The table behind the frontier: one row per cell, every figure with its interval and the number of runs behind it.
import type { Cell } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { CellFigures, CellTerms } from '#analysis/figures';
import { METRICS } from '#analysis/metrics';
import type { MetricId } from '#analysis/metrics';
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/cca-label';
import { byLimit, ccaKey, isReference } from '#analysis/results';
import type { CellResult, ExcludedRun } from '#analysis/results';
import { SCENARIOS, scoreOf } from '#analysis/scores';
import type { Score, Scenario, Weights } from '#analysis/scores';
import { FEWEST_FOR_INTERVAL, estimate, intervalAround, standardDeviation } from '#analysis/statistics';
import type { Estimate, Interval } from '#analysis/statistics';

export interface RowScore {
  /** Score of the row's average terms. */
  readonly score: Score;
  /** 95 % interval from the scores of the single repetitions; null with fewer than three. */
  readonly interval: Interval | null;
}

export interface TableRow {
  readonly key: string;
  readonly cell: Cell;
  readonly cca: CcaDescriptor | null;
  readonly label: string;
  readonly limit: string;
  readonly reference: boolean;
  /** Runs behind the means, of those planned; `pending` have not ended. */
  readonly n: number;
  readonly planned: number;
  readonly pending: number;
  readonly excluded: readonly ExcludedRun[];
  readonly metrics: Readonly<Record<MetricId, Estimate | null>>;
  /** Jain’s index with itself and with the baseline; null: not measured. */
  readonly intra: Estimate | null;
  readonly inter: Estimate | null;
  /** What the delays stand on; null: there are none. */
  readonly delay_basis: CellFigures['delay_basis'];
  /** Of the ten windows those that a run behind them lacks. */
  readonly missing_k: CellFigures['missing_k'];
  /** By scenario id; null for references, which do not compete. */
  readonly scores: Readonly<Record<string, RowScore>> | null;
}

function rowScore({ average, single }: CellTerms, weights: Weights): RowScore {
  const score = scoreOf(average, weights);
  const values = single.flatMap((terms) => scoreOf(terms, weights).value ?? []);
  const sd = standardDeviation(values);
  const n = values.length;
  if (score.value === null || sd === null || n < FEWEST_FOR_INTERVAL) return { score, interval: null };
  // The score of the averages is not quite the average of the scores: the interval is around the former.
  return { score, interval: intervalAround(score.value, sd / Math.sqrt(n), n - 1, [0, 1]) };
}

function rowOf(result: CellResult, scenarios: readonly Scenario[]): TableRow {
  const { cell, cca, figures } = result;
  const { metrics, values, terms } = figures;
  const reference = isReference(result);
  return {
    key: cell.key,
    cell,
    cca,
    label: ccaLabel(cell, cca),
    limit: bufferLabel(cell.buffer),
    reference,
    n: figures.n,
    planned: result.planned,
    pending: result.pending,
    excluded: result.excluded,
    metrics,
    intra: estimate(values.intra, [0, 1]),
    inter: estimate(values.inter, [0, 1]),
    delay_basis: figures.delay_basis,
    missing_k: figures.missing_k,
    scores: reference
      ? null
      : Object.fromEntries(scenarios.map((scenario) => [scenario.id, rowScore(terms, scenario.weights)])),
  };
}

/** Rows in the order of the cells. */
export const tableOf = (results: readonly CellResult[], scenarios: readonly Scenario[] = SCENARIOS): TableRow[] =>
  results.map((result) => rowOf(result, scenarios));

export type SortColumn =
  'cca' | 'limit' | 'trace' | 'rtt' | 'sweep' | 'n' | 'intra' | 'inter' | MetricId | `score:${string}`;

const isMetric = (column: SortColumn): column is MetricId => column in METRICS;

/** Numbers as such, so that they sort; null: the sweep does not change the cell. */
export function sweptValue({ sweep }: Pick<Cell, 'sweep'>): number | string | null {
  const value = sweep?.value ?? null;
  return typeof value === 'boolean' ? String(value) : value;
}

/** What the column sorts a row by; null: it has none. */
export function sortValue(row: TableRow, column: SortColumn): number | string | null {
  if (column === 'cca') return row.label;
  if (column === 'trace') return row.cell.trace_name;
  if (column === 'rtt') return row.cell.base_rtt_ms;
  if (column === 'sweep') return sweptValue(row.cell);
  if (column === 'limit') return row.cell.limit_bytes ?? Infinity;
  if (column === 'n') return row.n;
  if (column === 'intra' || column === 'inter') return row[column]?.mean ?? null;
  if (isMetric(column)) return row.metrics[column]?.mean ?? null;
  return row.scores?.[column.slice('score:'.length)]?.score.value ?? null;
}

/** What has no value comes last in either direction. */
export function inOrder(x: number | string | null, y: number | string | null, descending: boolean): number {
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
  const order = typeof x === 'string' && typeof y === 'string' ? x.localeCompare(y, 'en') : x < y ? -1 : x > y ? 1 : 0;
  return descending ? -order : order;
}

/** Stable; rows without a value come last in either direction. */
export const sortRows = (rows: readonly TableRow[], column: SortColumn, descending = false): TableRow[] =>
  rows.toSorted(
    (a, b) =>
      inOrder(sortValue(a, column), sortValue(b, column), descending) ||
      ccaKey(a.cell).localeCompare(ccaKey(b.cell), 'en') ||
      byLimit(a.cell, b.cell),
  );
