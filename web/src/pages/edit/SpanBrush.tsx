// A strip under the chart on which a span of the trace is drawn: it fills the times of the step that is being edited. The fields of the
// step are the same for a keyboard.
import { type BrushBehavior, brushX, type D3BrushEvent } from 'd3-brush';
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { useEffect, useRef } from 'react';
import { layoutPanel } from '../../charts/layout';
import { type TimeView, useTimeView } from '../../charts/time-view';
import type { Span } from './steps';
import css from './edit.module.css';

const HEIGHT = 26;

interface SpanBrushProps {
  readonly view: TimeView;
  readonly width: number;
  /** Of the trace on which the span lies. */
  readonly lengthMs: number;
  readonly span: Span | null;
  readonly onChange: (span: Span | null) => void;
}

export function SpanBrush({ view, width, lengthMs, span, onChange }: SpanBrushProps) {
  const group = useRef<SVGGElement>(null);
  const range = useTimeView(view, (now) => now.range);
  const { left, plotWidth } = layoutPanel({ id: '', title: '', series: [], y: { unit: '' } }, width, HEIGHT, false);
  const from = span?.[0] ?? null;
  const to = span?.[1] ?? null;
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);

  useEffect(() => {
    const element = group.current;
    if (element === null) return;
    const x = scaleLinear([range[0] * 1000, range[1] * 1000], [left, left + plotWidth]).clamp(true);
    const end = x(lengthMs);
    const brush: BrushBehavior<unknown> = brushX();
    const target = select<SVGGElement, unknown>(element);
    // Setting it by code must not answer with a change.
    let setting = true;
    const show = (): void => {
      setting = true;
      target.call(
        brush.move.bind(brush),
        from === null || to === null ? null : [x(from), Math.max(x(to), x(from) + 1)],
      );
      setting = false;
    };
    brush
      .extent([
        [left, 0],
        [Math.max(end, left), HEIGHT],
      ])
      .on('end', (event: D3BrushEvent<unknown>) => {
        if (setting) return;
        const selection = event.selection as [number, number] | null;
        if (selection === null) {
          change.current(null);
          show(); // a step keeps its span
        } else {
          const start = Math.round(x.invert(selection[0]));
          change.current([start, Math.max(start + 1, Math.min(lengthMs, Math.round(x.invert(selection[1]))))]);
        }
      });
    target.call(brush);
    show();
    return () => void target.on('.brush', null);
  }, [range, left, plotWidth, lengthMs, from, to]);

  return (
    <svg width={width} height={HEIGHT} className={css['strip']} data-figure-part="" aria-hidden="true">
      <rect x={left} y={0} width={plotWidth} height={HEIGHT} className={css['stripGround']} />
      {span === null ? (
        <text x={left + plotWidth / 2} y={HEIGHT / 2} className={css['stripText']}>
          drag here to select a part
        </text>
      ) : null}
      <g ref={group} className={css['brush']} />
    </svg>
  );
}
