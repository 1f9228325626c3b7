// One throughput-delay plane: a point per CCA and queue limit with the limit written in it.
import { useMemo, useState, type SVGProps } from 'react';
import type { Frontier, FrontierAxes } from '#analysis/frontier';
import { METRICS } from '#analysis/metrics';
import { tracePart, type TracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import { readableOn } from '../charts/contrast';
import { textWidth } from '../charts/measure';
import { moveAmongMarks, onPress } from '../charts/roving';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import { surroundingsOf, type Surroundings } from './frontier-around';
import { LABEL_MARKER, layoutFrontier, type FrontierLook, type PlacedPoint } from './frontier-layout';
import { CapacityInset, capacityNameOf } from './FrontierInset';
import { POINT_RADIUS, type Slot, type Stack } from './frontier-stacks';
import { formatEstimateOf, formatMetric, metricUnit } from './metric-text';
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
  const { duration_s, vary } = data.record.spec;
  const period = trace?.info.period_ms ?? 0;
  const part = useMemo<TracePart>(() => tracePart({ duration_s, vary }, period), [duration_s, vary, period]);
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
        write: (delay) => formatMetric(axes.x, delay),
        insetLines: trace === undefined || trace.spark.length === 0 ? 0 : part.kind === 'whole' ? 1 : 2,
        capacityName: capacityNameOf(part),
      }),
    [frontier, series, hidden, look, width, height, theme.sans, axes.x, trace, part],
  );
  const around = useMemo(() => surroundingsOf(layout), [layout]);
  const { plot } = layout;
  const bottom = plot.y + plot.height;
  const right = plot.x + plot.width;
  const { margin } = layout;
  const strength = (one: CcaSeries): number => (highlighted === null || highlighted === one.group ? 1 : FAINT);
  const xUnit = METRICS[axes.x].unit;
  const yText = look.share
    ? { format: (value: number) => `${Math.round(value * 100)}`, unit: '%' }
    : tickFormat(layout.yTicks, metricUnit(axes.y));
  const xText = tickFormat(xUnit === 'ms' ? [] : layout.xTicks, xUnit);
  const show = (slot: Slot): void => {
    visibility.highlight(slot.point.series.group);
    setTip(tipOf(slot, axes));
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
        {margin !== null && (
          <>
            <rect {...margin} className={styles['margin']} />
            <text x={margin.x + margin.width / 2} y={bottom + 17} textAnchor="middle" className={styles['hint']}>
              beyond
            </text>
          </>
        )}
        {layout.capacity !== null && (
          <path className={styles['capacity']} d={`M${plot.x},${Math.round(layout.capacity.y) + 0.5}H${right}`} />
        )}
        {layout.capacity !== null && layout.capacity.label !== null && (
          <text x={layout.capacity.label.x} y={layout.capacity.label.y + 11} className={styles['note']}>
            {capacityNameOf(part)}
          </text>
        )}
        {layout.inset !== null && trace !== undefined && (
          <CapacityInset {...layout.inset} trace={trace} part={part} ran={frontier.capacity_mbps} />
        )}
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
        {around.map((one) => (
          <Around key={one.series.key} around={one} opacity={strength(one.series)} lit={highlighted !== null} />
        ))}
        <g data-marks="" onKeyDown={moveAmongMarks}>
          {layout.stacks.flatMap((stack, i) => [
            <Marker
              key={stack.members[0].point.cell.key}
              stack={stack}
              opacity={strength(stack.members[0].series)}
              theme={theme}
              onClick={() => choose(stack.slots[0].point.point.cell.key)}
              onPointerEnter={() => show(stack.slots[0])}
              onPointerLeave={leave}
            />,
            ...stack.slots.map((slot, nth) => {
              const { point: at } = slot;
              const { key } = at.point.cell;
              return (
                <Press
                  key={`press ${key}`}
                  box={slot.box}
                  stacked={stack.tail !== null}
                  opacity={strength(at.series)}
                  data-mark=""
                  data-export={selected.has(key) ? undefined : 'none'}
                  role="button"
                  tabIndex={i === 0 && nth === 0 ? 0 : -1}
                  aria-pressed={selected.has(key)}
                  aria-label={spokenPoint(at, axes)}
                  onClick={() => choose(key)}
                  onKeyDown={onPress(() => choose(key))}
                  onPointerEnter={() => show(slot)}
                  onPointerLeave={leave}
                  onFocus={() => show(slot)}
                  onBlur={leave}
                />
              );
            }),
          ])}
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

interface MarkerProps extends Pick<SVGProps<SVGPathElement>, 'onClick' | 'onPointerEnter' | 'onPointerLeave'> {
  readonly stack: Stack;
  readonly opacity: number;
  readonly theme: Theme;
}

/** The mark of one point with its limit, or of several that coincide, with a capsule for their limits. */
function Marker({ stack, opacity, theme, ...pointer }: MarkerProps) {
  const { x, y, tail } = stack;
  const { series, text, reference, beyond } = stack.members[0];
  const { look } = series;
  const size = reference ? 7.5 : POINT_RADIUS;
  // What is written is said by the button that lies over it.
  return (
    <>
      {tail !== null && (
        <rect
          {...tail}
          rx={tail.height / 2}
          className={styles['tail']}
          stroke={look.colour}
          opacity={opacity}
          aria-hidden="true"
        />
      )}
      {/* Hollow markers are filled with the surface, so that lines do not cross their number. */}
      <path
        d={look.path(size)}
        transform={`translate(${x},${y})`}
        fill={look.hollow ? theme.surface : look.colour}
        stroke={look.hollow ? look.colour : theme.surface}
        strokeWidth={look.hollow ? 2 : 1}
        className={styles['mark']}
        opacity={opacity}
        {...pointer}
      />
      {tail === null && text !== '' && (
        <text
          className={styles['limit']}
          x={x}
          y={y}
          dy="0.36em"
          fontSize={text.length > 2 ? 7.5 : 9.5}
          fill={look.hollow ? theme.ink : readableOn(look.colour, '#fff', '#111')}
          stroke={look.hollow ? theme.surface : look.colour}
          opacity={opacity}
          aria-hidden="true"
        >
          {text}
        </text>
      )}
      {tail !== null &&
        stack.slots.map(({ point, box }) => (
          <text
            key={point.point.cell.key}
            x={box.x + box.width / 2}
            y={box.y + box.height / 2}
            dy="0.36em"
            className={styles['slot']}
            opacity={opacity}
            aria-hidden="true"
          >
            {point.text}
          </text>
        ))}
      {beyond !== null && (
        <text
          x={x}
          y={y + POINT_RADIUS + 10}
          textAnchor="middle"
          className={styles['note']}
          opacity={opacity}
          aria-hidden="true"
        >
          {beyond}
        </text>
      )}
    </>
  );
}

/** What is pressed: over a mark, or over one limit in the capsule of a stack. One element a point, as there may be hundreds. */
function Press({
  box,
  stacked,
  ...rest
}: { readonly box: Slot['box']; readonly stacked: boolean } & SVGProps<SVGRectElement>) {
  const air = stacked ? 0 : 3;
  return (
    <rect
      x={box.x - air}
      y={box.y - air}
      width={box.width + 2 * air}
      height={box.height + 2 * air}
      rx={box.height / 2 + air}
      className={styles['press']}
      {...rest}
    />
  );
}

/** Repetitions as faint dots, the 95 % intervals of their means, and lines from marks that had to move to where they belong. */
function Around({
  around: { series, judged, alone, whiskers, leaders, homes },
  opacity,
  lit,
}: {
  readonly around: Surroundings;
  readonly opacity: number;
  /** Of forty points the intervals are a thicket, of one algorithm they can be read. */
  readonly lit: boolean;
}) {
  const { colour } = series.look;
  return (
    <g opacity={opacity} fill="none" stroke={colour}>
      {judged !== '' && <path d={judged} className={styles['dots']} opacity={0.3} />}
      {alone !== '' && <path d={alone} className={styles['dots']} opacity={0.8} />}
      {whiskers !== '' && <path d={whiskers} opacity={lit ? 1 : 0.55} />}
      {leaders !== '' && <path d={leaders} strokeWidth={1.25} opacity={0.7} />}
      {homes !== '' && <path d={homes} fill={colour} className={styles['home']} />}
    </g>
  );
}

const nameOf = ({ series, point, reference }: PlacedPoint): string =>
  reference ? series.label : `${series.label}, ${point.limit}`;

function tipOf({ point: at, box }: Slot, axes: FrontierAxes): TipContent {
  const { point } = at;
  return {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
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
