// Bytes in flight, or throughput, against RTT: of each flow of a run that is over a point every so often, and the ellipse that holds 95 %.
import { useMemo, useSyncExternalStore } from 'react';
import { covarianceEllipse } from '#analysis/ellipse';
import {
  inflightSteps,
  SPACINGS,
  sendingOf,
  spacingsOf,
  throughputSteps,
  type PlanePoints,
} from '#analysis/sampled-plane';
import { finish } from '#analysis/steps';
import { Figure } from '../charts/Figure';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import type { Table } from '../charts/types';
import { plural } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import type { RunPlotData } from './data';
import { flowsOf } from './flows';
import { OptionControls } from './OptionControls';
import { planeOptions, PLANE_TITLES, type PlaneOptions } from './plane-options';
import { PlanePicture, reachOf, type PlaneSeries } from './PlanePicture';
import { definePlot, type PlotProps, type Shown } from './registry';
import { columnsIn } from './run-columns';
import { flowLegend } from './run-plot';

/** What all flows have together has a key of its own. */
const ALL = 'all flows';

function seriesOf(data: RunPlotData, { y, spacing }: PlaneOptions, theme: Theme): PlaneSeries[] {
  const { samples, manifest, overlays } = data;
  if (!samples.complete || overlays !== undefined || !spacingsOf(manifest).includes(spacing)) return [];
  const flows = sendingOf(manifest, columnsIn(samples));
  const named = flowsOf(data, samples.streams, theme);
  const made = (points: PlanePoints, rest: Pick<PlaneSeries, 'key' | 'label' | 'look'>): PlaneSeries[] =>
    points.y.length === 0
      ? []
      : [{ ...rest, xs: points.rtt_ms, ys: points.y, ellipse: covarianceEllipse(points.rtt_ms, points.y) }];
  if (y === 'inflight')
    return flows.flatMap((flow) => {
      const own = named[flow.flow];
      return own === undefined ? [] : made(finish(inflightSteps(flow, SPACINGS[spacing])), own);
    });
  const [first] = named;
  const alone = named.length === 1 && first !== undefined;
  const rest = alone
    ? first
    : { key: ALL, label: ALL, look: { ...identity(UNKNOWN_IDENTITY, theme), colour: theme.ink2 } };
  return made(finish(throughputSteps(flows, SPACINGS[spacing])), rest);
}

function Plane({ data, options, setOptions, size, theme }: PlotProps<'run', PlaneOptions>) {
  const { samples, visibility } = data;
  const complete = useSyncExternalStore(samples.subscribe, () => samples.complete);
  const hidden = useSyncExternalStore(visibility.subscribe, () => visibility.state.hidden);
  const series = useMemo(() => (complete ? seriesOf(data, options, theme) : []), [data, complete, options, theme]);
  const shown = series.filter(({ key }) => !hidden.has(key));
  const coarse = !spacingsOf(data.manifest).includes(options.spacing);
  const points = shown.reduce((total, { xs }) => total + xs.length, 0);
  if (complete && series.length === 0 && !coarse) return null;
  const flows = flowsOf(data, samples.streams, theme);
  return (
    <Figure
      name={`${data.id}-plane`}
      title={options.y === 'inflight' ? 'Bytes in flight against RTT' : 'Throughput against RTT'}
      subtitle={
        coarse
          ? `samples are further apart than ${options.spacing}`
          : `${plural(points, 'point')}, each a mean over ${options.spacing}; ellipses hold 95 % of them; from samples`
      }
      legend={options.y === 'inflight' ? flowLegend(flows) : []}
      visibility={visibility}
      table={() => tableOf(series, options, { range: data.view.range, hidden })}
      controls={<OptionControls schema={planeOptions} options={options} setOptions={setOptions} />}
    >
      {series.length === 0 ? null : (
        <PlanePicture
          series={shown}
          x="RTT, ms"
          y={PLANE_TITLES[options.y]}
          reach={reachOf(shown.length === 0 ? series : shown)}
          width={size.width}
          height={size.height}
        />
      )}
    </Figure>
  );
}

/** Points have no time, so that they are in the rows only while all of the run is shown. */
function tableOf(series: readonly PlaneSeries[], { y }: PlaneOptions, { range, hidden }: Shown): Table {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { key, label, xs, ys } of range === null ? series : [])
      if (!hidden.has(key)) for (const [i, x] of xs.entries()) yield [null, label, x, ys[i] ?? null];
  }
  return {
    columns: ['time_s', 'series', 'rtt_ms', y === 'inflight' ? 'inflight_kb' : 'throughput_mbps'],
    rows: rows(),
  };
}

export const plot = definePlot({
  id: 'plane',
  title: 'Bytes in flight against RTT',
  needs: 'run',
  order: 50,
  height: 320,
  options: planeOptions,
  table: (data, options, shown) => tableOf(seriesOf(data, options, getTheme()), options, shown),
  Component: Plane,
});
