// Bytes in flight, or throughput, against RTT: for each cell the ellipse that holds 95 % of the points of its runs.
import { useMemo } from 'react';
import { bufferLabel } from '#analysis/limits';
import { SPACING_NAMES } from '#analysis/sampled-plane';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import { getTheme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { markerLegend } from './experiment-series';
import { OptionControls } from './OptionControls';
import { PlanePicture, reachOf, type PlaneSeries } from './PlanePicture';
import { planeOptions, PLANE_TITLES, type PlaneOptions } from './plane-options';
import { conditionsOf, leftOut, MOST_CONDITIONS, pooledCells, whichRuns, type PooledCell } from './pooled-cells';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './plane.module.css';

const FACET_WIDTH = 340;

const seriesOf = (cells: readonly PooledCell[], { y, spacing }: PlaneOptions): PlaneSeries[] =>
  cells.flatMap(({ cell, series: { label, look }, sampled: { ellipses } }) => {
    const ellipse = ellipses[`${y}:${spacing}`];
    return ellipse === undefined ? [] : [{ key: cell.key, label, look, xs: [], ys: [], ellipse }];
  });

function Plane({ data, options, setOptions, size, theme }: PlotProps<'experiment', PlaneOptions>) {
  const { hidden } = useVisibility(data.visibility);
  const cells = useMemo(() => pooledCells(data, theme), [data, theme]);
  const shown = cells.filter(({ series }) => !hidden.has(series.group));
  const conditions = conditionsOf(shown);
  const drawn = conditions.slice(0, MOST_CONDITIONS);
  const series = new Map(drawn.map(({ key, cells: own }) => [key, seriesOf(own, options)]));
  const known = SPACING_NAMES.some((spacing) => seriesOf(cells, { ...options, spacing }).length > 0);
  if (!known) return null;
  const most = Math.max(1, Math.min(Math.floor(size.width / FACET_WIDTH), 3));
  // Four are two and two, not three and one.
  const columns = Math.max(1, Math.ceil(drawn.length / Math.ceil(drawn.length / most)));
  const width = Math.floor((size.width - (columns - 1) * 16) / columns);
  const height = Math.round(Math.min(size.height, Math.max(240, width * 0.7)));
  const rest = leftOut(conditions);
  return (
    <Figure
      name={`${data.record.id}-pooled-plane`}
      title={options.y === 'inflight' ? 'Bytes in flight against RTT' : 'Throughput against RTT'}
      subtitle={`mean, and the ellipse that holds 95 % of points that are means over ${options.spacing}; ${whichRuns(data, shown)}, every point alike; from samples`}
      legend={markerLegend(new Map(cells.map(({ series: own }) => [own.key, own])).values())}
      visibility={data.visibility}
      table={() => tableOf(cells, options, data.visibility.state)}
      controls={<OptionControls schema={planeOptions} options={options} setOptions={setOptions} />}
    >
      <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {drawn.map(({ key, title }) => (
          <PlanePicture
            key={key}
            title={title}
            series={series.get(key) ?? []}
            x="RTT, ms"
            y={PLANE_TITLES[options.y]}
            reach={reachOf(series.get(key) ?? [])}
            width={width}
            height={height}
          />
        ))}
      </div>
      {rest === null ? null : <p className={styles['more']}>{rest}</p>}
    </Figure>
  );
}

function tableOf(cells: readonly PooledCell[], { y, spacing }: PlaneOptions, { hidden }: Pick<Shown, 'hidden'>): Table {
  const rows = cells
    .filter(({ series }) => !hidden.has(series.group))
    .flatMap(({ cell, series, sampled }) => {
      const found = sampled.ellipses[`${y}:${spacing}`];
      if (found === undefined) return [];
      const { x, y: mean, major, minor, angle, n, runs } = found;
      return [[cell.trace_name, series.label, bufferLabel(cell.buffer), x, mean, major, minor, angle, n, runs]];
    });
  const unit = y === 'inflight' ? 'inflight_mean_kb' : 'throughput_mean_mbps';
  return {
    columns: [
      'trace',
      'cca',
      'queue_limit',
      'rtt_mean_ms',
      unit,
      'half_major',
      'half_minor',
      'angle_rad',
      'points',
      'runs',
    ],
    rows,
  };
}

export const plot = definePlot({
  id: 'pooled-plane',
  title: 'Bytes in flight against RTT',
  needs: 'experiment',
  order: 62,
  height: 320,
  options: planeOptions,
  applies: (data: ExperimentPlotData) => data.sampled !== undefined,
  table: (data, options, shown) => tableOf(pooledCells(data, getTheme()), options, shown),
  Component: Plane,
});
