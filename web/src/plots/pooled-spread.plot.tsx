// How throughput and delay are spread over time, as box plots of all windows of 100 ms of a cell's runs.
import { useMemo } from 'react';
import { z } from 'zod';
import { bufferLabel } from '#analysis/limits';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import { getTheme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { markerLegend } from './experiment-series';
import { conditionsOf, leftOut, MOST_CONDITIONS, pooledCells, whichRuns, type PooledCell } from './pooled-cells';
import { definePlot, type PlotProps, type Shown } from './registry';
import { QUANTITIES, SpreadFacet, type Extent, type Quantity } from './SpreadFacet';
import styles from './plane.module.css';

const options = z.object({});

/** One for all conditions, so that they can be compared. */
function extentOf(cells: readonly PooledCell[], quantity: Quantity): Extent {
  const boxes = cells.flatMap(({ sampled }) => sampled.boxes[quantity] ?? []);
  const least = Math.min(...boxes.map(({ p05 }) => p05).filter((value) => value > 0), 1000);
  return [least, Math.max(...boxes.map(({ p95 }) => p95), least * 2)];
}

function Spread({ data, size, theme }: PlotProps<'experiment', z.output<typeof options>>) {
  const { hidden } = useVisibility(data.visibility);
  const cells = useMemo(
    () => pooledCells(data, theme).filter(({ sampled }) => sampled.boxes['throughput'] !== undefined),
    [data, theme],
  );
  if (cells.length === 0) return null;
  const shown = cells.filter(({ series }) => !hidden.has(series.group));
  const conditions = conditionsOf(shown);
  const drawn = conditions.slice(0, MOST_CONDITIONS);
  const visible = drawn.flatMap(({ cells: own }) => own);
  const extents = { throughput: extentOf(visible, 'throughput'), delay: extentOf(visible, 'delay') };
  const rest = leftOut(conditions);
  return (
    <Figure
      name={`${data.record.id}-spread`}
      title="Spread over time"
      subtitle={`boxes: quartiles and median of means over 100 ms; whiskers: 5 and 95 %; ${whichRuns(data, shown)}, every 100 ms alike; from samples`}
      legend={markerLegend(new Map(cells.map(({ series: own }) => [own.key, own])).values())}
      visibility={data.visibility}
      table={() => tableOf(cells, data.visibility.state)}
    >
      <div className={styles['facets']}>
        {drawn.map((condition) => (
          <SpreadFacet key={condition.key} condition={condition} extents={extents} width={size.width} theme={theme} />
        ))}
      </div>
      {rest === null ? null : <p className={styles['more']}>{rest}</p>}
    </Figure>
  );
}

function tableOf(cells: readonly PooledCell[], { hidden }: Pick<Shown, 'hidden'>): Table {
  const rows = cells
    .filter(({ series }) => !hidden.has(series.group))
    .flatMap(({ cell, series, sampled }) =>
      (Object.keys(QUANTITIES) as Quantity[]).flatMap((quantity) => {
        const box = sampled.boxes[quantity];
        if (box === undefined) return [];
        const { p05, p25, p50, p75, p95, n, runs } = box;
        const unit = quantity === 'delay' ? 'delay_ms' : 'throughput_mbps';
        return [[cell.trace_name, series.label, bufferLabel(cell.buffer), unit, p05, p25, p50, p75, p95, n, runs]];
      }),
    );
  return {
    columns: ['trace', 'cca', 'queue_limit', 'quantity', 'p05', 'p25', 'p50', 'p75', 'p95', 'windows', 'runs'],
    rows,
  };
}

export const plot = definePlot({
  id: 'spread',
  title: 'Spread over time',
  needs: 'experiment',
  order: 60,
  height: 240,
  options,
  applies: (data: ExperimentPlotData) => data.sampled !== undefined,
  table: (data, _, shown) => tableOf(pooledCells(data, getTheme()), shown),
  Component: Spread,
});
