// The parts of an SVG figure with two axes, each drawn from its values alone: what React writes of them on a server is the whole picture.
import type { Identity } from '#analysis/cca-look';
import { formatChosen } from '../ui/format';
import styles from './marks.module.css';

/** A scale as marks need it. */
export type Place = (value: number) => number;

interface AxisProps {
  readonly ticks: readonly number[];
  readonly place: Place;
  /** Of the axis line, across its direction. */
  readonly at: number;
  /** The line's ends. */
  readonly from: number;
  readonly to: number;
  readonly format?: (value: number) => string;
}

const crisp = (value: number): string => (Math.round(value) + 0.5).toFixed(1);
const px = (value: number): string => value.toFixed(1);

export const AxisBottom = ({ ticks, place, at, from, to, format = formatChosen }: AxisProps) => (
  <g className={styles['axis']} textAnchor="middle">
    <path
      d={`M${px(from)},${crisp(at)}H${px(to)}${ticks.map((tick) => `M${crisp(place(tick))},${crisp(at)}v4`).join('')}`}
    />
    {ticks.map((tick) => (
      <text key={tick} x={px(place(tick))} y={px(at + 16)}>
        {format(tick)}
      </text>
    ))}
  </g>
);

export const AxisLeft = ({ ticks, place, at, from, to, format = formatChosen }: AxisProps) => (
  <g className={styles['axis']} textAnchor="end">
    <path d={`M${crisp(at)},${px(from)}V${px(to)}`} />
    {ticks.map((tick) => (
      <text key={tick} x={px(at - 6)} y={px(place(tick))} dy="0.32em">
        {format(tick)}
      </text>
    ))}
  </g>
);

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface GridProps {
  readonly frame: Frame;
  readonly x?: readonly number[];
  readonly y?: readonly number[];
}

/** Lines at places, not at values. */
export const Grid = ({ frame: { left, right, top, bottom }, x = [], y = [] }: GridProps) => (
  <path
    className={styles['grid']}
    d={[
      ...y.map((at) => `M${px(left)},${crisp(at)}H${px(right)}`),
      ...x.map((at) => `M${crisp(at)},${px(top)}V${px(bottom)}`),
    ].join('')}
  />
);

interface RuleProps {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly label: string;
  /** Where the label stands, and on which side of that. */
  readonly at: readonly [x: number, y: number];
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** A line that something is measured against, with its name. */
export const Rule = ({ from, to, label, at, anchor = 'start' }: RuleProps) => (
  <g>
    <path className={styles['rule']} d={`M${from.map(px).join()}L${to.map(px).join()}`} />
    <text className={styles['ruleLabel']} x={px(at[0])} y={px(at[1])} textAnchor={anchor}>
      {label}
    </text>
  </g>
);

interface DotProps {
  readonly look: Pick<Identity, 'path' | 'colour' | 'hollow'>;
  readonly x: number;
  readonly y: number;
  readonly radius?: number;
}

/** The marker of an algorithm, with a rim that keeps it apart from what is below. */
export const Dot = ({ look, x, y, radius = 5 }: DotProps) => (
  <path
    d={look.path(radius)}
    transform={`translate(${px(x)},${px(y)})`}
    fill={look.hollow ? 'var(--surface)' : look.colour}
    stroke={look.hollow ? look.colour : 'var(--surface)'}
    strokeWidth={look.hollow ? 1.6 : 1}
  />
);

interface AxisTitlesProps {
  readonly x: string;
  readonly y: string;
  readonly frame: Frame;
}

export const AxisTitles = ({ x, y, frame: { right, top, bottom } }: AxisTitlesProps) => (
  <g className={styles['unit']}>
    <text x={0} y={px(top - 12)}>
      {y}
    </text>
    <text x={px(right)} y={px(bottom + 35)} textAnchor="end">
      {x}
    </text>
  </g>
);
