// The throughput-delay frontier, one plane per trace and link.
import { useMemo } from 'react';
import { z } from 'zod';
import { frontiersOf, type Frontier } from '#analysis/frontier';
import { DELAY_METRICS, METRICS, RATE_METRICS } from '#analysis/metrics';
import { disciplineOf } from '#analysis/results';
import { FEWEST_FOR_INTERVAL } from '#analysis/statistics';
import { Figure } from '../charts/Figure';
import type { LegendItem } from '../charts/figure-props';
import type { ExperimentPlotData } from './data';
import { cellResults, ccaSeries, groupOf, limitUnit, markerLegend } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { FrontierFacet } from './FrontierFacet';
import type { FrontierLook } from '#analysis/frontier-layout';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './frontier.module.css';

const labelsOf = <T extends string>(ids: readonly T[], label: (id: T) => string): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [id, label(id)]));

const options = z.object({
  x: z
    .enum(DELAY_METRICS)
    .default('rtt_mean')
    .meta({ title: 'Delay', labels: labelsOf(DELAY_METRICS, (id) => METRICS[id].label) }),
  y: z
    .enum(RATE_METRICS)
    .default('throughput')
    .meta({ title: 'Against', labels: labelsOf(RATE_METRICS, (id) => METRICS[id].label) }),
  scale: z.enum(['log', 'linear']).default('log').meta({ title: 'Scale' }),
  inverted: z.boolean().default(true).meta({ title: 'Less delay right' }),
  zero: z.boolean().default(false).meta({ title: 'From zero' }),
});
type Options = z.output<typeof options>;

function table(data: ExperimentPlotData, { x, y }: Options, { hidden }: Pick<Shown, 'hidden'>) {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const frontier of frontiersOf(cellResults(data), { x, y }))
      for (const own of frontier.series) {
        for (const { cell, limit, x: delay, y: rate, on_front } of own.points.filter(
          (point) => !hidden.has(groupOf(point.cell)),
        ))
          yield [
            cell.trace_name,
            own.label,
            limit,
            cell.limit_bytes,
            cell.base_rtt_ms,
            disciplineOf(cell).id,
            cell.loss,
            delay.mean,
            delay.low,
            delay.high,
            rate.mean,
            rate.low,
            rate.high,
            delay.n,
            on_front ? 1 : 0,
          ];
      }
  }
  const interval = (name: string): string[] => [name, `${name}_low95`, `${name}_high95`];
  return {
    columns: [
      'trace',
      'cca',
      'queue_limit',
      'queue_limit_bytes',
      'base_rtt_ms',
      'queue',
      'loss',
      ...interval(columnName(x)),
      ...interval(columnName(y)),
      'n',
      'on_frontier',
    ],
    rows: rows(),
  };
}

const columnName = (id: Options['x'] | Options['y']): string => {
  const { unit } = METRICS[id] as { unit: string };
  return unit === 'ms' || unit === 'Mbps' ? `${id}_${unit.toLowerCase()}` : id;
};

/** Wide pages show several planes side by side, each at least this wide. */
const FACET_WIDTH = 420;

function FrontierFigure({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { x, y, scale, inverted, zero } = chosen;
  const results = cellResults(data);
  const frontiers = useMemo(() => frontiersOf(results, { x, y }), [results, x, y]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const look = useMemo(
    (): FrontierLook => ({ scale, inverted, fromZero: zero, share: y === 'utilisation' }),
    [scale, inverted, zero, y],
  );
  const unit = limitUnit(data.record.cells);
  const most = Math.max(1, ...results.map(({ figures }) => figures.n));
  const columns =
    frontiers.length < 2 ? 1 : Math.max(1, Math.min(frontiers.length, Math.floor(size.width / FACET_WIDTH), 3));
  const width = Math.floor((size.width - (columns - 1) * 16) / columns);
  const height = Math.round(Math.min(size.height, Math.max(300, width * 0.75)));
  const legend: LegendItem[] = [
    ...markerLegend(series.values()),
    { key: 'frontier', label: 'frontier', colour: theme.ink3, dash: [5, 3], fixed: true },
  ];
  return (
    <Figure
      name={`${data.record.id}-frontier`}
      title="Throughput–delay frontier"
      subtitle={[
        ...(unit === '' ? [] : [`in the point: queue limit in ${unit}`]),
        ...(most >= FEWEST_FOR_INTERVAL ? ['whiskers: 95 % interval'] : []),
        ...(most > 1 && data.figures === undefined ? ['dots: repetitions'] : []),
      ].join('; ')}
      legend={legend}
      visibility={data.visibility}
      spoken
      table={() => table(data, chosen, data.visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {frontiers.length === 0 ? (
        <p className={styles['empty']} style={{ height: 220 }}>
          The first finished run will appear here.
        </p>
      ) : (
        <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
          {frontiers.map((frontier) => (
            <FrontierFacet
              key={frontier.key}
              frontier={frontier}
              axes={{ x, y }}
              look={look}
              series={series}
              data={data}
              title={facetTitle(
                frontier.cell,
                frontiers.map((other) => other.cell),
              )}
              trace={traceOf(data, frontier)}
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

function traceOf({ traces }: ExperimentPlotData, { cell }: Frontier) {
  return 'trace' in cell.trace ? (traces.get(cell.trace.trace) ?? traces.get(cell.trace_name)) : undefined;
}

export const plot = definePlot({
  id: 'frontier',
  title: 'Throughput–delay frontier',
  needs: 'experiment',
  order: 10,
  height: 460,
  options,
  table,
  Component: FrontierFigure,
});
