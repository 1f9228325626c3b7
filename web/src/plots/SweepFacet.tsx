// One plane along a sweep: a line per algorithm with the interval of each of its points; who is not changed by it is a level.
import { useState } from 'react';
import { scaleLinear } from 'd3';
import { METRICS, type MetricId } from '#analysis/metrics';
import type { SweepLine, SweepPlane } from '#analysis/sweep-lines';
import { placesOf, reach, shownTicks, valueText } from '#analysis/sweep-axis';
import { textWidth } from '../charts/measure';
import { moveAmongMarks, onPress } from '../charts/roving';
import { tickFormat, yTicks } from '../charts/scales';
import { SvgAxis } from '../charts/SvgAxis';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import { formatEstimateOf, metricUnit } from '#analysis/metric-text';
import styles from './frontier.module.css';

interface SweepFacetProps {
  readonly plane: SweepPlane;
  /** By the key of its line. */
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly metric: MetricId;
  readonly scale: 'linear' | 'log';
  /** What is swept. */
  readonly name: string;
  /** A value to hold the lines against. */
  readonly even?: number;
  readonly data: ExperimentPlotData;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

const TOP = 34;
const BOTTOM = 42;
const LEFT = 44;
const RIGHT = 14;
const CAP = 3;
const FAINT = 0.16;

export function SweepFacet(props: SweepFacetProps) {
  const { plane, series, metric, scale, name, even, data, title, width, height, theme } = props;
  const { hidden, highlighted } = useVisibility(data.visibility);
  const [tip, setTip] = useState<TipContent | null>(null);
  const share = metricUnit(metric) === '%';
  const shown = plane.lines.flatMap((line) => {
    const one = series.get(line.key);
    return one === undefined || hidden.has(one.group) ? [] : [{ line, one }];
  });
  const [bottom, right] = [height - BOTTOM, width - RIGHT];
  const x = placesOf(plane.values, scale, [LEFT, right]);
  const all = shown.flatMap(({ line }) => [...line.points, ...(line.level === null ? [] : [line.level])]);
  const most = Math.max(...all.flatMap(({ y: estimate }) => reach(estimate)), even ?? 0);
  const y = scaleLinear([0, most === 0 ? 1 : most], [bottom, TOP]);
  if (!share) y.nice(4);
  const ticksY = yTicks([y.domain()[0] ?? 0, y.domain()[1] ?? 1], bottom - TOP, 'linear');
  const yText = share
    ? { format: (value: number) => `${Math.round(value * 1000) / 10}`, unit: '%' }
    : tickFormat(ticksY, metricUnit(metric));
  const strength = (one: CcaSeries): number => (highlighted === null || highlighted === one.group ? 1 : FAINT);
  return (
    <div className={styles['facet']}>
      <svg
        width={width}
        height={height}
        data-figure-part=""
        className={styles['svg']}
        role="group"
        aria-label={`${title}: ${METRICS[metric].label} of each algorithm over ${name}`}
      >
        <text x={LEFT} y={14} className={styles['title']}>
          {title}
        </text>
        <g className={styles['grid']}>
          {ticksY.map((tick) => (
            <path key={tick} d={`M${LEFT},${Math.round(y(tick)) + 0.5}H${right}`} />
          ))}
        </g>
        <SvgAxis side="left" scale={y} ticks={ticksY} format={yText.format} at={LEFT} />
        <path d={`M${LEFT},${bottom + 0.5}H${right}`} stroke={theme.ink3} />
        {even === undefined ? null : (
          <path d={`M${LEFT},${y(even)}H${right}`} stroke={theme.ink2} strokeDasharray="4 4" />
        )}
        {shownTicks(plane.values, x, (text) => textWidth(text, `400 11px ${theme.sans}`)).map((value) => (
          <text key={value} x={x(value)} y={bottom + 16} textAnchor="middle" className={styles['hint']}>
            {valueText(value)}
          </text>
        ))}
        <text x={right} y={height - 6} textAnchor="end" className={styles['axisTitle']}>
          {name}
          {scale === 'log' ? ', log scale' : ''}
        </text>
        <text x={LEFT - 6} y={TOP - 10} textAnchor="end" className={styles['axisTitle']}>
          {yText.unit}
        </text>
        {shown.map(({ line, one }) => (
          <Line
            key={line.key}
            line={line}
            one={one}
            x={x}
            y={y}
            span={[LEFT, right]}
            opacity={strength(one)}
            theme={theme}
          />
        ))}
        <Marks {...{ shown, metric, name, data, x, y }} onTip={setTip} />
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

interface Shown {
  readonly line: SweepLine;
  readonly one: CcaSeries;
}

interface MarksProps extends Pick<SweepFacetProps, 'metric' | 'name' | 'data'> {
  readonly shown: readonly Shown[];
  readonly x: (value: number | string) => number;
  readonly y: (value: number) => number;
  readonly onTip: (tip: TipContent | null) => void;
}

/** What is pointed at and pressed: every point of every line. */
function Marks({ shown, metric, name, data, x, y, onTip }: MarksProps) {
  const { visibility, selected, onSelect } = data;
  const choose = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect([...next]);
  };
  const leave = (): void => {
    visibility.highlight(null);
    onTip(null);
  };
  const first = shown.find(({ line }) => line.points.length > 0)?.line.points[0];
  return (
    <g data-marks="" onKeyDown={moveAmongMarks}>
      {shown.flatMap(({ line, one }) =>
        line.points.map((point) => {
          const at = { x: x(point.at), y: y(point.y.mean) };
          const { key } = point.cell;
          const show = (): void => {
            visibility.highlight(one.group);
            onTip({
              ...at,
              title: one.label,
              facts: [
                [name, valueText(point.at)],
                [METRICS[metric].label, formatEstimateOf(metric, point.y)],
                ['repetitions', String(point.y.n)],
              ],
            });
          };
          return (
            <rect
              key={key}
              x={at.x - 9}
              y={at.y - 9}
              width={18}
              height={18}
              rx={9}
              className={styles['press']}
              data-mark=""
              data-export={selected.has(key) ? undefined : 'none'}
              role="button"
              tabIndex={point === first ? 0 : -1}
              aria-pressed={selected.has(key)}
              aria-label={`${one.label}, ${name} ${valueText(point.at)}: ${METRICS[metric].label} ${formatEstimateOf(metric, point.y)}`}
              onClick={() => choose(key)}
              onKeyDown={onPress(() => choose(key))}
              onPointerEnter={show}
              onPointerLeave={leave}
              onFocus={show}
              onBlur={leave}
            />
          );
        }),
      )}
    </g>
  );
}

interface LineProps {
  readonly line: SweepLine;
  readonly one: CcaSeries;
  readonly x: (value: number | string) => number;
  readonly y: (value: number) => number;
  readonly span: readonly [number, number];
  readonly opacity: number;
  readonly theme: Theme;
}

function Line({ line, one, x, y, span, opacity, theme }: LineProps) {
  const { look } = one;
  const dash = look.dash.join(' ') || undefined;
  const way = line.points.map(({ at, y: { mean } }) => `${x(at)},${y(mean)}`).join('L');
  const whiskers = line.points.flatMap(({ at, y: { low, high } }) =>
    low === null || high === null
      ? []
      : [`M${x(at)},${y(low)}V${y(high)}M${x(at) - CAP},${y(low)}h${2 * CAP}M${x(at) - CAP},${y(high)}h${2 * CAP}`],
  );
  return (
    <g opacity={opacity} fill="none" stroke={look.colour}>
      {line.level === null ? null : (
        <g>
          <title>{`${one.label}: the same for all`}</title>
          <path
            d={`M${span[0]},${y(line.level.y.mean)}H${span[1]}`}
            strokeWidth={1.5}
            strokeDasharray={dash ?? '1 4'}
            opacity={0.8}
          />
          <Mark look={look} at={[span[1] + 4, y(line.level.y.mean)]} theme={theme} />
        </g>
      )}
      {way === '' ? null : <path d={`M${way}`} strokeWidth={1.75} strokeDasharray={dash} />}
      {whiskers.length === 0 ? null : <path d={whiskers.join('')} opacity={0.8} />}
      {line.points.map(({ cell, at, y: { mean } }) => (
        <Mark key={cell.key} look={look} at={[x(at), y(mean)]} theme={theme} />
      ))}
    </g>
  );
}

interface MarkProps {
  readonly look: CcaSeries['look'];
  readonly at: readonly [x: number, y: number];
  readonly theme: Theme;
}

const Mark = ({ look, at: [x, y], theme }: MarkProps) => (
  <path
    d={look.path(4.6)}
    transform={`translate(${x},${y})`}
    fill={look.hollow ? theme.surface : look.colour}
    stroke={look.hollow ? look.colour : theme.surface}
    strokeWidth={look.hollow ? 1.6 : 1}
  />
);
