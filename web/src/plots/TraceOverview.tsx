// The whole trace as a strip with a window that can be drawn, moved and resized: the range of the panel above.
import { brushX, scaleLinear, select, type BrushBehavior, type D3BrushEvent } from 'd3';
import { useEffect, useMemo, useRef } from 'react';
import type { TimeView } from '../charts/time-view';
import type { CapacitySeries } from './trace-data';
import { layoutPanel } from '../charts/layout';
import styles from './overview.module.css';

const HEIGHT = 44;

export function TraceOverview({
  capacity,
  view,
  width,
}: {
  readonly capacity: CapacitySeries;
  readonly view: TimeView;
  readonly width: number;
}) {
  const { left, plotWidth } = useMemo(
    () => layoutPanel({ id: '', title: '', series: [], y: { unit: '' } }, width, HEIGHT, false),
    [width],
  );
  const group = useRef<SVGGElement>(null);
  const { path, outages } = useMemo(
    () => shapes(capacity, view.extent, left, plotWidth),
    [capacity, view, left, plotWidth],
  );

  useEffect(() => {
    const element = group.current;
    if (element === null) return;
    const x = scaleLinear([view.extent[0], view.extent[1]], [left, left + plotWidth]);
    const brush: BrushBehavior<unknown> = brushX();
    const target = select<SVGGElement, unknown>(element);
    /** Moving the window by code must not answer with another change of the view. */
    let moving = false;
    const follow = (): void => {
      moving = true;
      target.call(brush.move.bind(brush), view.zoomed ? [x(view.range[0]), x(view.range[1])] : null);
      moving = false;
    };
    brush
      .extent([
        [left, 0],
        [left + plotWidth, HEIGHT],
      ])
      .on('brush end', (event: D3BrushEvent<unknown>) => {
        if (moving) return;
        const selection = event.selection as [number, number] | null;
        if (selection !== null) view.show([x.invert(selection[0]), x.invert(selection[1])], { gesture: true });
        else if (event.type === 'end') view.reset();
        if (event.type === 'end') view.commit();
      });
    target.call(brush);
    follow();
    return view.subscribe((change) => change === 'range' && follow());
  }, [view, left, plotWidth]);

  return (
    <svg width={width} height={HEIGHT + 4} className={styles['overview']} data-figure-part="" aria-hidden="true">
      <path d={path} className={styles['area']} />
      <path d={outages} className={styles['outage']} />
      <g ref={group} className={styles['brush']} />
    </svg>
  );
}

/** The mean of each bin as an area; bins without any opportunity as bars at the foot. */
function shapes(
  { mean, max }: CapacitySeries,
  [from, to]: readonly [number, number],
  left: number,
  width: number,
): { path: string; outages: string } {
  let top = 0;
  for (let i = 0; i < mean.length; i++) top = Math.max(top, mean.y[i] ?? 0);
  const x = (time: number): number => left + ((time - from) / (to - from)) * width;
  let path = `M${left},${HEIGHT}`;
  let outages = '';
  for (let i = 0; i < mean.length; i++) {
    const end = x(mean.x[i] ?? 0).toFixed(1);
    const start = i === 0 ? left.toFixed(1) : x(mean.x[i - 1] ?? 0).toFixed(1);
    const y = top === 0 ? HEIGHT : HEIGHT - ((HEIGHT - 4) * (mean.y[i] ?? 0)) / top;
    path += `L${start},${y.toFixed(1)}H${end}`;
    if ((max.y[i] ?? 0) === 0) outages += `M${start},${HEIGHT + 1}H${Math.max(Number(end), Number(start) + 1)}`;
  }
  return { path: `${path}V${HEIGHT}Z`, outages };
}
