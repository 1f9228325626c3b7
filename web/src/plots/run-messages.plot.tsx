// How long transfers and frames took, as shares: the usual picture of flow-completion times and frame delays.
import { scaleLinear, scaleLog } from 'd3';
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import type { Table } from '../charts/types';
import { formatChosen, formatDelay, plural, UNIT_SPACE } from '../ui/format';
import { getTheme } from '../theme/theme';
import type { RunPlotData } from './data';
import { flowsOf } from './flows';
import { deadlinesOf, messagesOf, type FlowMessages } from './messages';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps, type Shown } from './registry';
import { flowLegend } from './run-plot';
import plots from './plots.module.css';
import styles from './messages.module.css';

const options = z.object({
  scale: z.enum(['log', 'linear']).default('log').meta({ title: 'Delay' }),
});
type Options = z.output<typeof options>;

const TOP = 22;
const BOTTOM = 40;
const LEFT = 40;
const RIGHT = 12;
/** While a run grows the curves are drawn again for so many new events. */
const EVENTS_PER_PICTURE = 20;

const titleOf = ({ manifest }: RunPlotData): string => {
  const kinds = new Set(manifest.flows.map(({ source }) => source.kind));
  const names = [
    ...(kinds.has('transfers') ? ['transfers'] : []),
    ...(kinds.has('frames') ? ['frames'] : []),
    ...(kinds.has('replay') ? ['replayed writes'] : []),
  ];
  return `How long ${names.join(' and ')} took`;
};

/** Up by one message's share at each delay. */
function staircase(delays: readonly number[], x: (delay: number) => number, y: (share: number) => number): string {
  const steps = delays.map((delay, i) => `H${x(delay).toFixed(1)}V${y((i + 1) / delays.length).toFixed(1)}`);
  return `M${x(delays[0] ?? 0).toFixed(1)},${y(0)}${steps.join('')}`;
}

const sortedDelays = ({ messages }: FlowMessages): number[] =>
  messages.map(({ delay_ms }) => delay_ms).sort((a, b) => a - b);
const at = (sorted: readonly number[], share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;

function subtitleOf(all: readonly FlowMessages[]): string {
  const count = all.reduce((sum, { messages }) => sum + messages.length, 0);
  const more = all.some((of) => of.more) ? 'the first ones only; ' : '';
  return `${more}from when the application wrote it to its last byte at the receiver, ${plural(count, 'message')}`;
}

function MessagesPlot({ data, options: chosen, setOptions, size, theme }: PlotProps<'run', Options>) {
  const { samples, visibility } = data;
  const seen = useSyncExternalStore(samples.subscribe, () =>
    samples.complete ? samples.events.length : Math.floor(samples.events.length / EVENTS_PER_PICTURE),
  );
  const streams = samples.streams;
  const all = useMemo(
    () => messagesOf(samples, data, flowsOf(data, streams, theme)),
    // `seen` stands for the events, which grow in place.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [samples, data, streams, theme, seen],
  );
  const hidden = useSyncExternalStore(visibility.subscribe, () => visibility.state.hidden);
  if (all.length === 0) return null;
  const some = all.some(({ messages }) => messages.length > 0);
  return (
    <Figure
      name={`${data.id}-messages`}
      title={titleOf(data)}
      subtitle={subtitleOf(all)}
      legend={flowLegend(all.map(({ flow }) => flow))}
      visibility={visibility}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
      table={() => tableOf(all, { range: data.view.range, hidden })}
    >
      {some ? (
        <Curves
          all={all.filter(({ flow, messages }) => messages.length > 0 && !hidden.has(flow.key))}
          deadlines={deadlinesOf(data)}
          log={chosen.scale === 'log'}
          width={size.width}
          height={size.height}
        />
      ) : (
        <p className={plots['waiting']} style={{ height: size.height }}>
          {samples.complete ? 'None of them arrived as a whole.' : 'None is whole yet …'}
        </p>
      )}
    </Figure>
  );
}

interface CurvesProps {
  readonly all: readonly FlowMessages[];
  readonly deadlines: readonly number[];
  readonly log: boolean;
  readonly width: number;
  readonly height: number;
}

function Curves({ all, deadlines, log, width, height }: CurvesProps) {
  const curves = all.map((of) => ({ flow: of.flow, delays: sortedDelays(of) }));
  const values = curves.flatMap(({ delays }) => [delays[0] ?? 1, delays.at(-1) ?? 1]);
  const [least, most] = [Math.max(Math.min(...values, ...deadlines), 0.01), Math.max(...values, ...deadlines)];
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const x = log
    ? scaleLog([least / 1.1, most * 1.1], [LEFT, right])
    : scaleLinear([0, most * 1.02], [LEFT, right]).nice();
  const y = scaleLinear([0, 1], [bottom, TOP]);
  const ticks = log ? logTicks(least, most, right - LEFT) : x.ticks(Math.max(3, (right - LEFT) / 90));
  const unit = tickFormat(ticks, 'ms');
  const spoken = curves
    .map(
      ({ flow, delays }) =>
        `${flow.label}: half within ${formatDelay(at(delays, 0.5))}, 95 percent within ${formatDelay(at(delays, 0.95))}`,
    )
    .join('; ');
  return (
    <svg width={width} height={height} data-figure-part="" className={styles['svg']} role="img" aria-label={spoken}>
      <g className={styles['grid']}>
        {[0.25, 0.5, 0.75, 1].map((tick) => (
          <path key={tick} d={`M${LEFT},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      {deadlines.map((deadline) => (
        <g key={deadline} className={styles['deadline']}>
          <path d={`M${x(deadline)},${TOP}V${bottom}`} />
          <text
            x={x(deadline) + (x(deadline) > right - 90 ? -5 : 5)}
            y={bottom - 6}
            textAnchor={x(deadline) > right - 90 ? 'end' : 'start'}
          >
            {`deadline ${formatDelay(deadline)}`}
          </text>
        </g>
      ))}
      {curves.map(({ flow, delays }) => (
        <path
          key={flow.key}
          className={styles['curve']}
          d={staircase(delays, x, y)}
          stroke={flow.look.colour}
          strokeDasharray={flow.look.dash.join(' ')}
        />
      ))}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={log ? tickOf : unit.format} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={[0, 0.25, 0.5, 0.75, 1]} format={(share) => `${share * 100}`} at={LEFT} />
      <text x={LEFT - 6} y={10} textAnchor="end" className={styles['unit']}>
        %
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        {log ? 'delay' : `delay, ${unit.unit}`}
      </text>
    </svg>
  );
}

const tickOf = (delay: number): string =>
  delay < 1000 ? `${formatChosen(delay)}${UNIT_SPACE}ms` : `${formatChosen(delay / 1000)}${UNIT_SPACE}s`;

/** 1, 2, 5 of each decade, as many as fit. */
function logTicks(least: number, most: number, width: number): number[] {
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(least)); decade <= Math.ceil(Math.log10(most)); decade++)
    for (const step of [1, 2, 5]) {
      const tick = step * 10 ** decade;
      if (tick >= least / 1.1 && tick <= most * 1.1) ticks.push(tick);
    }
  const tens = ticks.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6));
  return ticks.length * 60 > width && tens.length >= 2 ? tens : ticks;
}

/** Every message that became whole in the range, so that the figure can be drawn again, or another one. */
function tableOf(all: readonly FlowMessages[], { range, hidden }: Shown): Table {
  const [from, to] = range ?? [-Infinity, Infinity];
  return {
    columns: ['time_s', 'flow', 'bytes', 'delay_ms'],
    rows: all
      .filter(({ flow }) => !hidden.has(flow.key))
      .flatMap(({ flow, messages }) =>
        messages
          .filter(({ time_s }) => time_s >= from && time_s <= to)
          .map(({ time_s, bytes, delay_ms }) => [time_s, flow.label, bytes, delay_ms]),
      ),
  };
}

export const plot = definePlot({
  id: 'messages',
  title: 'How long transfers and frames took',
  needs: 'run',
  order: 45,
  height: 230,
  options,
  table: (data, _, shown) =>
    tableOf(messagesOf(data.samples, data, flowsOf(data, data.samples.streams, getTheme())), shown),
  Component: MessagesPlot,
});
