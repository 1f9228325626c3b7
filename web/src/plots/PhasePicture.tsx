// Flows on their way through a plane: early points faint, late ones strong, and each flow's marker where it stands last.
import { interpolateLab, scaleLinear } from 'd3';
import { Fragment } from 'react';
import { AxisBottom, AxisLeft, AxisTitles, Dot, Grid, Rule, type Frame, type Place } from '../charts/marks';
import { useTimeView, type Range, type TimeView } from '../charts/time-view';
import type { Theme } from '../theme/theme';
import { formatChosen, formatMeasured } from '../ui/format';
import type { Flow } from './flows';
import { pointAt, type PhasePoint } from './phase-points';
import styles from './plane.module.css';

export interface PhaseSeries {
  readonly flow: Pick<Flow, 'key' | 'label' | 'look'>;
  readonly points: readonly PhasePoint[];
}

/** A line through the plane; null: it is not across this axis. */
export interface PhaseRule {
  readonly key: string;
  readonly label: string;
  readonly x: number | null;
  readonly y: number | null;
  /** Of a line through the origin: y over x. */
  readonly slope?: number;
}

export interface PhasePictureProps {
  readonly series: readonly PhaseSeries[];
  readonly rules: readonly PhaseRule[];
  readonly x: string;
  readonly y: string;
  readonly reach: { readonly x: number; readonly y: number };
  readonly range: Range;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly emphasis: (key: string) => number;
  /** Whose cross-hair is shown; absent: nobody's. */
  readonly view?: TimeView | undefined;
}

/** Shades from the first moment to the last. */
const SHADES = 8;
const PALEST = 0.28;
const KEY = { step: 9, height: 8 } as const;

/** How strong the n-th shade of a colour is on the surface. */
export const shadeOf = (colour: string, surface: string, shade: number): string =>
  interpolateLab(surface, colour)(PALEST + ((1 - PALEST) * shade) / (SHADES - 1));

const shadeAt = (time: number, [from, to]: Range): number =>
  Math.min(SHADES - 1, Math.max(0, Math.floor(((time - from) / Math.max(to - from, 1e-9)) * SHADES)));

/** For each shade the dots and the lines to them, as one path each. */
export function shadesOf(points: readonly PhasePoint[], range: Range, x: Place, y: Place) {
  const shades = Array.from({ length: SHADES }, () => ({ dots: '', lines: '' }));
  let before = '';
  for (const point of points) {
    const at = `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`;
    const own = shades[shadeAt(point.time_s, range)];
    if (own !== undefined) {
      own.dots += `M${at}h0`;
      if (point.joined) own.lines += `M${before}L${at}`;
    }
    before = at;
  }
  return shades;
}

export function PhasePicture(props: PhasePictureProps) {
  const { series, rules, x: xTitle, y: yTitle, reach, range, width, height, theme, emphasis, view } = props;
  const frame: Frame = { left: 52, right: width - 16, top: 44, bottom: height - 40 };
  const x = scaleLinear([0, reach.x], [frame.left, frame.right]).nice(4);
  const y = scaleLinear([0, reach.y], [frame.bottom, frame.top]).nice(4);
  const inside: { x: Place; y: Place } = {
    x: (value) => Math.min(x(value), frame.right),
    y: (value) => Math.max(y(value), frame.top),
  };
  const xTicks = x.ticks(Math.max(2, (frame.right - frame.left) / 90));
  const yTicks = y.ticks(5);
  const sloped = rules.some(({ slope }) => slope !== undefined);
  const spoken = series.flatMap(({ flow, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [`${flow.label} ${formatMeasured(last.y)} at ${formatMeasured(last.x)}`];
  });
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={`${yTitle} against ${xTitle}, in the end: ${spoken.join('; ')}`}
    >
      <TimeKey range={range} right={frame.right} theme={theme} />
      <Grid frame={frame} x={xTicks.map(x)} y={yTicks.map(y)} />
      {rules.map((rule) => (
        <RuleLine key={rule.key} rule={rule} frame={frame} x={x} y={y} low={sloped} />
      ))}
      {series.map(({ flow: { key, look }, points }) => (
        <g key={key} opacity={emphasis(key)} fill="none">
          {shadesOf(points, range, inside.x, inside.y).map(({ dots, lines }, shade) => {
            const colour = shadeOf(look.colour, theme.surface, shade);
            return dots === '' ? null : (
              <Fragment key={shade}>
                {lines === '' ? null : (
                  <path d={lines} stroke={colour} strokeOpacity={0.35} strokeDasharray={look.dash.join(' ')} />
                )}
                <path d={dots} stroke={colour} strokeWidth={3.6} strokeLinecap="round" />
              </Fragment>
            );
          })}
        </g>
      ))}
      {series.map(({ flow: { key, look }, points }) => {
        const last = points.at(-1);
        return last === undefined ? null : <Dot key={key} look={look} x={inside.x(last.x)} y={inside.y(last.y)} />;
      })}
      {view === undefined ? null : <CrossHair view={view} series={series} x={inside.x} y={inside.y} theme={theme} />}
      <AxisBottom ticks={xTicks} place={x} at={frame.bottom} from={frame.left} to={frame.right} />
      <AxisLeft ticks={yTicks} place={y} at={frame.left} from={frame.top} to={frame.bottom} />
      <AxisTitles x={xTitle} y={yTitle} frame={frame} />
    </svg>
  );
}

interface RuleLineProps {
  readonly rule: PhaseRule;
  readonly frame: Frame;
  readonly x: Place;
  readonly y: Place;
  /** Names of upright lines stand below: above is that of a sloping one. */
  readonly low: boolean;
}

function RuleLine({ rule: { label, x: atX, y: atY, slope }, frame, x, y, low }: RuleLineProps) {
  const { left, right, top, bottom } = frame;
  if (slope !== undefined) {
    // As far as the plane goes: to its right edge or to its upper one.
    const steep = (bottom - y(slope)) / Math.max(x(1) - left, 1e-9);
    const run = Math.min(right - left, (bottom - top) / Math.max(steep, 1e-9));
    const end = [left + run, bottom - run * steep] as const;
    return <Rule from={[left, bottom]} to={end} label={label} at={[end[0] - 6, end[1] + 12]} anchor="end" />;
  }
  if (atX !== null)
    return x(atX) > right + 0.5 ? null : (
      <Rule from={[x(atX), top]} to={[x(atX), bottom]} label={label} at={[x(atX) + 4, low ? bottom - 6 : top + 10]} />
    );
  if (atY === null || y(atY) < top - 0.5) return null;
  return <Rule from={[left, y(atY)]} to={[right, y(atY)]} label={label} at={[right - 4, y(atY) - 5]} anchor="end" />;
}

interface TimeKeyProps {
  readonly range: Range;
  readonly right: number;
  readonly theme: Theme;
}

/** What the shades mean: the first moment faint, the last one strong. */
export function TimeKey({ range: [from, to], right, theme }: TimeKeyProps) {
  const left = right - SHADES * KEY.step - 34;
  return (
    <g className={styles['label']}>
      <text x={left - 5} y={17} textAnchor="end">{`${formatChosen(Number(from.toPrecision(3)))} s`}</text>
      {Array.from({ length: SHADES }, (_, shade) => (
        <rect
          key={shade}
          x={left + shade * KEY.step}
          y={9}
          width={KEY.step}
          height={KEY.height}
          fill={shadeOf(theme.ink, theme.surface, shade)}
        />
      ))}
      <text x={left + SHADES * KEY.step + 5} y={17}>{`${formatChosen(Number(to.toPrecision(3)))} s`}</text>
    </g>
  );
}

interface CrossHairProps extends Pick<PhasePictureProps, 'series' | 'theme'> {
  readonly view: TimeView;
  readonly x: Place;
  readonly y: Place;
}

/** Where each flow was at the cross-hair of the panels over time: this alone follows the pointer. */
export function CrossHair({ view, series, x, y, theme }: CrossHairProps) {
  const cursor = useTimeView(view, (own) => own.cursor);
  if (cursor === null) return null;
  return (
    <g data-export="none">
      {series.map(({ flow: { key, look }, points }) => {
        const point = pointAt(points, cursor);
        return point === null ? null : (
          <circle
            key={key}
            cx={x(point.x)}
            cy={y(point.y)}
            r={7}
            fill={look.colour}
            fillOpacity={0.35}
            stroke={theme.ink}
            strokeWidth={1.4}
          />
        );
      })}
    </g>
  );
}
