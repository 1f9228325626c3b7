// Capacity of several traces over the same time and on the same scale: one below the other, or laid over one another.
import { useMemo } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { panelRows } from '../charts/panel-rows';
import { extremes, isCut, withBand } from '../charts/scales';
import { TimeSeriesPanel } from '../charts/TimeSeriesPanel';
import { useTimeView, type Range } from '../charts/time-view';
import type { PanelSpec, SeriesSpec } from '../charts/types';
import { useVisibility } from '../charts/visibility';
import { formatChosen, UNIT_SPACE } from '../ui/format';
import { scaleOf, traceLegend, traceSeries, useCapacities, type TraceSeries } from './comparison';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps } from './registry';
import type { CapacitySeries } from './trace-data';
import styles from './plots.module.css';

const options = z.object({
  layout: z
    .enum(['below', 'over'])
    .default('below')
    .meta({ title: 'Traces', labels: { below: 'one below the other', over: 'over one another' } }),
  scale: z
    .enum(['auto', 'linear', 'log'])
    .default('auto')
    .meta({ title: 'Scale', labels: { auto: 'as fits' } }),
});
type Options = z.output<typeof options>;
type Drawn = readonly [TraceSeries, CapacitySeries];

const lineOf = ([{ id, label, look }, { mean }]: Drawn, over: boolean): SeriesSpec => ({
  id: `mean-${id}`,
  kind: 'step',
  label,
  unit: 'Mbps',
  group: id,
  data: mean,
  style: { colour: look.colour, width: 1.25, ...(over ? { dash: look.dash } : {}) },
});

const bandOf = ([{ id, label, look }, { min, max }]: Drawn): SeriesSpec => ({
  id: `range-${id}`,
  kind: 'band',
  label: `${label}, least to greatest 10 ms`,
  unit: 'Mbps',
  group: id,
  lower: min,
  upper: max,
  style: { colour: look.colour, fill: look.colour, opacity: 0.16 },
});

/** From the least mean above zero to the greatest value of all; rare bursts far above all means are left out where they would flatten them. */
function spanOf(drawn: readonly Drawn[], range: Range, over: boolean, scale: 'linear' | 'log'): Range {
  const top = (of: 'mean' | 'max'): number =>
    Math.max(0, ...drawn.map(([, capacity]) => extremes(capacity[of], range)?.[1] ?? 0));
  const [lines, band] = [top('mean'), over ? 0 : top('max')];
  const least = drawn.flatMap(([, { mean }]) => [...mean.y.subarray(0, mean.length)]).filter((rate) => rate > 0);
  return [
    least.reduce((a, b) => Math.min(a, b), Infinity),
    scale === 'log' ? Math.max(lines, band) : withBand(lines, band),
  ];
}

function panelsOf(drawn: readonly Drawn[], { layout, scale: chosen }: Options, range: Range): PanelSpec[] {
  const scale = scaleOf(
    chosen,
    drawn.map(([one]) => one),
  );
  const [least, top] = spanOf(drawn, range, layout === 'over', scale);
  const y = { unit: 'Mbps', span: [scale === 'log' ? least : 0, top], scale, cut: 'bands' } as const;
  if (layout === 'over')
    return [{ id: 'over', title: 'Capacity of all', series: drawn.map((one) => lineOf(one, true)), y }];
  return drawn.map((one) => ({
    id: `capacity-${one[0].id}`,
    title: `Capacity of ${one[0].label}`,
    series: [bandOf(one), lineOf(one, false)],
    y,
  }));
}

function Capacity({ data, options: chosen, setOptions, size, theme }: PlotProps<'comparison', Options>) {
  const { view, visibility, traces } = data;
  const range = useTimeView(view, (now) => now.range);
  const { hidden } = useVisibility(visibility);
  const bins = Math.max(100, Math.round(size.width));
  const { values, error } = useCapacities(traces, view.zoomed ? range : 'all', bins);
  const series = useMemo(() => traceSeries(data, theme), [data, theme]);
  const panels = useMemo(() => {
    const drawn = series.flatMap((one, i): Drawn[] => {
      const value = values[i];
      return value === null || value === undefined || hidden.has(one.id) ? [] : [[one, value]];
    });
    return panelsOf(drawn, chosen, range);
  }, [series, values, hidden, chosen, range]);
  const bin = Math.max(0, ...values.map((value) => value?.bin_ms ?? 0));
  const height = chosen.layout === 'over' ? size.height : Math.max(96, Math.min(160, size.height / 2));
  return (
    <Figure
      name="capacity-compared"
      title="Capacity over time"
      subtitle={
        bin === 0
          ? ''
          : `Mbps in bins of up to ${formatChosen(bin)}${UNIT_SPACE}ms, all on one scale: mean${chosen.layout === 'over' ? '' : ', and least to greatest 10 ms rate within'}${panels.some((panel) => isCut(panel, range, visibility)) ? '; ▴ beyond the scale' : ''}. A trace that has ended starts again when it runs`
      }
      legend={traceLegend(series, chosen.layout === 'over')}
      visibility={visibility}
      table={() => panelRows(panels, view.range, visibility)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      {panels.length === 0 ? (
        <p className={styles['waiting']} style={{ height }}>
          {error ??
            (values.length === 0 ? 'Loading the traces …' : 'All traces are hidden, or none reaches this time.')}
        </p>
      ) : (
        panels.map((spec, i) => (
          <TimeSeriesPanel
            key={spec.id}
            spec={spec}
            view={view}
            visibility={visibility}
            width={size.width}
            height={height + (i === panels.length - 1 ? 20 : 0)}
            timeAxis={i === panels.length - 1}
          />
        ))
      )}
      {error !== null && panels.length > 0 && (
        <p role="alert" className={styles['problem']}>
          {error}
        </p>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'compare-capacity',
  title: 'Capacity over time',
  needs: 'comparison',
  order: 10,
  height: 260,
  options,
  // Detail is loaded as the view moves; the rows of the whole traces at a glance are their thumbnails.
  table: ({ traces }, _options, { hidden }) => ({
    columns: ['trace', 'time_s', 'capacity_mbps'],
    rows: traces
      .filter(({ trace }) => !hidden.has(trace.id))
      .flatMap(({ trace }) =>
        trace.spark.map((rate, i) => [trace.name, ((i + 1) * trace.info.period_ms) / 1000 / trace.spark.length, rate]),
      ),
  }),
  Component: Capacity,
});
