// One throughput-delay plane: a point per CCA and queue limit with the limit written in it.
import { useMemo, useState } from 'react';
import type { Frontier, FrontierAxes } from '#analysis/frontier';
import { METRICS } from '#analysis/metrics';
import type { TraceRecord } from '#protocol/api';
import { readableOn } from '../charts/contrast';
import { textWidth } from '../charts/measure';
import { moveAmongMarks, onPress } from '../charts/roving';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import { formatRate } from '../ui/format';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import {
  LABEL_MARKER,
  layoutFrontier,
  POINT_RADIUS,
  type FrontierLook,
  type PlacedPoint,
  type Whisker,
} from './frontier-layout';
import { formatEstimateOf, metricUnit } from './metric-text';
import styles from './frontier.module.css';

export interface FrontierFacetProps {
  readonly frontier: Frontier;
  readonly axes: FrontierAxes;
  readonly look: FrontierLook;
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly data: ExperimentPlotData;
  readonly title: string;
  readonly trace: TraceRecord | undefined;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Marks fainter while another CCA is highlighted. */
const FAINT = 0.16;

export function FrontierFacet({
  frontier,
  axes,
  look,
  series,
  data,
  title,
  trace,
  width,
  height,
  theme,
}: FrontierFacetProps) {
  const { visibility, selected, onSelect } = data;
  const { hidden, highlighted } = useVisibility(visibility);
  const [tip, setTip] = useState<TipContent | null>(null);
  const layout = useMemo(
    () =>
      layoutFrontier({
        frontier,
        series,
        shows: (one) => !hidden.has(one.group),
        look,
        width,
        height,
        measure: (text) => textWidth(text, `500 12px ${theme.sans}`),
        hasInset: trace !== undefined && trace.spark.length > 0,
      }),
    [frontier, series, hidden, look, width, height, theme.sans, trace],
  );
  const { plot } = layout;
  const bottom = plot.y + plot.height;
  const right = plot.x + plot.width;
  const strength = (one: CcaSeries): number => (highlighted === null || highlighted === one.group ? 1 : FAINT);
  const xUnit = METRICS[axes.x].unit;
  const yText = look.share
    ? { format: (value: number) => `${Math.round(value * 100)}`, unit: '%' }
    : tickFormat(layout.yTicks, metricUnit(axes.y));
  const xText = tickFormat(xUnit === 'ms' ? [] : layout.xTicks, xUnit);
  const order = [...layout.points].sort(
    (a, b) => strength(a.series) - strength(b.series) || Number(a.reference) - Number(b.reference),
  );
  const point = (at: PlacedPoint): void => {
    visibility.highlight(at.series.group);
    setTip(tipOf(at, axes));
  };
  const leave = (): void => {
    visibility.highlight(null);
    setTip(null);
  };
  const choose = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect([...next]);
  };

  return (
    <div className={styles['facet']}>
      <svg
        width={width}
        height={height}
        data-figure-part=""
        className={styles['svg']}
        role="group"
        aria-label={`${title}: points per algorithm and queue limit`}
      >
        <text x={plot.x} y={14} className={styles['title']}>
          {title}
        </text>
        <g className={styles['grid']}>
          {layout.yTicks.map((tick) => (
            <path key={tick} d={`M${plot.x},${Math.round(layout.y(tick)) + 0.5}H${right}`} />
          ))}
          {layout.xTicks.map((tick) => (
            <path key={tick} d={`M${Math.round(layout.x(tick)) + 0.5},${plot.y}V${bottom}`} />
          ))}
        </g>
        {layout.capacity !== null && (
          <path className={styles['capacity']} d={`M${plot.x},${Math.round(layout.capacity.y) + 0.5}H${right}`} />
        )}
        {layout.capacity !== null && layout.capacity.label !== null && (
          <text x={layout.capacity.label.x} y={layout.capacity.label.y + 11} className={styles['note']}>
            mean capacity
          </text>
        )}
        {layout.inset !== null && trace !== undefined && <Inset {...layout.inset} trace={trace} />}
        <SvgAxis side="bottom" scale={layout.x} ticks={layout.xTicks} format={xText.format} at={bottom} />
        <SvgAxis side="left" scale={layout.y} ticks={layout.yTicks} format={yText.format} at={plot.x} />
        <text x={right} y={height - 5} textAnchor="end" className={styles['axisTitle']}>
          {`${METRICS[axes.x].label}, ${metricUnit(axes.x)}`}
          {look.scale === 'log' ? ', log scale' : ''}
        </text>
        <text x={plot.x - 6} y={plot.y - 8} textAnchor="end" className={styles['axisTitle']}>
          {yText.unit}
        </text>
        <text
          x={look.inverted ? right : plot.x + 2}
          y={look.inverted ? 14 : bottom - 6}
          textAnchor={look.inverted ? 'end' : 'start'}
          className={styles['hint']}
        >
          {look.inverted ? 'better ↗' : '↖ better'}
        </text>
        {layout.hull !== '' && <path d={layout.hull} className={styles['hull']} />}
        {layout.lines.map(({ series: one, path }) => (
          <path
            key={one.key}
            d={path}
            fill="none"
            stroke={one.look.colour}
            strokeDasharray={one.look.dash.join(' ') || undefined}
            opacity={0.4 * strength(one)}
          />
        ))}
        {order.map((at) => (
          <Spread key={at.point.cell.key} at={at} opacity={strength(at.series)} />
        ))}
        <g onKeyDown={moveAmongMarks}>
          {order.map((at, i) => {
            const { key } = at.point.cell;
            return (
              <g
                key={key}
                data-mark=""
                role="button"
                tabIndex={i === 0 ? 0 : -1}
                aria-pressed={selected.has(key)}
                aria-label={spokenPoint(at, axes)}
                className={styles['point']}
                transform={`translate(${at.x},${at.y})`}
                opacity={strength(at.series)}
                onClick={() => choose(key)}
                onKeyDown={onPress(() => choose(key))}
                onPointerEnter={() => point(at)}
                onPointerLeave={leave}
                onFocus={() => point(at)}
                onBlur={leave}
              >
                <Point at={at} theme={theme} selected={selected.has(key)} />
              </g>
            );
          })}
        </g>
        {layout.labels.map(({ id, box, anchor, leader }) => {
          const one = series.get(id);
          if (one === undefined) return null;
          return (
            <g key={id} opacity={strength(one)} className={styles['label']}>
              {leader && (
                <path
                  d={`M${anchor.x},${anchor.y}L${Math.min(Math.max(anchor.x, box.x), box.x + box.width)},${Math.min(Math.max(anchor.y, box.y), box.y + box.height)}`}
                  stroke={one.look.colour}
                  opacity={0.6}
                />
              )}
              <path
                d={one.look.path(3.6)}
                transform={`translate(${box.x + 6},${box.y + box.height / 2})`}
                fill={one.look.hollow ? theme.surface : one.look.colour}
                stroke={one.look.hollow ? one.look.colour : theme.surface}
                strokeWidth={one.look.hollow ? 1.4 : 2}
                paintOrder="stroke"
              />
              <text x={box.x + LABEL_MARKER + 1} y={box.y + box.height - 4}>
                {one.label}
              </text>
            </g>
          );
        })}
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

function Point({
  at: { series, text, reference },
  theme,
  selected,
}: {
  readonly at: PlacedPoint;
  readonly theme: Theme;
  readonly selected: boolean;
}) {
  const { look } = series;
  const size = reference ? 7.5 : POINT_RADIUS;
  return (
    <>
      <circle r={POINT_RADIUS + 5} className={styles['ring']} data-selected={selected} />
      {/* Hollow markers are filled with the surface, so that lines do not cross their number. */}
      <path
        d={look.path(size)}
        fill={look.hollow ? theme.surface : look.colour}
        stroke={look.hollow ? look.colour : theme.surface}
        strokeWidth={look.hollow ? 2 : 1}
      />
      {text !== '' && (
        <text
          className={styles['limit']}
          dy="0.36em"
          fontSize={text.length > 2 ? 7.5 : 9.5}
          fill={look.hollow ? theme.ink : readableOn(look.colour, '#fff', '#111')}
          stroke={look.hollow ? theme.surface : look.colour}
        >
          {text}
        </text>
      )}
    </>
  );
}

/** The strokes that close an interval; an end that goes on beyond the axis stays open. */
const caps = (whisker: Whisker, stroke: (at: number) => string): string =>
  whisker.map(({ at, cut }) => (cut ? '' : stroke(at))).join('');

/** Repetitions as faint dots, and the 95 % interval of their mean. */
function Spread({
  at: { series, x, y, whiskerX, whiskerY, dots },
  opacity,
}: {
  readonly at: PlacedPoint;
  readonly opacity: number;
}) {
  const { colour } = series.look;
  // Without an interval the repetitions are all there is to see of the spread.
  const judged = whiskerX !== null || whiskerY !== null;
  return (
    <g opacity={opacity}>
      {dots.map((dot, i) => (
        <circle key={i} cx={dot.x} cy={dot.y} r={2} fill={colour} opacity={judged ? 0.3 : 0.8} />
      ))}
      {whiskerX !== null && (
        <path
          d={`M${whiskerX[0].at},${y}H${whiskerX[1].at}${caps(whiskerX, (at) => `M${at},${y - 3}v6`)}`}
          stroke={colour}
        />
      )}
      {whiskerY !== null && (
        <path
          d={`M${x},${whiskerY[0].at}V${whiskerY[1].at}${caps(whiskerY, (at) => `M${x - 3},${at}h6`)}`}
          stroke={colour}
        />
      )}
    </g>
  );
}

/** The capacity over the trace's period, small, in a corner that no point needs. */
function Inset({
  x,
  y,
  width,
  height,
  trace,
}: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly trace: TraceRecord;
}) {
  const top = Math.max(...trace.spark);
  const step = width / trace.spark.length;
  const path = trace.spark
    .map(
      (rate, i) =>
        `L${(i * step).toFixed(1)},${((1 - rate / top) * (height - 16)).toFixed(1)}H${((i + 1) * step).toFixed(1)}`,
    )
    .join('');
  return (
    <g transform={`translate(${x},${y})`} className={styles['inset']}>
      <path d={`M0,${height - 16}${path}V${height - 16}Z`} transform="translate(0,0)" />
      <text y={height - 3}>{`the trace, ${formatRate(trace.info.mean_mbps)} mean`}</text>
    </g>
  );
}

const nameOf = ({ series, point, reference }: PlacedPoint): string =>
  reference ? series.label : `${series.label}, ${point.limit}`;

function tipOf(at: PlacedPoint, axes: FrontierAxes): TipContent {
  const { point } = at;
  return {
    x: at.x,
    y: at.y,
    title: nameOf(at),
    facts: [
      [METRICS[axes.y].label, formatEstimateOf(axes.y, point.y)],
      [METRICS[axes.x].label, formatEstimateOf(axes.x, point.x)],
      ['repetitions', String(point.y.n)],
      ...(point.on_front ? [['on the frontier', 'yes'] as const] : []),
    ],
  };
}

const spokenPoint = (at: PlacedPoint, axes: FrontierAxes): string =>
  `${nameOf(at)}: ${METRICS[axes.y].label} ${formatEstimateOf(axes.y, at.point.y)}, ${METRICS[axes.x].label} ${formatEstimateOf(axes.x, at.point.x)}${at.point.on_front ? ', on the frontier' : ''}`;
