// Every cell of the matrix: algorithms down, queue limits across, one grid per trace and link; a metric as colour and as number.
import { useMemo } from 'react';
import { z } from 'zod';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { ccaLabel } from '#analysis/cca-label';
import { gridCell, type GridCell } from '#analysis/grid-cell';
import { byLimit, ccaKey, disciplineOf, facetKey, groupBy } from '#analysis/results';
import { bufferLabel } from '#analysis/limits';
import { Figure } from '../charts/Figure';
import type { ExperimentPlotData } from './data';
import { CellFacet, labelWidth } from './CellFacet';
import { cellResults, ccaSeries, groupOf } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { ScaleLegend } from './ScaleLegend';
import { metricUnit } from '#analysis/metric-text';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './frontier.module.css';

const options = z.object({
  metric: z
    .enum(METRIC_IDS as [(typeof METRIC_IDS)[number], ...typeof METRIC_IDS])
    .default('utilisation')
    .meta({ title: 'Show', labels: Object.fromEntries(METRIC_IDS.map((id) => [id, METRICS[id].label])) }),
});
type Options = z.output<typeof options>;

const gridCells = (data: ExperimentPlotData, { metric }: Options): GridCell[] =>
  cellResults(data).map((result) => gridCell(result, metric));

function table(data: ExperimentPlotData, chosen: Options, { hidden }: Pick<Shown, 'hidden'>) {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { cell, state, value, done, planned, excluded } of gridCells(data, chosen))
      if (!hidden.has(groupOf(cell)))
        yield [
          cell.trace_name,
          ccaLabel(cell, data.ccas.get(cell.cca.id) ?? null),
          bufferLabel(cell.buffer),
          cell.base_rtt_ms,
          disciplineOf(cell).id,
          cell.loss,
          state,
          value,
          done,
          planned,
          excluded,
        ];
  }
  const unit = (METRICS[chosen.metric] as { unit: string }).unit.toLowerCase();
  return {
    columns: [
      'trace',
      'cca',
      'queue_limit',
      'base_rtt_ms',
      'queue',
      'loss',
      'state',
      unit === 'ms' || unit === 'mbps' ? `${chosen.metric}_${unit}` : chosen.metric,
      'runs_counted',
      'runs_planned',
      'runs_left_out',
    ],
    rows: rows(),
  };
}

/** Of a cell, where there is room, px. */
const CELL_WIDTH = 84;

function Cells({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { metric } = chosen;
  const cells = useMemo(() => gridCells(data, { metric }), [data, metric]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const facets = [...groupBy(cells, ({ cell }) => facetKey(cell)).values()];
  const links = facets.flatMap((facet) => facet[0]?.cell ?? []);
  const limits = Math.max(1, ...facets.map((facet) => new Set(facet.map(({ cell }) => bufferLabel(cell.buffer))).size));
  const labels = labelWidth([...series.values()], theme);
  /** As wide as its columns need, several beside each other. */
  const wanted = labels + limits * CELL_WIDTH;
  const columns = Math.max(1, Math.min(facets.length, Math.floor((size.width + 24) / (wanted + 24))));
  const width = Math.min(Math.floor((size.width - (columns - 1) * 24) / columns), wanted + 120);
  const { label, better } = METRICS[metric];
  const baseRtts = new Set(cells.map(({ cell }) => cell.base_rtt_ms));
  return (
    <Figure
      name={`${data.record.id}-cells`}
      title="Cells"
      subtitle={`${label}, ${metricUnit(metric)}, mean over repetitions; the stronger the colour, the ${better === 'more' ? 'better' : 'worse'}`}
      legend={[]}
      visibility={data.visibility}
      spoken
      table={() => table(data, chosen, data.visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <ScaleLegend
        metric={metric}
        base_rtt_ms={baseRtts.size === 1 ? ([...baseRtts][0] ?? null) : null}
        theme={theme}
      />
      <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, ${width}px)`, gap: 24 }}>
        {facets.map((facet) => {
          const first = facet[0]?.cell;
          if (first === undefined) return null;
          return (
            <CellFacet
              key={facetKey(first)}
              title={facetTitle(first, links)}
              rows={[...groupBy(facet, ({ cell }) => ccaKey(cell))].flatMap(([key, own]) => {
                const one = series.get(key);
                return one === undefined
                  ? []
                  : [{ series: one, cells: own.toSorted((a, b) => byLimit(a.cell, b.cell)) }];
              })}
              metric={metric}
              data={data}
              width={width}
              labelWidth={Math.min(labels, Math.max(width * 0.4, width - limits * CELL_WIDTH))}
              theme={theme}
            />
          );
        })}
      </div>
    </Figure>
  );
}

export const plot = definePlot({
  id: 'cells',
  title: 'Cells',
  needs: 'experiment',
  order: 30,
  height: 300,
  options,
  table,
  Component: Cells,
});
