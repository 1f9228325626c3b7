// What an agent does, over two of its inputs: colours from the smallest window to the largest, and the way of its flows through them.
import { interpolateLab, scaleLinear } from 'd3';
import { Fragment } from 'react';
import { AxisBottom, AxisLeft, AxisTitles, Dot, type Frame, type Place } from '../charts/marks';
import { usePainted } from '../charts/painted';
import type { Surface } from '../charts/surface';
import type { Range, TimeView } from '../charts/time-view';
import type { Theme } from '../theme/theme';
import { formatMeasured } from '../ui/format';
import { CrossHair, shadeOf, shadesOf, TimeKey, type PhaseSeries } from './PhasePicture';
import cells from './cells.module.css';
import plane from './plane.module.css';

export interface PolicyPlane {
  /** Least and greatest. */
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** Columns and rows of what is below, from the least values on. */
  readonly columns: number;
  readonly rows: number;
  readonly actions: Float32Array;
}

interface PolicyPictureProps {
  readonly plane: PolicyPlane;
  readonly series: readonly PhaseSeries[];
  readonly x: string;
  readonly y: string;
  readonly range: Range;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly emphasis: (key: string) => number;
  readonly view: TimeView;
}

/** Colours of −1 to 1, that of 0 in the middle. */
const SHADES = 41;
const DEEPEST = 0.85;
const KEY = { width: 144, height: 8 } as const;

const colourOf = (action: number, theme: Theme): string =>
  interpolateLab(theme.surface, action < 0 ? theme.divergeLow : theme.divergeHigh)(DEEPEST * Math.abs(action));

const shadeNumber = (action: number): number => Math.round(((action + 1) / 2) * (SHADES - 1));
const actionOfShade = (shade: number): number => (2 * shade) / (SHADES - 1) - 1;

/** Cells of one row that look the same. */
interface Stretch {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** One fill a colour. */
function paintPlane(on: Surface, { columns, rows, actions }: PolicyPlane, frame: Frame, theme: Theme): void {
  // Edges on whole pixels: between cells nothing is to be seen.
  const across = (column: number): number => Math.round(frame.left + (column * (frame.right - frame.left)) / columns);
  const up = (row: number): number => Math.round(frame.bottom - (row * (frame.bottom - frame.top)) / rows);
  const byShade = Array.from({ length: SHADES }, (): Stretch[] => []);
  for (let row = 0; row < rows; row++)
    for (let from = 0, to = 1; from < columns; from = to, to = from + 1) {
      const shade = shadeNumber(actions[row * columns + from] ?? 0);
      while (to < columns && shadeNumber(actions[row * columns + to] ?? 0) === shade) to++;
      byShade[shade]?.push({ row, from, to });
    }
  byShade.forEach((own, shade) => {
    if (own.length === 0) return;
    on.bars(
      (bar) => {
        for (const { row, from, to } of own)
          bar(across(from), up(row + 1), across(to) - across(from), up(row) - up(row + 1));
      },
      { colour: colourOf(actionOfShade(shade), theme) },
    );
  });
}

export function PolicyPicture(props: PolicyPictureProps) {
  const { plane: shown, series, x: xTitle, y: yTitle, range, width, height, theme, emphasis, view } = props;
  const frame: Frame = { left: 52, right: width - 16, top: 68, bottom: height - 40 };
  const x = scaleLinear([...shown.x], [frame.left, frame.right]);
  const y = scaleLinear([...shown.y], [frame.bottom, frame.top]);
  const inside: { x: Place; y: Place } = {
    x: (value) => Math.min(Math.max(x(value), frame.left), frame.right),
    y: (value) => Math.min(Math.max(y(value), frame.top), frame.bottom),
  };
  const { canvas, svg } = usePainted((on) => paintPlane(on, shown, frame, theme), { width, height });
  const spoken = series.flatMap(({ flow, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [`${flow.label} at ${formatMeasured(last.x)} and ${formatMeasured(last.y)}`];
  });
  return (
    <div className={cells['facet']}>
      <canvas ref={canvas} className={cells['painted']} style={{ width, height }} />
      <svg
        ref={svg}
        width={width}
        height={height}
        data-figure-part=""
        className={plane['svg']}
        role="img"
        aria-label={`Action over ${xTitle} and ${yTitle}, from ${formatMeasured(Math.min(...shown.actions), 2)} to ${formatMeasured(Math.max(...shown.actions), 2)}; in the end ${spoken.join('; ')}`}
      >
        <TimeKey range={range} right={frame.right} theme={theme} />
        <ActionKey theme={theme} />
        {series.map(({ flow: { key, look }, points }) => (
          <g key={key} opacity={emphasis(key)} fill="none">
            {shadesOf(points, range, inside.x, inside.y).map(({ dots, lines }, shade) => {
              const colour = shadeOf(series.length > 1 ? look.colour : theme.ink, theme.surface, shade);
              return dots === '' ? null : (
                <Fragment key={shade}>
                  {lines === '' ? null : <path d={lines} stroke={colour} strokeOpacity={0.3} />}
                  <path d={dots} stroke={colour} strokeWidth={3} strokeLinecap="round" />
                </Fragment>
              );
            })}
          </g>
        ))}
        {series.map(({ flow: { key, look }, points }) => {
          const last = points.at(-1);
          return last === undefined ? null : <Dot key={key} look={look} x={inside.x(last.x)} y={inside.y(last.y)} />;
        })}
        <CrossHair view={view} series={series} x={inside.x} y={inside.y} theme={theme} />
        <AxisBottom
          ticks={x.ticks(Math.max(2, (frame.right - frame.left) / 90))}
          place={x}
          at={frame.bottom}
          from={frame.left}
          to={frame.right}
        />
        <AxisLeft ticks={y.ticks(5)} place={y} at={frame.left} from={frame.top} to={frame.bottom} />
        <AxisTitles x={xTitle} y={yTitle} frame={frame} />
      </svg>
    </div>
  );
}

/** What the colours mean. */
const ActionKey = ({ theme }: { readonly theme: Theme }) => (
  <g className={plane['unit']}>
    {Array.from({ length: SHADES }, (_, shade) => (
      <rect
        key={shade}
        x={Math.round((shade * KEY.width) / SHADES)}
        y={9}
        width={Math.ceil(KEY.width / SHADES)}
        height={KEY.height}
        fill={colourOf(actionOfShade(shade), theme)}
      />
    ))}
    <text x={0} y={30}>
      −1, smaller
    </text>
    <text x={KEY.width} y={30} textAnchor="end">
      larger, 1
    </text>
  </g>
);
