// Phase plot: the window of each flow against its RTT, or its delivery rate against what it has in flight, on its way through the run.
// It ends where the replay stands, and is of the time that the panels show.
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { baseRttMs } from '#protocol/base-rtt';
import { Figure } from '../charts/Figure';
import { useCalmRange, type Range } from '../charts/time-view';
import { useVisibility } from '../charts/visibility';
import type { Table } from '../charts/types';
import { formatDuration, formatMeasured } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import type { RunPlotData, RunSamples } from './data';
import { flowsOf, meanCapacityMbps } from './flows';
import { OptionControls } from './OptionControls';
import { PhasePicture, type PhaseRule, type PhaseSeries } from './PhasePicture';
import { phasePoints, stepOf, type PhaseColumns } from './phase-points';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';

const options = z.object({
  axes: z
    .enum(['window', 'delivery'])
    .default('window')
    .meta({
      title: 'Axes',
      labels: { window: 'window against RTT', delivery: 'delivery rate against bytes in flight' },
    }),
});
type Options = z.output<typeof options>;

interface Axes extends PhaseColumns {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly names: readonly [x: string, y: string];
}

const AXES: Readonly<Record<Options['axes'], Axes>> = {
  window: {
    title: 'Congestion window against RTT',
    x: 'latest_rtt_ms',
    xUnit: 1,
    xTitle: 'RTT, ms',
    y: 'cwnd_bytes',
    yUnit: 1000,
    yTitle: 'congestion window, kB',
    names: ['rtt_ms', 'cwnd_kb'],
  },
  delivery: {
    title: 'Delivery rate against bytes in flight',
    x: 'inflight_bytes',
    xUnit: 1000,
    xTitle: 'bytes in flight, kB',
    y: 'delivery_rate_mbps',
    yUnit: 1,
    yTitle: 'delivery rate, Mbps',
    names: ['inflight_kb', 'delivery_rate_mbps'],
  },
};

const seriesOf = (
  data: RunPlotData,
  samples: RunSamples,
  columns: PhaseColumns,
  range: Range,
  theme: Theme,
): PhaseSeries[] =>
  flowsOf(data, samples.streams, theme).flatMap((flow) =>
    flow.sender === undefined
      ? []
      : [
          {
            flow,
            points: phasePoints(
              {
                time: flow.sender.time,
                rows: flow.sender.rows,
                column: (name: string) => flow.sender?.column(name),
              },
              columns,
              range,
              stepOf(range),
            ),
          },
        ],
  );

/** Beyond this share of the points the axes end; those out there stand at the edge. */
const SHOWN_SHARE = 0.995;

function reachOf(series: readonly PhaseSeries[], of: 'x' | 'y', least: number): number {
  const values = Float64Array.from(series.flatMap(({ points }) => points.map((point) => point[of]))).sort();
  return Math.max(values[Math.floor((values.length - 1) * SHOWN_SHARE)] ?? 0, least, 1e-3);
}

/** More lines than these cannot be told apart: of flows with many base RTTs the least and the greatest. */
const MOST_RTTS = 3;

/** What the plane is measured against: base RTTs, the BDP of the mean capacity, and what a flow alone has without a queue. */
function rulesOf(data: RunPlotData, { axes }: Options): PhaseRule[] {
  const { manifest } = data;
  const found = [...new Set(manifest.flows.map((flow) => baseRttMs(manifest, flow)))].sort((a, b) => a - b);
  const rtts = found.length > MOST_RTTS ? [found[0] ?? 0, found.at(-1) ?? 0] : found;
  const path = baseRttMs(manifest);
  const capacity = meanCapacityMbps(data);
  // Mbps x ms = 125 B
  const bdp = capacity === null ? null : (capacity * path) / 8;
  const bdpRule = (at: Pick<PhaseRule, 'x' | 'y'>): PhaseRule[] =>
    bdp === null || bdp <= 0 ? [] : [{ key: 'bdp', label: `mean BDP, ${formatMeasured(bdp)} kB`, ...at }];
  if (axes === 'window')
    return [
      ...rtts.map((rtt) => ({ key: `rtt ${rtt}`, label: `base RTT, ${formatMeasured(rtt)} ms`, x: rtt, y: null })),
      ...bdpRule({ x: null, y: bdp }),
    ];
  return [
    ...bdpRule({ x: bdp, y: null }),
    ...(capacity === null
      ? []
      : [{ key: 'capacity', label: `mean capacity, ${formatMeasured(capacity)} Mbps`, x: null, y: capacity }]),
    // kB in flight over ms are 8 Mbps.
    ...(path > 0 ? [{ key: 'no queue', label: 'no queue', x: null, y: null, slope: 8 / path }] : []),
  ];
}

/** Rows come every few milliseconds; the picture has a point every step. */
const useNewest = ({ samples }: RunPlotData, step: number): number =>
  useSyncExternalStore(samples.subscribe, () => Math.floor(samples.timeS / step));

function Phase({ data, options: chosen, setOptions, size, theme }: PlotProps<'run', Options>) {
  const { samples, view, visibility } = data;
  const { hidden } = useVisibility(visibility);
  const range = useCalmRange(view);
  const step = stepOf(range);
  const newest = useNewest(data, step);
  const streams = useSyncExternalStore(samples.subscribe, () => samples.streams.size);
  const axes = AXES[chosen.axes];
  const series = useMemo(
    () => (streams >= 0 && newest >= 0 ? seriesOf(data, samples, axes, range, theme) : []),
    [data, samples, axes, range, theme, newest, streams],
  );
  const rules = useMemo(() => rulesOf(data, chosen), [data, chosen]);
  // The axes have room for all of a run that is replayed: points move, and what they are measured by does not.
  const { all } = data;
  const complete = all?.complete === true;
  const whole = useMemo(
    () => (all === undefined || !complete ? null : seriesOf(data, all, axes, range, theme)),
    [data, all, complete, axes, range, theme],
  );
  const measured = (whole ?? series).filter(({ flow }) => !hidden.has(flow.key));
  const ruleOf = (of: 'x' | 'y'): number => Math.max(0, ...rules.map((rule) => (rule[of] ?? 0) * 1.1));
  // Before anything is known, and of flows that tell neither quantity, there is no plane.
  const unknown = series.every(({ points }) => points.length === 0) && samples.complete;
  // Who has asked for other axes finds the way back.
  if (unknown && chosen.axes === 'window') return null;
  const shown = series.filter(({ flow }) => !hidden.has(flow.key));
  return (
    <Figure
      name={`${data.id}-phase`}
      title={axes.title}
      subtitle={
        unknown
          ? 'the senders of this run do not tell it'
          : `the sample every ${formatDuration(step)} of the time shown, from faint to strong; the marker is the newest${data.overlays === undefined ? '' : '; dashed: of the first run'}`
      }
      legend={flowLegend(
        series.map(({ flow }) => ({ ...flow, index: 0, cca: undefined, sender: undefined, receiver: undefined })),
      )}
      visibility={visibility}
      spoken
      table={() => tableOf(shown, axes)}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
    >
      <PhasePicture
        series={shown}
        rules={rules}
        x={axes.xTitle}
        y={axes.yTitle}
        reach={{ x: reachOf(measured, 'x', ruleOf('x')), y: reachOf(measured, 'y', ruleOf('y')) }}
        range={range}
        width={size.width}
        height={size.height}
        theme={theme}
        emphasis={(key) => visibility.emphasis({ group: key })}
        view={view}
      />
    </Figure>
  );
}

function tableOf(series: readonly PhaseSeries[], { names }: Axes): Table {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { flow, points } of series) for (const { time_s, x, y } of points) yield [time_s, flow.label, x, y];
  }
  return { columns: ['time_s', 'series', ...names], rows: rows() };
}

export const plot = definePlot({
  id: 'phase',
  title: 'Congestion window against RTT',
  needs: 'run',
  order: 48,
  height: 340,
  whenSeen: true,
  options,
  table: (data, { axes }, { range, hidden }) => {
    const series = seriesOf(data, data.samples, AXES[axes], range ?? data.view.extent, getTheme());
    return tableOf(
      series.filter(({ flow }) => !hidden.has(flow.key)),
      AXES[axes],
    );
  },
  Component: Phase,
});
