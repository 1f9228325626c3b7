// RTO less RTT, as tails: in what share of the time the retransmission timeout was by more than so much longer than the RTT.
import { useMemo } from 'react';
import { z } from 'zod';
import { ccdf, pooledDelays, type Distribution } from '#analysis/delay-distribution';
import { groupBy } from '#analysis/results';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import { formatCount } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import { pooledCells, whichRuns } from './pooled-cells';
import { definePlot, type PlotProps, type Shown } from './registry';
import { Tails } from './Tails';

const options = z.object({});

interface Curve extends CcaSeries {
  readonly delays: Distribution;
}

/** Of an algorithm's cells together, every sample alike. */
function curvesOf(data: ExperimentPlotData, theme: Theme): Curve[] {
  const told = pooledCells(data, theme).filter(({ sampled }) => sampled.histograms['rto'] !== undefined);
  return [...groupBy(told, ({ series }) => series.key).values()].flatMap((cells): Curve[] => {
    const [first] = cells;
    const delays = pooledDelays(cells.map(({ sampled }) => sampled.histograms['rto'] ?? []));
    return first === undefined ? [] : [{ ...first.series, delays }];
  });
}

function Rto({ data, size, theme }: PlotProps<'experiment', z.output<typeof options>>) {
  const { hidden } = useVisibility(data.visibility);
  const curves = useMemo(() => curvesOf(data, theme), [data, theme]);
  if (curves.length === 0) return null;
  const samples = curves
    .filter(({ group }) => !hidden.has(group))
    .reduce((total, { delays }) => total + delays.reduce((all, { packets }) => all + packets, 0), 0);
  const cells = pooledCells(data, theme).filter(({ series }) => !hidden.has(series.group));
  return (
    <Figure
      name={`${data.record.id}-rto`}
      title="RTO less RTT"
      subtitle={`share of samples in which the retransmission timeout is longer than the latest RTT by more than so much; ${whichRuns(data, cells)}, every sample alike (${formatCount(samples)})`}
      legend={curves.map(({ group, label, look }) => ({ key: group, label, colour: look.colour, dash: look.dash }))}
      visibility={data.visibility}
      table={() => tableOf(curves, data.visibility.state)}
    >
      <Tails
        curves={curves.filter(({ group }) => !hidden.has(group))}
        of="RTO less RTT"
        told="were"
        begins="with the least"
        width={size.width}
        height={size.height}
      />
    </Figure>
  );
}

const tableOf = (curves: readonly Curve[], { hidden }: Pick<Shown, 'hidden'>): Table => ({
  columns: ['cca', 'rto_less_rtt_ms', 'share_longer'],
  rows: curves
    .filter(({ group }) => !hidden.has(group))
    .flatMap(({ label, delays }) => ccdf(delays).map(({ ms, longer }) => [label, ms, longer])),
});

export const plot = definePlot({
  id: 'rto',
  title: 'RTO less RTT',
  needs: 'experiment',
  order: 64,
  height: 240,
  options,
  applies: (data: ExperimentPlotData) => data.sampled !== undefined,
  table: (data, _, shown) => tableOf(curvesOf(data, getTheme()), shown),
  Component: Rto,
});
