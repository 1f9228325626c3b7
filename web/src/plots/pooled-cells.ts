// Cells with what their runs' samples come to, in groups of one condition each: algorithms are compared within it.
import { bufferLabel } from '#analysis/limits';
import { ccaKey, conditionKey, groupBy, isReference } from '#analysis/results';
import type { Cell } from '#protocol/api';
import type { CellSampled } from '#protocol/sampled';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults, type CcaSeries } from './experiment-series';
import { plural } from '../ui/format';
import { facetTitle } from '#analysis/facet-title';

export interface PooledCell {
  readonly cell: Cell;
  readonly series: CcaSeries;
  readonly sampled: CellSampled;
}

export interface Condition {
  readonly key: string;
  readonly title: string;
  readonly cells: readonly PooledCell[];
}

/** More small pictures than this are no longer looked at: whoever wants others selects their cells. */
export const MOST_CONDITIONS = 6;

/** Of the selected cells where some are selected; references, which are no algorithms, are left out. */
export function pooledCells(data: ExperimentPlotData, theme: Theme): PooledCell[] {
  const series = ccaSeries(data, theme);
  const sampled = new Map((data.sampled ?? []).map((one) => [one.key, one]));
  return cellResults(data).flatMap((result): PooledCell[] => {
    const { cell } = result;
    const [own, of] = [series.get(ccaKey(cell)), sampled.get(cell.key)];
    const chosen = data.selected.size === 0 || data.selected.has(cell.key);
    return own === undefined || of === undefined || !chosen || isReference(result)
      ? []
      : [{ cell, series: own, sampled: of }];
  });
}

export function conditionsOf(cells: readonly PooledCell[]): Condition[] {
  const groups = [...groupBy(cells, ({ cell }) => conditionKey(cell))];
  const all = cells.map(({ cell }) => cell);
  const limits = new Set(all.map(({ buffer }) => bufferLabel(buffer)));
  return groups.flatMap(([key, own]): Condition[] => {
    const [first] = own;
    if (first === undefined) return [];
    const limit = limits.size > 1 ? ` · ${bufferLabel(first.cell.buffer)}` : '';
    return [{ key, title: `${facetTitle(first.cell, all)}${limit}`, cells: own }];
  });
}

/** What the reader has to know: how many runs, and of which cells. */
export function whichRuns({ selected }: Pick<ExperimentPlotData, 'selected'>, cells: readonly PooledCell[]): string {
  const runs = cells.reduce((total, { sampled }) => total + sampled.told, 0);
  const missing = cells.reduce((total, { sampled }) => total + sampled.runs - sampled.told, 0);
  const lost = missing === 0 ? '' : `, without ${missing} whose samples are not there`;
  return `${runs === 1 ? 'one run' : plural(runs, 'run')} of ${selected.size === 0 ? 'all cells' : 'the selected cells'}${lost}`;
}

/** Of the conditions that are not drawn. */
export const leftOut = (conditions: readonly Condition[]): string | null =>
  conditions.length <= MOST_CONDITIONS
    ? null
    : `${conditions.length - MOST_CONDITIONS} more conditions are in the CSV: select cells to see theirs.`;
