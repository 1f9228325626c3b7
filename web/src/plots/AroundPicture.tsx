// Averages around the marks of a run, a panel for each quantity, and under each what it was near them beside all else.
import { area, line, scaleLinear } from 'd3';
import type { AroundMarks, AroundQuantity, AroundSeries } from '#analysis/around-marks';
import { SvgAxis } from '../charts/SvgAxis';
import { formatMeasured } from '../ui/format';
import type { Theme } from '../theme/theme';
import { keyOf, QUANTITIES } from './around';
import { BoxMark } from './BoxMark';
import type { Flow } from './flows';
import styles from './course.module.css';

const LINES = 150;
const BOXES = 104;
const HEAD = 22;
const AXIS = 38;
const GAP = 18;
const PANEL = HEAD + LINES + AXIS + HEAD + BOXES + GAP;
/** Beside one another where each has this much room. */
const ROOM = 280;
const ORDER: readonly AroundQuantity[] = ['throughput', 'rtt', 'queueing'];

export interface AroundPictureProps {
  readonly found: AroundMarks;
  readonly flows: readonly Flow[];
  readonly hidden: ReadonlySet<string>;
  readonly width: number;
  readonly theme: Theme;
}

export function AroundPicture({ found, flows, hidden, width, theme }: AroundPictureProps) {
  const panels = ORDER.map((quantity) => ({
    quantity,
    series: found.series.filter((one) => one.quantity === quantity && !hidden.has(keyOf(one.flow))),
  })).filter(({ series }) => series.some(({ around }) => around.some(({ value }) => value !== null)));
  const beside = Math.max(1, Math.min(panels.length, Math.floor(width / ROOM)));
  const each = width / beside;
  return (
    <svg
      width={width}
      height={Math.ceil(panels.length / beside) * PANEL}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={panels.map(({ series }) => series.map((one) => spoken(one, found, flows)).join('; ')).join('; ')}
    >
      {panels.map(({ quantity, series }, i) => (
        <g key={quantity} transform={`translate(${(i % beside) * each},${Math.floor(i / beside) * PANEL})`}>
          <Lines {...{ quantity, series, found, flows, theme }} width={each} />
          <Boxes {...{ series, flows, theme }} width={each} top={HEAD + LINES + AXIS} />
        </g>
      ))}
    </svg>
  );
}

const nameOf = ({ flow }: AroundSeries, flows: readonly Flow[]): string =>
  flow === null ? 'link' : (flows[flow]?.label ?? `flow ${flow + 1}`);
const colourOf = ({ flow }: AroundSeries, flows: readonly Flow[], theme: Theme): string =>
  flow === null ? theme.ink3 : (flows[flow]?.look.colour ?? theme.ink2);

const spoken = (one: AroundSeries, found: AroundMarks, flows: readonly Flow[]): string => {
  const { title, unit } = QUANTITIES[one.quantity];
  return `${title} of ${nameOf(one, flows)}: median ${formatMeasured(one.near?.p50)} ${unit} within ${found.rule.near_s} s of ${found.of}, ${formatMeasured(one.rest?.p50)} elsewhere`;
};

interface Point {
  readonly at_s: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** An average of two events has no interval: its band is its line. */
const pointsOf = ({ around }: AroundSeries): Point[] =>
  around.flatMap(({ at_s, value }) =>
    value === null ? [] : [{ at_s, mean: value.mean, low: value.low ?? value.mean, high: value.high ?? value.mean }],
  );

interface LinesProps extends Pick<AroundPictureProps, 'found' | 'flows' | 'theme' | 'width'> {
  readonly quantity: AroundQuantity;
  readonly series: readonly AroundSeries[];
}

function Lines({ quantity, series, found, flows, theme, width }: LinesProps) {
  const { title, unit } = QUANTITIES[quantity];
  const [left, right, top, bottom] = [46, width - 14, HEAD, HEAD + LINES];
  const { before_s, after_s } = found.rule;
  const x = scaleLinear([-before_s, after_s], [left, right]);
  const all = series.map((one) => ({ one, points: pointsOf(one) }));
  const highest = Math.max(1e-6, ...all.flatMap(({ points }) => points.map(({ mean }) => mean)));
  // Of few events an interval may be far wider than all that is measured.
  const ceiling = Math.min(
    2 * highest,
    Math.max(highest, ...all.flatMap(({ points }) => points.map(({ high }) => high))),
  );
  const y = scaleLinear([0, ceiling * 1.05], [bottom, top]).clamp(true);
  const ticks = y.ticks(4);
  const path = line<Point>(
    ({ at_s }) => x(at_s),
    ({ mean }) => y(mean),
  );
  const band = area<Point>(
    ({ at_s }) => x(at_s),
    ({ low }) => y(Math.max(0, low)),
    ({ high }) => y(high),
  );
  return (
    <g>
      <text x={4} y={14} className={styles['heading']}>{`${title}, ${unit}`}</text>
      <g className={styles['grid']}>
        {ticks.map((tick) => (
          <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      <path d={`M${x(0)},${top}V${bottom}`} stroke={theme.ink3} strokeDasharray="3 3" />
      {all.map(({ one, points }) => (
        <path
          key={`band ${keyOf(one.flow)}`}
          d={band(points) ?? ''}
          fill={colourOf(one, flows, theme)}
          opacity={0.16}
        />
      ))}
      {all.map(({ one, points }) => (
        <path
          key={keyOf(one.flow)}
          d={path(points) ?? ''}
          fill="none"
          stroke={colourOf(one, flows, theme)}
          strokeWidth={1.6}
          strokeDasharray={one.flow === null ? undefined : flows[one.flow]?.look.dash.join(' ')}
        />
      ))}
      <SvgAxis side="left" scale={y} ticks={ticks} format={(value) => String(value)} at={left} />
      <SvgAxis side="bottom" scale={x} ticks={x.ticks(6)} format={(s) => String(s)} at={bottom} />
      <text x={right} y={bottom + 32} textAnchor="end" className={styles['unit']}>
        {`s from the ${found.of === 'handovers' ? 'handover' : 'fall'}`}
      </text>
    </g>
  );
}

interface BoxesProps extends Pick<AroundPictureProps, 'flows' | 'theme' | 'width'> {
  readonly series: readonly AroundSeries[];
  readonly top: number;
}

function Boxes({ series, flows, theme, width, top }: BoxesProps) {
  const [left, right, ceiling, bottom] = [46, width - 14, top + HEAD, top + HEAD + BOXES - 20];
  const most = Math.max(1e-6, ...series.flatMap(({ near, rest }) => [near?.most ?? 0, rest?.most ?? 0]));
  const y = scaleLinear([0, most], [bottom, ceiling]);
  const ticks = y.ticks(3);
  const band = (right - left) / series.length;
  const breadth = Math.min(16, band / 3.5);
  const room = Math.floor(band / 6);
  return (
    <g>
      <g className={styles['grid']}>
        {ticks.map((tick) => (
          <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      {series.map((one, i) => {
        const centre = left + (i + 0.5) * band;
        const look = { breadth, y, colour: colourOf(one, flows, theme), unit: 'bins' };
        const name = nameOf(one, flows);
        return (
          <g key={keyOf(one.flow)}>
            <BoxMark box={one.near} at={centre - breadth / 2 - 2} {...look} kind="full" of={`${name}, near`} />
            <BoxMark box={one.rest} at={centre + breadth / 2 + 2} {...look} kind="hollow" of={`${name}, elsewhere`} />
            <text x={centre} y={bottom + 15} textAnchor="middle" className={styles['label']}>
              {name.length <= room ? name : room < 4 ? '' : `${name.slice(0, room - 1)}…`}
              <title>{name}</title>
            </text>
          </g>
        );
      })}
      <SvgAxis side="left" scale={y} ticks={ticks} format={(value) => String(value)} at={left} />
      <path d={`M${left},${bottom + 0.5}H${right}`} stroke={theme.hairlineStrong} />
    </g>
  );
}
