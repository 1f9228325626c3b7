// Time-sequence diagram: every packet where it was sent, what was sent again, what was lost, and how far acknowledgements have come.
import { scaleLinear } from 'd3';
import { useEffect, useMemo, useRef } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import type { LegendItem } from '../charts/figure-props';
import { AxisBottom, AxisLeft, AxisTitles, Grid, type Frame, type Place } from '../charts/marks';
import { useVisibility } from '../charts/visibility';
import type { Playhead } from '../packets/playhead';
import { formatCount } from '../ui/format';
import { flowsOf, type Flow } from './flows';
import { packetRows } from './packet-rows';
import { sequencesOf, type SequenceOfFlow, type SequencePoint, type SequenceWay } from './packet-sequence';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';
import styles from './packets.module.css';

const options = z.object({});
type Options = z.output<typeof options>;

/** Beyond, the lines from sending to arrival would be one grey area. */
const MOST_WAYS = 300;

const px = (value: number): string => value.toFixed(1);

/** Dots as one path of points, drawn with round ends. */
const dots = (points: readonly SequencePoint[], x: Place, y: Place): string =>
  points.map(({ time_s, segment }) => `M${px(x(time_s))},${px(y(segment))}h0`).join('');
const boxes = (points: readonly SequencePoint[], x: Place, y: Place): string =>
  points.map(({ time_s, segment }) => `M${px(x(time_s) - 2.5)},${px(y(segment) - 2.5)}h5v5h-5z`).join('');
const crosses = (points: readonly SequencePoint[], x: Place, y: Place): string =>
  points.map(({ time_s, segment }) => `M${px(x(time_s) - 3.5)},${px(y(segment) - 3.5)}l7,7m-7,0l7,-7`).join('');
const ways = (points: readonly SequenceWay[], x: Place, y: Place): string =>
  points.map(({ time_s, ended_s, segment }) => `M${px(x(time_s))},${px(y(segment))}H${px(x(ended_s))}`).join('');
const stairs = (points: readonly SequencePoint[], x: Place, y: Place): string =>
  points
    .map(({ time_s, segment }, i) =>
      i === 0 ? `M${px(x(time_s))},${px(y(segment))}` : `H${px(x(time_s))}V${px(y(segment))}`,
    )
    .join('');

interface DrawnFlow extends SequenceOfFlow {
  readonly look: Flow['look'];
  readonly key: string;
}

function FlowMarks({
  drawn,
  x,
  y,
  far,
}: {
  readonly drawn: DrawnFlow;
  readonly x: Place;
  readonly y: Place;
  readonly far: boolean;
}) {
  const { look, sent, again, gone, acked } = drawn;
  const { colour } = look;
  return (
    <>
      {far ? null : <path d={ways([...sent, ...again], x, y)} stroke={colour} strokeOpacity={0.22} />}
      <path d={stairs(acked, x, y)} stroke={colour} strokeWidth={1.4} strokeDasharray={look.dash.join(' ')} />
      <path d={dots(sent, x, y)} stroke={colour} strokeWidth={far ? 2 : 3} strokeLinecap="round" />
      <path d={boxes(again, x, y)} stroke={colour} strokeWidth={1.2} fill="var(--surface)" />
      <path d={crosses(gone, x, y)} stroke="var(--danger)" strokeWidth={1.6} />
    </>
  );
}

/** Where the picture of packets stands. */
function HeadLine({ playhead, x, frame }: { readonly playhead: Playhead; readonly x: Place; readonly frame: Frame }) {
  const line = useRef<SVGLineElement>(null);
  useEffect(() => {
    const move = (): void => {
      const at = px(x(playhead.getAt()));
      line.current?.setAttribute('x1', at);
      line.current?.setAttribute('x2', at);
    };
    move();
    return playhead.subscribeAt(move);
  }, [playhead, x]);
  return <line ref={line} className={styles['head']} y1={frame.top} y2={frame.bottom} data-export="none" />;
}

function Sequence({ data, size, theme }: PlotProps<'packets', Options>) {
  const { facts, visibility, playhead, manifest } = data;
  const { hidden } = useVisibility(visibility);
  const flows = useMemo(() => flowsOf(data, new Map(), theme), [data, theme]);
  const all = useMemo(() => sequencesOf(facts, manifest.flows.length), [facts, manifest.flows.length]);
  const shown = all.flatMap((one): DrawnFlow[] => {
    const flow = flows[one.flow];
    return flow === undefined || hidden.has(flow.key) ? [] : [{ ...one, look: flow.look, key: flow.key }];
  });
  const frame: Frame = { left: 52, right: size.width - 24, top: 30, bottom: size.height - 40 };
  const x = useMemo(
    () => scaleLinear([facts.from_s, facts.to_s], [frame.left, frame.right]),
    [facts, frame.left, frame.right],
  );
  const segments = shown.flatMap(({ sent, again, acked }) =>
    [sent, again, acked].flatMap((points) => points.map(({ segment }) => segment)),
  );
  const reach = segments.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [0, 1],
  );
  const y = scaleLinear(reach, [frame.bottom, frame.top]).nice(5);
  const xTicks = x.ticks(Math.max(2, (frame.right - frame.left) / 90));
  const yTicks = y.ticks(5);
  const far = shown.reduce((sum, { sent, again }) => sum + sent.length + again.length, 0) > MOST_WAYS;
  const counted = shown.map(
    ({ key, sent, again, gone }) =>
      `${flows.find((flow) => flow.key === key)?.label ?? ''}: ${formatCount(sent.length)} packets, ${formatCount(again.length)} retransmissions, ${formatCount(gone.length)} lost`,
  );
  return (
    <Figure
      name={`${data.id}-packet-sequence`}
      title="Time–sequence diagram"
      subtitle={`segments from where each flow stands when the window begins, over when they were sent${far ? '' : '; a line leads to when they arrive'}`}
      legend={[...flowLegend(flows), ...MARKS(theme.ink2, theme.danger)]}
      visibility={visibility}
      spoken
      table={() => packetRows(data, visibility.state.hidden)}
    >
      <svg width={size.width} height={size.height} data-figure-part="" role="img" aria-label={counted.join('; ')}>
        <Grid frame={frame} x={xTicks.map(x)} y={yTicks.map(y)} />
        <clipPath id={`${data.id}-sequence-frame`}>
          <rect x={frame.left} y={0} width={frame.right - frame.left} height={size.height} />
        </clipPath>
        <g fill="none" clipPath={`url(#${data.id}-sequence-frame)`}>
          {shown.map((one) => (
            <g key={one.key} opacity={visibility.emphasis({ group: one.key })}>
              <FlowMarks drawn={one} x={x} y={y} far={far} />
            </g>
          ))}
        </g>
        <HeadLine playhead={playhead} x={x} frame={frame} />
        <AxisBottom ticks={xTicks} place={x} at={frame.bottom} from={frame.left} to={frame.right} />
        <AxisLeft ticks={yTicks} place={y} at={frame.left} from={frame.top} to={frame.bottom} />
        <AxisTitles x="time, s" y="segment" frame={frame} />
      </svg>
    </Figure>
  );
}

const MARKS = (ink: string, danger: string): LegendItem[] => [
  { key: 'acked', label: 'acknowledged', colour: ink, glyph: 'line', fixed: true },
  {
    key: 'again',
    label: 'sent again',
    colour: ink,
    glyph: 'marker',
    marker: 'M-3.5,-3.5h7v7h-7z',
    hollow: true,
    fixed: true,
  },
  {
    key: 'gone',
    label: 'dropped or lost',
    colour: danger,
    glyph: 'marker',
    marker: 'M-4,-4L4,4M-4,4L4,-4',
    hollow: true,
    fixed: true,
  },
];

export const plot = definePlot({
  id: 'packet-sequence',
  title: 'Time–sequence diagram',
  needs: 'packets',
  order: 20,
  height: 320,
  options,
  table: (data, _, { hidden }) => packetRows(data, hidden),
  Component: Sequence,
});
