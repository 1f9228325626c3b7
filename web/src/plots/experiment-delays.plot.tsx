// How long packets waited, as tails: the share of all delivered packets of an algorithm's runs that waited longer than each delay.
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { ccdf } from '#analysis/delay-distribution';
import { tailCurves, type TailCurve } from '#analysis/delay-tails';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { plural } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults } from './experiment-series';
import { definePlot, type PlotProps, type Shown } from './registry';
import { Tails } from './Tails';

const options = z.object({});

/** Of the selected cells where some are selected. */
const curvesOf = (data: ExperimentPlotData, theme: Theme): TailCurve[] =>
  tailCurves(
    cellResults(data).filter(({ cell }) => data.selected.size === 0 || data.selected.has(cell.key)),
    ccaSeries(data, theme).values(),
  );

function Delays({ data, size, theme }: PlotProps<'experiment', z.output<typeof options>>) {
  const curves = useMemo(() => curvesOf(data, theme), [data, theme]);
  const hidden = useSyncExternalStore(data.visibility.subscribe, () => data.visibility.state.hidden);
  if (curves.length === 0) return null;
  const runs = curves.reduce((total, curve) => total + curve.runs, 0);
  return (
    <Figure
      name={`${data.record.id}-delays`}
      title="How long packets waited"
      subtitle={`share of the delivered packets that waited longer in the queue, ${plural(runs, 'run')} of ${data.selected.size === 0 ? 'all cells' : 'the selected cells'} pooled, every packet alike`}
      legend={curves.map(({ group, label, look }) => ({ key: group, label, colour: look.colour, dash: look.dash }))}
      visibility={data.visibility}
      table={() => tableOf(curves, hidden)}
    >
      <Tails
        curves={curves.filter(({ group }) => !hidden.has(group))}
        of="queueing delay"
        told="waited"
        begins="at 1 ms"
        width={size.width}
        height={size.height}
      />
    </Figure>
  );
}

function tableOf(curves: readonly TailCurve[], hidden: ReadonlySet<string>): Table {
  return {
    columns: ['cca', 'queueing_delay_ms', 'share_longer'],
    rows: curves
      .filter(({ group }) => !hidden.has(group))
      .flatMap(({ label, delays }) => ccdf(delays).map(({ ms, longer }) => [label, ms, longer])),
  };
}

export const plot = definePlot({
  id: 'delays',
  title: 'How long packets waited',
  needs: 'experiment',
  order: 40,
  height: 240,
  whenSeen: true,
  options,
  table: (data, _, { hidden }: Shown) => tableOf(curvesOf(data, getTheme()), hidden),
  Component: Delays,
});
