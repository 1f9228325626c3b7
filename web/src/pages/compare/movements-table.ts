// What moved, as it is written in files.
import { ccaLabel } from '#analysis/cca-label';
import { bufferLabel } from '#analysis/limits';
import { metricUnit, shortMetric } from '#analysis/metric-text';
import { METRICS, type MetricId } from '#analysis/metrics';
import type { Movement } from '#analysis/regression';
import type { Cell, RunRole } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { WrittenTable } from '../../charts/save-table';
import type { Table } from '../../charts/types';
import { formatMeasured, NO_VALUE } from '../../ui/format';

const MINUS = '\u2212';
export const signedMetric = (id: MetricId, value: number): string =>
  `${value > 0 ? '+' : value < 0 ? MINUS : ''}${shortMetric(id, Math.abs(value))}`;

const ROLE: Record<RunRole, string> = { solo: '', self_pair: 'against itself', baseline_pair: 'against the baseline' };

export const cellText = (
  cell: Pick<Cell, 'trace_name'>,
  role: RunRole,
  { cca, limit }: { readonly cca: string; readonly limit: string },
): string => [cca, limit, cell.trace_name, ROLE[role]].filter((part) => part !== '').join(' · ');

export const movementsLatex = (moved: readonly Movement[], ccas: ReadonlyMap<string, CcaDescriptor>): WrittenTable => ({
  columns: ['Cell', 'Metric', 'Before', 'After', 'Difference', '%', 'In spreads'],
  rows: moved.map(({ cell, role, metric, before, after, difference, percent, spreads }) => [
    cellText(cell, role, {
      cca: ccaLabel(cell, ccas.get(cell.cca.id) ?? null),
      limit: bufferLabel(cell.buffer),
    }),
    `${METRICS[metric].label}, ${metricUnit(metric)}`,
    shortMetric(metric, before),
    shortMetric(metric, after),
    signedMetric(metric, difference),
    percent === null ? NO_VALUE : formatMeasured(percent),
    spreads === null || spreads === Infinity ? NO_VALUE : formatMeasured(spreads),
  ]),
});

export const movementsCsv = (all: readonly Movement[]): Table => ({
  columns: [
    'cell',
    'trace',
    'cca',
    'role',
    'metric',
    'unit',
    'before',
    'after',
    'difference',
    'difference_percent',
    'spread',
    'n_before',
    'n_after',
  ],
  rows: all.map(({ cell, role, metric, before, after, difference, percent, spread, n }) => [
    cell.key,
    cell.trace_name,
    cell.cca.id,
    role,
    metric,
    METRICS[metric].unit,
    before,
    after,
    difference,
    percent,
    spread,
    n[0],
    n[1],
  ]),
});
