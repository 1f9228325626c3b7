// An axis of an SVG figure, by d3-axis.
import { axisBottom, axisLeft, select, type AxisScale } from 'd3';
import { useLayoutEffect, useRef } from 'react';
import styles from './svg-figure.module.css';

export interface SvgAxisProps {
  readonly side: 'bottom' | 'left';
  readonly scale: AxisScale<number>;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** Position of the axis line across its direction. */
  readonly at: number;
}

export function SvgAxis({ side, scale, ticks, format, at }: SvgAxisProps) {
  const group = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    if (group.current === null) return;
    const axis = side === 'bottom' ? axisBottom(scale) : axisLeft(scale);
    select(group.current).call(
      axis
        .tickValues([...ticks])
        .tickFormat((value) => format(value))
        .tickSize(side === 'bottom' ? 4 : 0)
        .tickSizeOuter(0)
        .tickPadding(side === 'bottom' ? 5 : 6),
    );
    // Of no length: a page of figures has hundreds.
    if (side === 'left') select(group.current).selectAll('.tick line').remove();
  });
  return (
    <g
      ref={group}
      className={styles['axis']}
      transform={side === 'bottom' ? `translate(0,${at})` : `translate(${at},0)`}
    />
  );
}
