// What the points of a throughput-delay plane lie on: grid, axes and their titles, the capacity, and the strip of what lies beyond.
import type { FrontierAxes } from '#analysis/frontier';
import { METRICS } from '#analysis/metrics';
import type { TracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import type { FrontierLayout, FrontierLook } from '#analysis/frontier-layout';
import { capacityNameOf } from '#analysis/frontier-inset';
import { CapacityInset } from './FrontierInset';
import { metricUnit } from '#analysis/metric-text';
import styles from './frontier.module.css';

interface FrontierGroundProps {
  readonly layout: FrontierLayout;
  readonly axes: FrontierAxes;
  readonly look: FrontierLook;
  readonly part: TracePart;
  readonly trace: TraceRecord | undefined;
  /** The mean of the capacity that ran. */
  readonly ran: number | null;
}

export function FrontierGround({ layout, axes, look, part, trace, ran }: FrontierGroundProps) {
  const { plot, margin, height } = layout;
  const bottom = plot.y + plot.height;
  const right = plot.x + plot.width;
  const xUnit = METRICS[axes.x].unit;
  const yText = look.share
    ? { format: (value: number) => `${Math.round(value * 100)}`, unit: '%' }
    : tickFormat(layout.yTicks, metricUnit(axes.y));
  const xText = tickFormat(xUnit === 'ms' ? [] : layout.xTicks, xUnit);
  return (
    <>
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
        <CapacityInset {...layout.inset} trace={trace} part={part} ran={ran} />
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
    </>
  );
}
