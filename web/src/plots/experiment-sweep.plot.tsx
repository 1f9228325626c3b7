// A metric along what the experiment sweeps, one line per algorithm, with intervals.
import { useMemo } from 'react';
import { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { seriesOf } from '#analysis/cca-series';
import { bufferLabel } from '#analysis/limits';
import { METRIC_IDS, METRICS, type MetricId } from '#analysis/metrics';
import { FEWEST_FOR_INTERVAL } from '#analysis/statistics';
import { sweepPlanes, type SweepPlane } from '#analysis/sweep-lines';
import { sweepScale } from '#analysis/sweep-axis';
import { sweepName } from '#analysis/sweep-name';
import { Figure } from '../charts/Figure';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { cellResults, groupOf, markerLegend, type CcaSeries } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { metricUnit } from '#analysis/metric-text';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import { SweepFacet } from './SweepFacet';
import styles from './frontier.module.css';

const options = z.object({
  metric: z
    .enum(METRIC_IDS as [MetricId, ...MetricId[]])
    .default('throughput')
    .meta({ title: 'Show', labels: Object.fromEntries(METRIC_IDS.map((id) => [id, METRICS[id].label])) }),
  scale: z.enum(['auto', 'linear', 'log']).default('auto').meta({ title: 'Scale' }),
});
type Options = z.output<typeof options>;

function table(data: ExperimentPlotData, { metric }: Options, { hidden }: Pick<Shown, 'hidden'>) {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { cell: link, lines } of sweepPlanes(cellResults(data), metric))
      for (const line of lines) {
        if (hidden.has(groupOf(line))) continue;
        const label = ccaLabel(line, data.ccas.get(line.cca.id) ?? null);
        const points = line.level === null ? line.points : [...line.points, { ...line.level, at: null }];
        for (const { at, y } of points)
          yield [
            link.trace_name,
            label,
            bufferLabel(link.buffer),
            link.base_rtt_ms,
            (line.cca.queue ?? link.queue).id,
            link.loss,
            data.record.spec.sweep?.path ?? '',
            at,
            y.mean,
            y.low,
            y.high,
            y.n,
          ];
      }
  }
  const { column } = METRICS[metric];
  return {
    columns: [
      'trace',
      'cca',
      'queue_limit',
      'base_rtt_ms',
      'queue',
      'loss',
      'sweep',
      'swept_value',
      column,
      `${column}_low95`,
      `${column}_high95`,
      'n',
    ],
    rows: rows(),
  };
}

/** The CCAs as they are without what is swept of them. */
const linesOf = (planes: readonly SweepPlane[], { ccas }: ExperimentPlotData, theme: Theme): Map<string, CcaSeries> =>
  seriesOf(
    planes.flatMap(({ lines }) => lines),
    ccas,
    theme,
    ({ key }) => key,
  );

/** Wide pages show several planes side by side, each at least this wide. */
const FACET_WIDTH = 360;
const GAP = 16;

function Sweep({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { metric } = chosen;
  const results = cellResults(data);
  const planes = useMemo(() => sweepPlanes(results, metric), [results, metric]);
  const series = useMemo(() => linesOf(planes, data, theme), [planes, data, theme]);
  const { sweep } = data.record.spec;
  const name = sweep === undefined ? '' : sweepName(sweep.path);
  const scale = chosen.scale === 'auto' ? sweepScale(sweep?.values ?? []) : chosen.scale;
  const columns = Math.max(1, Math.min(planes.length, Math.floor(size.width / FACET_WIDTH), 3));
  const width = Math.floor((size.width - (columns - 1) * GAP) / columns);
  const height = Math.round(Math.min(size.height, Math.max(240, width * 0.6)));
  const limits = new Set(planes.map(({ cell }) => bufferLabel(cell.buffer))).size > 1;
  const level = planes.some(({ lines }) => lines.some((line) => line.level !== null));
  const most = Math.max(1, ...planes.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ y }) => y.n))));
  return (
    <Figure
      name={`${data.record.id}-sweep`}
      title="Along the sweep"
      subtitle={[
        `${METRICS[metric].label}, ${metricUnit(metric)}, over ${name}`,
        ...(most >= FEWEST_FOR_INTERVAL ? ['whiskers: 95 % interval'] : []),
        ...(level ? ['level lines: not changed by it'] : []),
      ].join('; ')}
      legend={markerLegend(series.values())}
      visibility={data.visibility}
      spoken
      table={() => table(data, chosen, data.visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {planes.length === 0 ? (
        <p className={styles['empty']} style={{ height: 160 }}>
          Nothing of this was measured along the sweep.
        </p>
      ) : (
        <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
          {planes.map((plane) => (
            <SweepFacet
              key={plane.key}
              plane={plane}
              series={series}
              metric={metric}
              scale={scale}
              name={name}
              data={data}
              title={[
                facetTitle(
                  { ...plane.cell, sweep: undefined },
                  planes.map(({ cell }) => cell),
                ),
                ...(limits ? [bufferLabel(plane.cell.buffer)] : []),
              ].join(' · ')}
              width={width}
              height={height}
              theme={theme}
            />
          ))}
        </div>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'sweep',
  title: 'Along the sweep',
  needs: 'experiment',
  order: 15,
  height: 340,
  options,
  table,
  applies: ({ record }) => record.spec.sweep !== undefined,
  Component: Sweep,
});
