// Who leaves what to whom: each algorithm beside the baseline, beside itself and beside those that a sweep lets it meet, as colours around what is fair or around the baseline's harm
// to itself.
import { useMemo } from 'react';
import { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { facetTitle } from '#analysis/facet-title';
import { bufferLabel } from '#analysis/limits';
import { PAIR_METRICS, pairGrids, type PairGrid, type PairMetric } from '#analysis/pair-matrix';
import { metFlow } from '#analysis/sweep-name';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { labelWidth } from './CellFacet';
import type { ExperimentPlotData } from './data';
import { ccaSeries, groupOf, markerLegend, wholeResults } from './experiment-series';
import { OptionControls } from './OptionControls';
import { PairPicture, pairColour } from './PairPicture';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './frontier.module.css';

const options = z.object({
  metric: z
    .enum(PAIR_METRICS)
    .default('share')
    .meta({
      title: 'Show',
      labels: {
        share: 'share of fair',
        throughput_harm: 'harm to throughput',
        delay_harm: 'harm by delay',
      },
    }),
});
type Options = z.output<typeof options>;

const SAID: Readonly<Record<PairMetric, string>> = {
  share:
    'what the flow beside each algorithm has of its fair share (max-min: half of what both had), %; no colour: fair',
  throughput_harm:
    'what a flow of the baseline loses of its throughput beside each algorithm, %; no colour: as beside itself',
  delay_harm:
    'by how much a flow of the baseline has longer delays beside each algorithm, %; no colour: as beside itself',
};

/** The baseline by its name; beside itself of two flows the one that has less. */
function besideText({ incumbent, link }: PairGrid, { ccas, record }: ExperimentPlotData): string {
  if (incumbent === 'itself') return 'the lesser flow beside itself';
  if (incumbent === 'met') return `each at the top beside those on the left, ${bufferLabel(link.buffer)}`;
  const kinds = new Set(record.cells.map(({ cca }) => ccas.get(cca.id)?.kind));
  const names = [...ccas.values()]
    .filter(({ baseline, kind }) => baseline && kinds.has(kind))
    .map(({ label }) => label);
  return `${names.length === 1 ? (names[0] ?? 'the baseline') : 'the baseline'} beside …`;
}

function tableOf(data: ExperimentPlotData, { metric }: Options, { hidden }: Pick<Shown, 'hidden'>): Table {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { incumbent, rows: lines } of pairGrids(wholeResults(data) ?? [], metric))
      for (const { cells } of lines)
        for (const { cell, column, value, centre, runs } of cells) {
          if (hidden.has(groupOf(cell))) continue;
          yield [
            cell.trace_name,
            ccaLabel(cell, data.ccas.get(cell.cca.id) ?? null),
            incumbent === 'met' ? column : incumbent,
            bufferLabel(cell.buffer),
            cell.base_rtt_ms,
            value?.mean ?? null,
            value?.low ?? null,
            value?.high ?? null,
            centre,
            value?.n ?? 0,
            runs.join(' '),
          ];
        }
  }
  const columns = [
    ...['trace', 'cca', 'beside', 'queue_limit', 'base_rtt_ms', `${metric}_percent`],
    ...['low95', 'high95', 'centre_percent', 'n', 'runs'],
  ];
  return { columns, rows: rows() };
}

/** Of a cell, where there is room, px. */
const CELL_WIDTH = 64;
const GAP = 24;
/** More than a person compares at once; the CSV has all. */
const MOST_GRIDS = 12;

function Pairs({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const { metric } = chosen;
  const results = wholeResults(data);
  const grids = useMemo(() => pairGrids(results ?? [], metric), [results, metric]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const keys = new Set(grids.flatMap(({ rows }) => rows.map(({ key }) => key)));
  const shown = [...series.values()].filter(({ key }) => keys.has(key));
  const labels = Math.min(labelWidth(shown, theme), size.width * 0.4);
  const limits = Math.max(
    1,
    ...grids.map(({ rows }) => new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column))).size),
  );
  const wanted = labels + limits * CELL_WIDTH;
  const columns = Math.max(1, Math.min(grids.length, Math.floor((size.width + GAP) / (wanted + GAP))));
  const width = Math.min(Math.floor((size.width - (columns - 1) * GAP) / columns), wanted + 60);
  return (
    <Figure
      name={`${data.record.id}-pairs`}
      title="Who leaves what to whom"
      subtitle={`${SAID[metric]}. Mean over repetitions; a cell leads to its run`}
      legend={markerLegend(shown)}
      visibility={data.visibility}
      spoken
      table={() => tableOf(data, chosen, data.visibility.state)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <ColourKey metric={metric} theme={theme} />
      <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, ${width}px)`, gap: GAP }}>
        {grids.slice(0, MOST_GRIDS).map((grid) => (
          <PairPicture
            key={grid.key}
            grid={grid}
            title={`${facetTitle(
              grid.link,
              grids.map(({ link }) => link),
            )} · ${besideText(grid, data)}`}
            {...{ metric, series, data, width, theme }}
            labelWidth={labels}
          />
        ))}
      </div>
      {grids.length === 0 ? (
        <p className={styles['facts']}>
          Harm takes runs alone and beside the baseline: an experiment with full scores has them.
        </p>
      ) : null}
      {grids.length > MOST_GRIDS ? (
        <p className={styles['facts']}>
          The first {MOST_GRIDS} of {grids.length} grids; the CSV has all.
        </p>
      ) : null}
    </Figure>
  );
}

const STEPS = 21;
const BAR = { left: 30, width: 200, height: 10 } as const;

/** The ends and the middle of the colours. */
function ColourKey({
  metric,
  theme,
}: {
  readonly metric: PairMetric;
  readonly theme: PlotProps<'experiment', Options>['theme'];
}) {
  const texts =
    metric === 'share'
      ? ['200 %', 'fair', 'nothing']
      : ['less', 'as beside itself', metric === 'delay_harm' ? '+100 %' : '+50 %'];
  return (
    <svg
      width={BAR.width + 2 * BAR.left}
      height={30}
      data-figure-part=""
      role="img"
      aria-label={`Colours, from ${texts.join(' over ')}`}
      style={{ display: 'block', maxWidth: '100%' }}
    >
      {Array.from({ length: STEPS }, (_, i) => (
        <rect
          key={i}
          x={BAR.left + (i * BAR.width) / STEPS}
          width={BAR.width / STEPS + 0.3}
          height={BAR.height}
          fill={pairColour((i / (STEPS - 1)) * 2 - 1, theme)}
        />
      ))}
      <rect x={BAR.left} width={BAR.width} height={BAR.height} fill="none" stroke={theme.hairline} />
      {texts.map((text, i) => (
        <text key={text} x={BAR.left + (i / 2) * BAR.width} y={24} textAnchor="middle" fontSize={11} fill={theme.ink3}>
          {text}
        </text>
      ))}
    </svg>
  );
}

const arePaired = ({ full_scores, sweep }: ExperimentPlotData['record']['spec']): boolean =>
  full_scores || (sweep !== undefined && metFlow(sweep.path) !== null);

export const plot = definePlot({
  id: 'pairs',
  title: 'Who leaves what to whom',
  needs: 'experiment',
  order: 26,
  height: 300,
  whenSeen: true,
  options,
  table: tableOf,
  applies: (data) => arePaired(data.record.spec) && pairGrids(wholeResults(data) ?? [], 'share').length > 0,
  Component: Pairs,
});
