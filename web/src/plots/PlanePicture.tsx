// Two quantities against each other: points, and the ellipse that holds 95 % of a normal distribution with their mean and covariance.
import { scaleLinear } from 'd3';
import { outlineOf, type Ellipse } from '#analysis/ellipse';
import type { Identity } from '#analysis/cca-look';
import { SvgAxis } from '../charts/SvgAxis';
import { formatChosen, formatMeasured } from '../ui/format';
import styles from './plane.module.css';

export interface PlaneSeries {
  readonly key: string;
  readonly label: string;
  readonly look: Identity;
  /** Empty: only the ellipse is known. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly ellipse: Ellipse | null;
  /** What tells it from others of the same look, written at its centre. */
  readonly mark?: string | undefined;
}

interface PlanePictureProps {
  readonly title?: string | undefined;
  readonly series: readonly PlaneSeries[];
  readonly x: string;
  readonly y: string;
  /** What both axes must have room for; series of other pictures with the same axes among them. */
  readonly reach: Reach;
  readonly width: number;
  readonly height: number;
}

export interface Reach {
  readonly x: number;
  readonly y: number;
}

const [BOTTOM, LEFT, RIGHT] = [40, 52, 16];
/** Of one series: more are a blot, and an SVG that is slow to draw. */
const MOST_POINTS = 1500;
/** Beyond this share of the points the axes end; what is out there is far from everything. */
const SHOWN_SHARE = 0.995;

/** To the far ends of the ellipses, and of nearly all points. */
export function reachOf(series: readonly PlaneSeries[]): Reach {
  const far = (values: readonly number[]): number => {
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.floor((sorted.length - 1) * SHOWN_SHARE)] ?? 0;
  };
  const outlines = series.flatMap(({ ellipse }) => (ellipse === null ? [] : outlineOf(ellipse)));
  return {
    x: Math.max(...outlines.map(([x]) => x), ...series.map(({ xs }) => far(xs)), 1e-9),
    y: Math.max(...outlines.map(([, y]) => y), ...series.map(({ ys }) => far(ys)), 1e-9),
  };
}

/** Every so-manyth, where there are too many. */
function* drawn({ xs, ys }: PlaneSeries): Generator<readonly [number, number], void, undefined> {
  const every = Math.max(1, Math.ceil(xs.length / MOST_POINTS));
  for (let i = 0; i < xs.length; i += every) yield [xs[i] ?? 0, ys[i] ?? 0];
}

export function PlanePicture({ title, series, x: xTitle, y: yTitle, reach, width, height }: PlanePictureProps) {
  const top = title === undefined ? 22 : 42;
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const x = scaleLinear([0, reach.x], [LEFT, right]).nice(4);
  const y = scaleLinear([0, reach.y], [bottom, top]).nice(4);
  const xTicks = x.ticks(Math.max(2, (right - LEFT) / 90));
  const yTicks = y.ticks(5);
  const inside = (at: number, scale: typeof x): number => Math.max(scale(at), Math.min(...scale.range()));
  const spoken = series
    .flatMap(({ label, mark, ellipse }) =>
      ellipse === null
        ? []
        : [
            `${label}${mark === undefined ? '' : ` ${mark}`}: ${formatMeasured(ellipse.y)} at ${formatMeasured(ellipse.x)}`,
          ],
    )
    .join('; ');
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={`${title === undefined ? '' : `${title}. `}${yTitle} against ${xTitle}, means: ${spoken}`}
    >
      {title === undefined ? null : (
        <text x={0} y={14} className={styles['title']}>
          {title}
        </text>
      )}
      <g className={styles['grid']}>
        {yTicks.map((tick) => (
          <path key={tick} d={`M${LEFT},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
        {xTicks.map((tick) => (
          <path key={tick} d={`M${Math.round(x(tick)) + 0.5},${top}V${bottom}`} />
        ))}
      </g>
      {series.map((own) => (
        <Points key={own.key} series={own} x={x} y={y} right={right} top={top} />
      ))}
      {series.map((own) => {
        const { key, ellipse, look } = own;
        if (ellipse === null) return null;
        const outline = outlineOf(ellipse).map(([a, b]): string => {
          // Below zero there is nothing: the ellipse ends at the axes.
          const [px, py] = [inside(Math.max(a, 0), x), Math.min(y(Math.max(b, 0)), bottom)];
          return `${px.toFixed(1)},${py.toFixed(1)}`;
        });
        return (
          <g key={key}>
            <path
              className={styles['ellipse']}
              d={`M${outline.join('L')}Z`}
              fill={look.colour}
              stroke={look.colour}
              strokeDasharray={look.dash.join(' ')}
            />
            <path
              d={look.path(4.4)}
              transform={`translate(${x(ellipse.x).toFixed(1)},${y(ellipse.y).toFixed(1)})`}
              fill={look.hollow ? 'var(--surface)' : look.colour}
              stroke={look.colour}
              strokeWidth={look.hollow ? 1.6 : 0}
            />
            {own.mark === undefined ? null : (
              <text x={x(ellipse.x) + 7} y={y(ellipse.y) - 5} className={styles['label']}>
                {own.mark}
              </text>
            )}
          </g>
        );
      })}
      <SvgAxis side="bottom" scale={x} ticks={xTicks} format={formatChosen} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={yTicks} format={formatChosen} at={LEFT} />
      <text x={0} y={top - 12} className={styles['unit']}>
        {yTitle}
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        {xTitle}
      </text>
    </svg>
  );
}

interface PointsProps {
  readonly series: PlaneSeries;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly right: number;
  readonly top: number;
}

/** One path for all: thousands of elements would make the page slow. What lies beyond the axes is left out. */
function Points({ series, x, y, right, top }: PointsProps) {
  let path = '';
  for (const [a, b] of drawn(series)) {
    const [px, py] = [x(a), y(b)];
    if (px <= right + 0.5 && py >= top - 0.5) path += `M${px.toFixed(1)},${py.toFixed(1)}h0`;
  }
  return path === '' ? null : (
    <path
      d={path}
      fill="none"
      stroke={series.look.colour}
      strokeWidth={3}
      strokeLinecap="round"
      strokeOpacity={series.xs.length > 300 ? 0.25 : 0.55}
    />
  );
}
