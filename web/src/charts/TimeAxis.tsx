// The time axis of stacked panels, once for all of them: as wide as they are, with the same edges.
import { useEffect, useRef } from 'react';
import { useWidth } from '../ui/use-width';
import { drawTimeAxis } from './axes';
import { cancelDraw, requestDraw } from './frame-loop';
import { plotEdges } from './layout';
import type { TimeView } from './time-view';
import styles from './TimeSeriesPanel.module.css';

const HEIGHT = 24;

export function TimeAxis({ view }: { readonly view: TimeView }) {
  const [host, width] = useWidth<HTMLDivElement>();
  const group = useRef<SVGGElement>(null);
  useEffect(() => {
    const draw = (): void => {
      if (group.current !== null && width > 0)
        drawTimeAxis(group.current, view.range, { ...plotEdges(width), width, axisTop: 0.5 }, true);
    };
    const stop = view.subscribe((change) => {
      if (change === 'range') requestDraw(draw);
    });
    draw();
    return () => {
      stop();
      cancelDraw(draw);
    };
  }, [view, width]);
  return (
    <div ref={host} className={styles['shared']}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <g ref={group} data-part="x" className={styles['axis']} />
      </svg>
    </div>
  );
}
