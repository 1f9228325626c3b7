// What each algorithm has of the link beside the baseline, along queue limits, and where it crosses a half.
import { useMemo } from 'react';
import { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { shareCrossings, type ShareCrossing } from '#analysis/share-crossings';
import { Figure } from '../charts/Figure';
import { formatMeasured } from '../ui/format';
import type { ExperimentPlotData } from './data';
import { ccaSeries, groupOf, markerLegend, sharesOf, wholeResults } from './experiment-series';
import { facetTitle } from '#analysis/facet-title';
import { definePlot, type PlotProps, type Shown } from './registry';
import { SweepFacet } from './SweepFacet';
import styles from './frontier.module.css';

const options = z.object({});
type Options = z.output<typeof options>;

function table(data: ExperimentPlotData, _: Options, { hidden }: Pick<Shown, 'hidden'>) {
  const { unit, planes } = sharesOf(data);
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { cell: link, lines } of planes)
      for (const line of lines) {
        if (hidden.has(groupOf(line))) continue;
        const label = ccaLabel(line, data.ccas.get(line.cca.id) ?? null);
        for (const { at, y } of line.points)
          yield [link.trace_name, label, link.base_rtt_ms, link.queue.id, link.loss, at, y.mean, y.low, y.high, y.n];
      }
  }
  const limit = unit === 'BDP' ? 'queue_limit_bdp' : 'queue_limit_kb';
  const columns = ['trace', 'cca', 'base_rtt_ms', 'queue', 'loss', limit, 'share', 'share_low95', 'share_high95', 'n'];
  return { columns, rows: rows() };
}

/** `BBR crosses a half at 4.5 BDP (3.9 … 5.1): it has less beyond`. */
function crossingText({ label, cell, unit, crossing }: ShareCrossing, links: boolean): string {
  const number = (value: number): string => formatMeasured(unit === 'BDP' ? value : value / 1000);
  const size = (value: number): string => `${number(value)} ${unit === 'BDP' ? 'BDP' : 'kB'}`;
  const where = links ? ` on ${cell.trace_name}` : '';
  if (crossing.kind === 'several') return `${label}${where} crosses a half at ${crossing.at.map(size).join(', ')}`;
  if (crossing.kind === 'none') {
    if (crossing.above === null) return `${label}${where} has a half everywhere`;
    return `${label}${where} has ${crossing.above === 'a' ? 'more' : 'less'} than a half everywhere`;
  }
  const { at, above, interval } = crossing;
  const around = interval === null ? '' : ` (${number(interval.low)} … ${number(interval.high)})`;
  return `${label}${where} crosses a half at ${size(at)}${around}: it has ${above === 'a' ? 'more' : 'less'} beyond`;
}

/** Wide pages show several planes side by side, each at least this wide. */
const FACET_WIDTH = 360;
const GAP = 16;
/** Limits ten times apart are read on a logarithmic axis. */
const DECADE = 10;

function Shares({ data, size, theme }: PlotProps<'experiment', Options>) {
  const results = wholeResults(data);
  const { unit, planes } = sharesOf(data);
  const crossings = useMemo(() => shareCrossings(results ?? []), [results]);
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const columns = Math.max(1, Math.min(planes.length, Math.floor(size.width / FACET_WIDTH), 3));
  const width = Math.floor((size.width - (columns - 1) * GAP) / columns);
  const height = Math.round(Math.min(size.height, Math.max(240, width * 0.6)));
  const [low = 1, high = 1] = [planes[0]?.values[0], planes[0]?.values.at(-1)].map(Number);
  const shown = new Set(planes.flatMap(({ lines }) => lines.map(({ key }) => key)));
  return (
    <Figure
      name={`${data.record.id}-shares`}
      title="Shares over queue limits"
      subtitle="what each algorithm has of a link that it shares with the baseline, %, over the queue limit; dashed: a half. Whiskers: 95 % interval over repetitions"
      legend={markerLegend([...series.values()].filter(({ key }) => shown.has(key)))}
      visibility={data.visibility}
      spoken
      table={() => table(data, {}, data.visibility.state)}
    >
      <div className={styles['facets']} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {planes.map((plane) => (
          <SweepFacet
            key={plane.key}
            plane={plane}
            series={series}
            metric="first_share"
            scale={low > 0 && high >= DECADE * low ? 'log' : 'linear'}
            name={`queue limit, ${unit}`}
            even={0.5}
            data={data}
            title={facetTitle(
              plane.cell,
              planes.map(({ cell }) => cell),
            )}
            width={width}
            height={height}
            theme={theme}
          />
        ))}
      </div>
      {crossings.length === 0 ? null : (
        <ul className={styles['facts']}>
          {crossings.map((crossing) => (
            <li key={crossing.key}>{crossingText(crossing, planes.length > 1)}</li>
          ))}
        </ul>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'shares',
  title: 'Shares over queue limits',
  needs: 'experiment',
  order: 16,
  height: 340,
  options,
  table,
  applies: (data) => data.record.spec.full_scores && sharesOf(data).planes.length > 0,
  Component: Shares,
});
