// The matrix: one small table per link, algorithms down, queue limits across. A cell shows its state, then one figure.
import { useMemo } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import { METRICS, METRIC_IDS, type MetricId } from '#analysis/metrics';
import { facetKey, groupBy } from '#analysis/results';
import type { TableRow } from '#analysis/table';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/fields';
import { formatDelay, formatMeasured, formatPercent, formatRate } from '../../ui/format';
import { RunList } from './RunList';
import menu from '../../ui/menu.module.css';
import css from './experiment.module.css';

interface CellGridProps {
  readonly record: ExperimentRecord;
  readonly rows: readonly TableRow[];
  readonly metric: MetricId;
  readonly selected: ReadonlySet<string>;
}

function formatMetric(id: MetricId, value: number): string {
  const unit: string = METRICS[id].unit;
  if (unit === '') return formatPercent(value);
  if (unit === 'Mbps') return formatRate(value);
  if (unit === 'ms') return formatDelay(value);
  return unit.startsWith('×') ? `×${formatMeasured(value)}` : `${formatMeasured(value)} ${unit}`;
}

export function MetricSelect({
  metric,
  onMetric,
}: {
  readonly metric: MetricId;
  readonly onMetric: (metric: MetricId) => void;
}) {
  return (
    <Select
      label="Figure in the cells"
      hideLabel
      value={metric}
      options={METRIC_IDS.map((id) => ({ id, label: METRICS[id].label }))}
      onChange={onMetric}
    />
  );
}

export function CellGrid({ record, rows, metric, selected }: CellGridProps) {
  const runs = useMemo(() => groupBy(record.runs, (run) => run.cell), [record.runs]);
  const facets = useMemo(() => [...groupBy(rows, (row) => facetKey(row.cell)).values()], [rows]);
  const means = rows.flatMap((row) => row.metrics[metric]?.mean ?? []);
  const scale = { low: Math.min(...means), high: Math.max(...means) };
  return (
    <div className={css['grids']}>
      {facets.map((facet) => {
        const limits = [...new Set(facet.map((row) => row.limit))];
        const algorithms = [...groupBy(facet, (row) => row.label)];
        const first = facet[0];
        return first === undefined ? null : (
          <div key={facetKey(first.cell)} className={css['grid']}>
            <table>
              <caption>{facetName(first, rows)}</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="visually-hidden">Algorithm</span>
                  </th>
                  {limits.map((limit) => (
                    <th key={limit} scope="col">
                      {limit}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {algorithms.map(([label, own]) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    {limits.map((limit) => {
                      const row = own.find((candidate) => candidate.limit === limit);
                      return (
                        <td key={limit}>
                          {row === undefined ? null : (
                            <GridCell
                              row={row}
                              runs={runs.get(row.key) ?? []}
                              metric={metric}
                              scale={scale}
                              selected={selected.has(row.key)}
                              durationS={record.spec.duration_s}
                            />
                          )}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      })}
    </div>
  );
}

/** The trace, and whatever else differs between the small tables. */
function facetName({ cell }: TableRow, rows: readonly TableRow[]): string {
  const differs = (read: (row: TableRow) => unknown): boolean => new Set(rows.map(read)).size > 1;
  return [
    cell.trace_name,
    differs((row) => row.cell.base_rtt_ms) ? `${cell.base_rtt_ms} ms` : null,
    differs((row) => row.cell.queue.id) ? cell.queue.id : null,
    differs((row) => row.cell.loss) ? `${cell.loss * 100} % loss` : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

type CellState = 'queued' | 'running' | 'failed' | 'cancelled' | 'done';

function stateOf(runs: readonly RunRef[]): CellState {
  if (runs.some((run) => run.state === 'running')) return 'running';
  if (runs.some((run) => run.state === 'failed')) return 'failed';
  if (runs.some((run) => run.state === 'queued'))
    return runs.every((run) => run.state === 'queued') ? 'queued' : 'running';
  return runs.length > 0 && runs.every((run) => run.state === 'cancelled') ? 'cancelled' : 'done';
}

interface GridCellProps {
  readonly row: TableRow;
  readonly runs: readonly RunRef[];
  readonly metric: MetricId;
  readonly scale: { readonly low: number; readonly high: number };
  readonly selected: boolean;
  readonly durationS: number;
}

/** Most of the ink that a cell's background may take, so that its text stays easy to read. */
const MAX_SHADE = 16;

function GridCell({ row, runs, metric, scale, selected, durationS }: GridCellProps) {
  const state = stateOf(runs);
  const mean = row.metrics[metric]?.mean;
  const ended = runs.filter((run) => run.state !== 'queued' && run.state !== 'running').length;
  const share = mean === undefined || scale.high <= scale.low ? 0 : (mean - scale.low) / (scale.high - scale.low);
  const text =
    state === 'failed'
      ? 'failed'
      : state === 'cancelled'
        ? 'stopped'
        : state === 'queued'
          ? 'waiting'
          : mean === undefined
            ? state === 'running'
              ? `${ended} / ${runs.length}`
              : '–'
            : formatMetric(metric, mean);
  return (
    <DialogTrigger>
      <Button
        className={cx(css['cell'])}
        aria-label={`${row.label}, ${row.limit}: ${text}`}
        data-state={state}
        {...(selected ? { 'data-selected': '' } : {})}
        {...(state === 'done' && mean !== undefined
          ? {
              style: {
                background: `color-mix(in srgb, var(--ink) ${(4 + share * MAX_SHADE).toFixed(1)}%, var(--surface))`,
              },
            }
          : {})}
      >
        {text}
      </Button>
      <Popover className={cx(menu['popover'], css['popover'])} offset={4}>
        <Dialog className={cx(menu['content'])} aria-label={`Runs of ${row.label}, ${row.limit}`}>
          <h3>
            {row.label}, {row.limit}
          </h3>
          <RunList runs={runs} durationS={durationS} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
