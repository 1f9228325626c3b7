// Axes side by side, on a narrow page one below the other, and a line through them for each cell. Better is always the same way.
import { useState, type PointerEvent } from 'react';
import { bufferLabel } from '#analysis/limits';
import { moveAmongMarks, onPress } from '../charts/roving';
import { Tip, type TipContent } from '../charts/Tip';
import type { Theme } from '../theme/theme';
import { formatMeasured, formatPercent } from '../ui/format';
import type { CcaSeries } from './experiment-series';
import { isKept, withKept, type Axis, type Kept, type Parallel, type ParallelLine } from './parallel-layout';
import styles from './parallel.module.css';

export interface ParallelPictureProps {
  readonly parallel: Parallel;
  readonly seriesOf: (line: ParallelLine) => CcaSeries | undefined;
  readonly kept: Kept;
  readonly onKept: (kept: Kept) => void;
  readonly selected: ReadonlySet<string>;
  readonly onChoose: (key: string) => void;
  readonly highlight: (group: string | null) => void;
  readonly emphasis: (group: string) => number;
  readonly width: number;
  readonly theme: Theme;
}

/** Below this width the axes lie on their sides. */
const NARROW = 640;
const HEIGHT = 300;
const ROW = 52;
const [TOP, BOTTOM, SIDE] = [44, 30, 40];
const GRIP = 18;
/** A shorter drag was a click: all of the axis again. */
const CLICK = 3;

type Point = readonly [x: number, y: number];

export interface ParallelFrame {
  readonly width: number;
  readonly height: number;
  /** Where a place from 0 to 1 is on the n-th axis. */
  readonly at: (axis: number, place: number) => Point;
  readonly lying: boolean;
}

export function parallelFrame(count: number, width: number): ParallelFrame {
  const lying = width < NARROW;
  const between = Math.max(1, count - 1);
  if (lying)
    return {
      ...{ width, lying, height: TOP + between * ROW + BOTTOM },
      at: (axis, place) => [12 + place * (width - 24), TOP + axis * ROW],
    };
  return {
    ...{ width, lying, height: HEIGHT },
    at: (axis, place) => [
      SIDE + (axis * (width - 2 * SIDE)) / between,
      HEIGHT - BOTTOM - place * (HEIGHT - BOTTOM - TOP),
    ],
  };
}

/** Where a pointer is along an axis, %. */
export function alongAxis({ at }: ParallelFrame, axis: number, [x, y]: Point): number {
  const [[x0, y0], [x1, y1]] = [at(axis, 0), at(axis, 1)];
  const along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2);
  return Math.max(0, Math.min(100, along * 100));
}

/** A line is broken where a value is not known. */
export function lineThrough(places: readonly (number | null)[], { at }: ParallelFrame): string {
  let [path, pen] = ['', false];
  for (const [axis, place] of places.entries()) {
    if (place !== null)
      path += `${pen ? 'L' : 'M'}${at(axis, place)
        .map((value) => value.toFixed(1))
        .join()}`;
    pen = place !== null;
  }
  return path;
}

export const textOf = ({ percent }: Pick<Axis, 'percent'>, value: number): string =>
  percent === true ? formatPercent(value) : formatMeasured(value);

export function ParallelPicture(props: ParallelPictureProps) {
  const { parallel, seriesOf, kept, onKept, selected, onChoose, highlight, emphasis, width, theme } = props;
  const { axes, lines } = parallel;
  const frame = parallelFrame(axes.length, width);
  const [tip, setTip] = useState<TipContent | null>(null);
  const drawn = lines.flatMap((line) => {
    const one = seriesOf(line);
    return one === undefined ? [] : [{ line, one, within: isKept(parallel, line, kept) }];
  });
  // What is kept lies above what is not, and what is selected above all.
  const ordered = drawn.toSorted((a, b) => rankOf(a.line, a.within, selected) - rankOf(b.line, b.within, selected));
  const leave = (): void => {
    setTip(null);
    highlight(null);
  };
  return (
    <div className={styles['parallel']}>
      <svg
        width={width}
        height={frame.height}
        data-figure-part=""
        role="group"
        aria-label={`${axes.map(({ title }) => title).join(', ')} of each cell, better ${frame.lying ? 'right' : 'up'}`}
      >
        <g data-marks="" onKeyDown={moveAmongMarks}>
          {ordered.map(({ line, one, within }, i) => {
            const { key } = line.row;
            const chosen = selected.has(key);
            const path = lineThrough(line.places, frame);
            const show = (): void => {
              highlight(one.group);
              setTip(tipOf(parallel, line, frame));
            };
            return (
              <g
                key={key}
                className={styles['line']}
                data-mark=""
                role="button"
                tabIndex={i === 0 ? 0 : -1}
                aria-pressed={chosen}
                aria-label={spoken(parallel, line)}
                onClick={() => onChoose(key)}
                onKeyDown={onPress(() => onChoose(key))}
                onPointerEnter={show}
                onPointerLeave={leave}
                onFocus={show}
                onBlur={leave}
              >
                <path d={path} className={styles['hit']} data-export="none" />
                <path
                  d={path}
                  className={styles['stroke']}
                  stroke={within ? one.look.colour : theme.hairlineStrong}
                  strokeOpacity={(within ? 0.75 : 0.35) * emphasis(one.group)}
                  strokeWidth={chosen ? 3.4 : 1.5}
                  strokeDasharray={one.look.dash.join(' ')}
                />
              </g>
            );
          })}
        </g>
        {axes.map((axis, i) => (
          <AxisPart
            key={axis.id}
            {...{ axis, frame, theme }}
            index={i}
            part={kept.get(axis.id)}
            onPart={(part) => onKept(withKept(kept, axis.id, part))}
          />
        ))}
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

const rankOf = ({ row }: ParallelLine, within: boolean, selected: ReadonlySet<string>): number =>
  selected.has(row.key) ? 2 : within ? 1 : 0;

const nameOf = ({ row }: ParallelLine): string =>
  `${row.label}, ${bufferLabel(row.cell.buffer)}, ${row.cell.trace_name}`;

const factsOf = ({ axes }: Parallel, { row }: ParallelLine): (readonly [string, string])[] =>
  axes.flatMap((axis) => {
    const value = axis.of(row);
    return value === null ? [] : [[axis.title, textOf(axis, value)] as const];
  });

function tipOf(parallel: Parallel, line: ParallelLine, frame: ParallelFrame): TipContent {
  const axis = Math.max(
    0,
    line.places.findIndex((place) => place !== null),
  );
  const [x, y] = frame.at(axis, line.places[axis] ?? 0);
  return { x, y, title: nameOf(line), facts: factsOf(parallel, line) };
}

const spoken = (parallel: Parallel, line: ParallelLine): string =>
  `Line of ${nameOf(line)}: ${factsOf(parallel, line)
    .map((fact) => fact.join(' '))
    .join(', ')}`;

interface AxisPartProps {
  readonly axis: Axis;
  readonly frame: ParallelFrame;
  readonly theme: Theme;
  readonly index: number;
  readonly part: readonly [number, number] | undefined;
  readonly onPart: (part: readonly [number, number]) => void;
}

/** An axis with its ends, and what of it is kept: dragged along it. */
function AxisPart({ axis, frame, theme, index, part, onPart }: AxisPartProps) {
  const [from, setFrom] = useState<number | null>(null);
  const [[x0, y0], [x1, y1]] = [frame.at(index, 0), frame.at(index, 1)];
  const along = (event: PointerEvent<SVGRectElement>): number => {
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    return alongAxis(frame, index, [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]);
  };
  const ends = [textOf(axis, axis.from), textOf(axis, axis.to)];
  const [low, high] = part ?? [0, 100];
  const [a, b] = [frame.at(index, low / 100), frame.at(index, high / 100)];
  return (
    <g>
      <path d={`M${x0},${y0}L${x1},${y1}`} stroke={theme.ink3} />
      {part === undefined ? null : (
        <rect
          x={Math.min(a[0], b[0]) - (frame.lying ? 0 : 5)}
          y={Math.min(a[1], b[1]) - (frame.lying ? 5 : 0)}
          width={Math.abs(a[0] - b[0]) + (frame.lying ? 0 : 10)}
          height={Math.abs(a[1] - b[1]) + (frame.lying ? 10 : 0)}
          className={styles['kept']}
        />
      )}
      {frame.lying ? (
        <g className={styles['end']}>
          <text x={x0} y={y0 + 15}>
            {ends[0]}
          </text>
          <text x={(x0 + x1) / 2} y={y0 - 8} textAnchor="middle" className={styles['title']}>
            {axis.title}
          </text>
          <text x={x1} y={y0 + 15} textAnchor="end">
            {ends[1]}
          </text>
        </g>
      ) : (
        <g className={styles['end']} textAnchor="middle">
          <text x={x0} y={TOP - 26} className={styles['title']}>
            {axis.title}
          </text>
          <text x={x0} y={TOP - 9}>
            {ends[1]}
          </text>
          <text x={x0} y={y0 + 16}>
            {ends[0]}
          </text>
        </g>
      )}
      <rect
        x={Math.min(x0, x1) - (frame.lying ? 0 : GRIP / 2)}
        y={Math.min(y0, y1) - (frame.lying ? GRIP / 2 : 0)}
        width={Math.abs(x0 - x1) + (frame.lying ? 0 : GRIP)}
        height={Math.abs(y0 - y1) + (frame.lying ? GRIP : 0)}
        className={frame.lying ? styles['gripLying'] : styles['grip']}
        data-export="none"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom(along(event));
        }}
        onPointerMove={(event) => {
          if (from === null) return;
          const to = along(event);
          if (Math.abs(to - from) > CLICK) onPart([Math.min(from, to), Math.max(from, to)]);
        }}
        onPointerUp={(event) => {
          if (from !== null && Math.abs(along(event) - from) <= CLICK) onPart([0, 100]);
          setFrom(null);
        }}
        onPointerCancel={() => setFrom(null)}
      />
    </g>
  );
}
