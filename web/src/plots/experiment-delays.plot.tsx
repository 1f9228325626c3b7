// How long packets waited, as tails: the share of all delivered packets of an algorithm's runs that waited longer than each delay.
import { Suspense, useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { ccdf } from '#analysis/delay-distribution';
import { tailCurves, type TailCurve } from '#analysis/delay-tails';
import { Figure } from '../charts/Figure';
import type { Table } from '../charts/types';
import { plural } from '../ui/format';
import { lazyPart } from '../ui/lazy-part';
import { getTheme, type Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults } from './experiment-series';
import { OptionControls } from './OptionControls';
import { QUANTILES } from './quantiles';
import { definePlot, type PlotProps, type Shown } from './registry';
import { Tails } from './Tails';
import styles from './quantile.module.css';

/** With its slider it comes when the picture is seen. */
const QuantileReadout = lazyPart(async () => ({ default: (await import('./QuantileReadout')).QuantileReadout }));

/** Below the picture, with what keeps it apart. */
const READOUT_HEIGHT = 58;

const options = z.object({
  show: z
    .enum(['longer', 'at-most'])
    .default('longer')
    .meta({ title: 'Show', labels: { longer: 'who waited longer (CCDF)', 'at-most': 'who waited at most (CDF)' } }),
  // No title: the slider below the picture chooses it.
  q: z.enum(QUANTILES).default('0.95'),
});
type Options = z.output<typeof options>;

/** Of the selected cells where some are selected. */
const curvesOf = (data: ExperimentPlotData, theme: Theme): TailCurve[] =>
  tailCurves(
    cellResults(data).filter(({ cell }) => data.selected.size === 0 || data.selected.has(cell.key)),
    ccaSeries(data, theme).values(),
  );

function Delays({ data, options: chosen, setOptions, size, theme }: PlotProps<'experiment', Options>) {
  const curves = useMemo(() => curvesOf(data, theme), [data, theme]);
  const hidden = useSyncExternalStore(data.visibility.subscribe, () => data.visibility.state.hidden);
  if (curves.length === 0) return null;
  const shown = curves.filter(({ group }) => !hidden.has(group));
  const runs = curves.reduce((total, curve) => total + curve.runs, 0);
  return (
    <Figure
      name={`${data.record.id}-delays`}
      title="How long packets waited"
      subtitle={`share of the delivered packets that waited ${chosen.show === 'longer' ? 'longer' : 'at most so long'} in the queue, ${plural(runs, 'run')} of ${data.selected.size === 0 ? 'all cells' : 'the selected cells'} pooled, every packet alike`}
      legend={curves.map(({ group, label, look }) => ({ key: group, label, colour: look.colour, dash: look.dash }))}
      visibility={data.visibility}
      table={() => tableOf(curves, hidden, chosen)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <Tails
        curves={shown}
        show={chosen.show === 'longer' ? 'longer' : 'at most'}
        quantile={Number(chosen.q)}
        of="queueing delay"
        told="waited"
        begins="at 1 ms"
        width={size.width}
        height={size.height - READOUT_HEIGHT}
      />
      <Suspense fallback={<div className={styles['awaited']} />}>
        <QuantileReadout quantile={chosen.q} onQuantile={(q) => setOptions({ q })} curves={shown} />
      </Suspense>
    </Figure>
  );
}

function tableOf(curves: readonly TailCurve[], hidden: ReadonlySet<string>, { show }: Options): Table {
  const tails = show === 'longer';
  return {
    columns: ['cca', 'queueing_delay_ms', tails ? 'share_longer' : 'share_at_most'],
    rows: curves
      .filter(({ group }) => !hidden.has(group))
      .flatMap(({ label, delays }) => ccdf(delays).map(({ ms, longer }) => [label, ms, tails ? longer : 1 - longer])),
  };
}

export const plot = definePlot({
  id: 'delays',
  title: 'How long packets waited',
  needs: 'experiment',
  order: 40,
  height: 240 + READOUT_HEIGHT,
  whenSeen: true,
  options,
  table: (data, chosen, { hidden }: Shown) => tableOf(curvesOf(data, getTheme()), hidden, chosen),
  Component: Delays,
});
