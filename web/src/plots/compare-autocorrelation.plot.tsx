// How long several traces remember, over one another: the further right a curve falls, the longer its rate can be relied on.
import { useMemo } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { useVisibility } from '../charts/visibility';
import { AcfChart, lagText, type AcfCurve } from './AcfChart';
import { traceLegend, traceSeries } from './comparison';
import type { ComparisonPlotData } from './data';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps } from './registry';
import styles from './trace-charts.module.css';

const options = z.object({
  bins: z
    .enum(['100', '10'])
    .default('100')
    .meta({ title: 'Bins', labels: { 100: '100 ms', 10: '10 ms' } }),
});
type Options = z.output<typeof options>;

const memoryOf = ({ dynamics }: ComparisonPlotData['traces'][number], bins: Options['bins']) =>
  dynamics?.memory.find(({ bin_ms }) => String(bin_ms) === bins);

function Autocorrelation({ data, options: chosen, setOptions, size, theme }: PlotProps<'comparison', Options>) {
  const { visibility } = data;
  const state = useVisibility(visibility);
  const series = useMemo(() => traceSeries(data, theme), [data, theme]);
  const curves = series.flatMap((one): AcfCurve[] => {
    const memory = memoryOf(one, chosen.bins);
    if (memory === undefined || memory.acf.length === 0 || state.hidden.has(one.id)) return [];
    const { id, label, look } = one;
    const opacity = visibility.emphasis({ group: id });
    return [{ key: id, label, colour: look.colour, dash: look.dash, marker: look.path(4.5), opacity, memory }];
  });
  const waiting = data.traces.some(({ dynamics }) => dynamics === null);
  return (
    <Figure
      name="autocorrelation-compared"
      title="Autocorrelation of capacity"
      subtitle={`of the rates of ${chosen.bins} ms: what a rate says about that some time later; marked where it falls below 1/e`}
      legend={traceLegend(series, true)}
      visibility={visibility}
      table={() => tableOf(data, chosen, state.hidden)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {curves.length === 0 ? (
        <p className={styles['nothing']} style={{ height: size.height }}>
          {waiting ? 'Computing …' : 'None of the traces shown changes its rate.'}
        </p>
      ) : (
        <AcfChart
          curves={curves}
          width={size.width}
          height={size.height}
          label={curves
            .map(
              ({ label, memory }) =>
                `${label}: ${memory.below_1e_s === null ? 'above 1/e throughout' : `below 1/e after ${lagText(memory.below_1e_s)}`}`,
            )
            .join('; ')}
        />
      )}
    </Figure>
  );
}

const tableOf = (data: ComparisonPlotData, { bins }: Options, hidden: ReadonlySet<string>) => ({
  columns: ['trace', 'lag_s', 'autocorrelation'],
  rows: data.traces
    .filter(({ trace }) => !hidden.has(trace.id))
    .flatMap((one) => (memoryOf(one, bins)?.acf ?? []).map(([lag, r]) => [one.trace.name, lag, r])),
});

export const plot = definePlot({
  id: 'compare-autocorrelation',
  title: 'Autocorrelation of capacity',
  needs: 'comparison',
  order: 30,
  height: 280,
  options,
  table: (data, chosen, { hidden }) => tableOf(data, chosen, hidden),
  Component: Autocorrelation,
});
