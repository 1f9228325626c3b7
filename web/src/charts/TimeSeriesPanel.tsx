// A time-series panel: canvas for the series, SVG for axes and cross-hair, a slider for keyboards and screen readers.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { TimeSeriesPanelProps } from './figure-props';
import { cursorLabel, PanelController, type PanelInput } from './panel-controller';
import { cursorReaders } from './cursor-values';
import { readPanel } from './readings';
import { extremes } from './scales';
import { useTheme } from '../theme/theme';
import { formatReading } from '#analysis/reading-text';
import styles from './TimeSeriesPanel.module.css';

export function TimeSeriesPanel(props: TimeSeriesPanelProps) {
  const { spec, view, visibility, width, height } = props;
  const theme = useTheme();
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const controller = useRef<PanelController | null>(null);
  const input: PanelInput = { ...props, theme };
  const latest = useRef(input);

  // After every render; equal props draw nothing.
  useLayoutEffect(() => {
    latest.current = input;
    controller.current?.update(input);
  });

  useLayoutEffect(() => {
    if (host.current === null || frame.current === null || canvas.current === null || svg.current === null) return;
    const root = svg.current;
    const made = new PanelController(
      {
        host: host.current,
        frame: frame.current,
        canvas: canvas.current,
        svg: root,
        axes: {
          x: part(root, 'x', 'g'),
          y: part(root, 'y', 'g'),
          right: part(root, 'right', 'g'),
          unit: part(root, 'unit', 'text'),
          rightUnit: part(root, 'right-unit', 'text'),
          limits: part(root, 'limits', 'g'),
        },
        cursor: part(root, 'cursor', 'g'),
        cursorLine: part(root, 'cursor-line', 'line'),
        cursorTime: part(root, 'cursor-time', 'text'),
        cursorDots: part(root, 'cursor-dots', 'g'),
        selection: part(root, 'selection', 'rect'),
      },
      latest.current,
    );
    controller.current = made;
    return () => {
      made.destroy();
      controller.current = null;
    };
  }, []);

  useEffect(() => {
    if (host.current === null) return;
    return cursorReaders(view).add(host.current, (moment) => readPanel(spec, visibility, moment));
  }, [spec, view, visibility]);

  const summaryId = useId();
  const { now, text, summary } = useSpoken(props);
  const [from, to] = view.extent;
  return (
    <div
      ref={host}
      className={styles['panel']}
      style={{ width, height }}
      role="slider"
      tabIndex={0}
      aria-label={`${spec.title}: cursor in time`}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={now}
      aria-valuetext={text}
      aria-describedby={summaryId}
    >
      <div ref={frame} className={styles['frame']}>
        <canvas ref={canvas} className={styles['canvas']} />
      </div>
      <svg ref={svg} className={styles['overlay']} width={width} height={height} data-figure-part="" aria-hidden="true">
        <g data-part="x" className={styles['axis']} />
        <g data-part="y" className={styles['axis']} />
        <g data-part="right" className={styles['axis']} />
        <g data-part="limits" className={styles['limits']} />
        <text data-part="unit" className={styles['unit']} textAnchor="end" />
        <text data-part="right-unit" className={styles['unit']} />
        <rect data-part="selection" data-export="none" className={styles['selection']} style={{ display: 'none' }} />
        <g data-part="cursor" data-export="none" style={{ display: 'none' }}>
          <line data-part="cursor-line" className={styles['cursorLine']} />
          <g data-part="cursor-dots" />
          <text data-part="cursor-time" className={styles['cursorTime']} />
        </g>
      </svg>
      <span id={summaryId} hidden>
        {summary}
      </span>
    </div>
  );
}

/** An element inside the panel's SVG by its data-part; React has rendered all of them. */
function part<T extends keyof SVGElementTagNameMap>(
  root: SVGSVGElement,
  name: string,
  tag: T,
): SVGElementTagNameMap[T] {
  const found = root.querySelector<SVGElementTagNameMap[T]>(`${tag}[data-part="${name}"]`);
  if (found === null) throw new Error(`panel part ${name} is missing`);
  return found;
}

/** Spoken once things have stood still for so long: a screen reader cannot follow a moving pointer. */
const SPEAK_AFTER_MS = 200;

interface Spoken {
  readonly now: number;
  readonly text: string;
  readonly summary: string;
}

/** The cursor's values and the extremes in sight, in words, after things have settled. */
function useSpoken({ spec, view, visibility, source }: TimeSeriesPanelProps): Spoken {
  const [spoken, setSpoken] = useState<Spoken>({ now: view.extent[0], text: 'no cursor', summary: '' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speak = (): void => {
      timer = undefined;
      const time = view.cursor;
      const readings = time === null ? [] : readPanel(spec, visibility, { at: time });
      const [from, to] = view.range;
      const ranges = spec.series.flatMap((series) => {
        if (series.kind === 'band' || series.kind === 'ribbon' || series.kind === 'shade') return [];
        if (!visibility.shows(series)) return [];
        const found = extremes(series.data, view.range);
        return found === null
          ? []
          : [`${series.label} ${formatReading(found[0], series.unit)} to ${formatReading(found[1], series.unit)}`];
      });
      const next: Spoken = {
        now: time ?? from,
        text:
          time === null
            ? 'no cursor'
            : `${cursorLabel(time, view.range)}: ${readings.map((r) => `${r.label} ${r.text ?? formatReading(r.value, r.unit)}`).join(', ')}`,
        summary: `From ${cursorLabel(from, view.range)} to ${cursorLabel(to, view.range)}: ${ranges.join('; ') || 'no data'}.`,
      };
      setSpoken((old) => (old.text === next.text && old.summary === next.summary && old.now === next.now ? old : next));
    };
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(speak, SPEAK_AFTER_MS);
    };
    const stops = [view.subscribe(later), visibility.subscribe(later), source?.subscribe(later)];
    later();
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop?.();
    };
  }, [spec, view, visibility, source]);
  return spoken;
}
