// The triangle of all weightings: who is first where, the scenarios as points, and the chosen one's weights as a handle that can be moved.
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { insideTriangle, type Blend, type TriangleRegion } from '#analysis/weight-triangle';
import { shortened, textWidth } from '../charts/measure';
import { Dot } from '../charts/marks';
import type { Theme } from '../theme/theme';
import { formatPercent } from '../ui/format';
import { useWentElsewhere } from '../ui/use-went-elsewhere';
import type { CcaSeries } from './experiment-series';
import {
  MARGIN,
  blendAt,
  nameAt,
  placeOfBlend,
  stepped,
  triangleFrame,
  triangleHeight,
  type TriangleFrame,
} from './triangle-geometry';
import styles from './triangle.module.css';

export interface TrianglePoint {
  readonly id: string;
  readonly label: string;
  readonly blend: Blend;
}

export interface TrianglePictureProps {
  readonly regions: readonly TriangleRegion[];
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly points: readonly TrianglePoint[];
  /** The one of them that can be moved. */
  readonly own: string;
  readonly width: number;
  readonly theme: Theme;
  readonly emphasis: (key: string) => number;
  /** `dragging`: one more step of the same move. Absent: nothing can be moved. */
  readonly onMove?: ((to: Blend, dragging: boolean) => void) | undefined;
}

/** What a press of a key moves, and with Shift. */
const [STEP, LONG_STEP] = [0.02, 0.1];
/** No key for so long: the next one is another move. */
const REST_MS = 2000;
/** Regions smaller than this have no room for a name. */
const NAMED = 0.03;
const HANDLE = 8;

const spokenBlend = ([throughput, delay, fairness]: Blend): string =>
  `throughput ${formatPercent(throughput)}, delay⁻¹ ${formatPercent(delay)}, fairness ${formatPercent(fairness)}`;

export function TrianglePicture(props: TrianglePictureProps) {
  const { regions, series, points, own, width, theme, emphasis, onMove } = props;
  const frame = triangleFrame(width);
  const height = triangleHeight(width);
  const at = (blend: Blend): [number, number] => placeOfBlend(blend, frame);
  const outline = (corners: readonly Blend[]): string =>
    `M${corners
      .map((corner) =>
        at(corner)
          .map((value) => value.toFixed(1))
          .join(),
      )
      .join('L')}Z`;
  const corners: readonly Blend[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const [left, right] = [frame.left, frame.left + frame.side];
  const [, top] = at([1, 0, 0]);
  const [, floor] = at([0, 1, 0]);
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="group"
      aria-label={`Who is first: ${regions.map(({ label, share }) => `${label} ${formatPercent(share)}`).join(', ')}`}
    >
      {regions.map(({ keys, polygon }) => {
        const one = series.get(keys[0] ?? '');
        return one === undefined ? null : (
          <path
            key={one.key}
            d={outline(polygon)}
            fill={one.look.colour}
            fillOpacity={0.2 * emphasis(one.group)}
            stroke={theme.surface}
            strokeWidth={2}
          />
        );
      })}
      <TriangleGrid at={at} />
      <path d={outline(corners)} fill="none" stroke={theme.hairlineStrong} />
      {regions.map((region) => (
        <RegionName
          key={region.label}
          {...{ region, series, theme }}
          at={nameAt(
            region.polygon,
            points.map(({ blend }) => blend),
            frame,
          )}
          side={frame.side}
        />
      ))}
      <text x={width / 2} y={top - 12} textAnchor="middle" className={styles['corner']}>
        throughput alone
      </text>
      <text x={Math.max(0, left - MARGIN)} y={floor + 20} className={styles['corner']}>
        delay⁻¹ alone
      </text>
      <text x={Math.min(width, right + MARGIN)} y={floor + 20} textAnchor="end" className={styles['corner']}>
        fairness alone
      </text>
      {points
        .filter(({ id }) => id !== own)
        .map(({ id, label, blend }) => (
          <g
            key={id}
            transform={`translate(${at(blend)
              .map((value) => value.toFixed(1))
              .join()})`}
          >
            <circle r={4} fill={theme.surface} stroke={theme.ink} strokeWidth={1.4} />
            <text y={-8} textAnchor="middle" className={styles['point']}>
              {label}
            </text>
          </g>
        ))}
      {points
        .filter(({ id }) => id === own)
        .map((point) => (
          <Handle key={point.id} {...{ point, frame, theme, onMove }} />
        ))}
    </svg>
  );
}

const TENTHS = [0.25, 0.5, 0.75];

/** Lines of equal weight, every quarter. */
const TriangleGrid = ({ at }: { readonly at: (blend: Blend) => [number, number] }) => (
  <path
    className={styles['grid']}
    d={TENTHS.flatMap((w) => [
      [at([w, 1 - w, 0]), at([w, 0, 1 - w])],
      [at([1 - w, w, 0]), at([0, w, 1 - w])],
      [at([1 - w, 0, w]), at([0, 1 - w, w])],
    ])
      .map((ends) => `M${ends.map((end) => end.map((value) => value.toFixed(1)).join()).join('L')}`)
      .join('')}
  />
);

interface RegionNameProps {
  readonly region: TriangleRegion;
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly at: readonly [x: number, y: number];
  readonly side: number;
  readonly theme: Theme;
}

function RegionName({ region: { keys, label, share }, series, at: [x, y], side, theme }: RegionNameProps) {
  const one = series.get(keys[0] ?? '');
  if (one === undefined || share < NAMED) return null;
  const font = `500 12px ${theme.sans}`;
  const text = shortened(label, Math.max(60, side * Math.sqrt(share) * 0.7), font);
  const half = textWidth(text, font) / 2;
  return (
    <g>
      <Dot look={one.look} x={x - half - 8} y={y} />
      <text x={x - half + 2} y={y} dy="0.35em" className={styles['name']}>
        {text}
      </text>
      <text x={x} y={y + 17} textAnchor="middle" className={styles['share']}>
        {formatPercent(share)}
      </text>
    </g>
  );
}

interface HandleProps extends Pick<TrianglePictureProps, 'theme' | 'onMove'> {
  readonly point: TrianglePoint;
  readonly frame: TriangleFrame;
}

function Handle({ point: { label, blend }, frame, theme, onMove }: HandleProps) {
  const moving = useRef<'no' | 'begun' | 'on'>('no');
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = (): void => {
    clearTimeout(rest.current);
    moving.current = 'no';
  };
  useWentElsewhere(end);
  const [x, y] = placeOfBlend(blend, frame);
  const move = (to: Blend): void => {
    onMove?.(to, moving.current === 'on');
    moving.current = 'on';
  };
  const follow = (event: PointerEvent<SVGGElement>): void => {
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (box === undefined) return;
    move(insideTriangle(blendAt([event.clientX - box.left, event.clientY - box.top], frame)));
  };
  const press = (event: KeyboardEvent): void => {
    const next = stepped(blend, event.key, event.shiftKey ? LONG_STEP : STEP);
    if (next === null) return;
    event.preventDefault();
    clearTimeout(rest.current);
    move(next);
    rest.current = setTimeout(end, REST_MS);
  };
  const picture = (
    <>
      <circle r={HANDLE + 6} fill="transparent" />
      <circle r={HANDLE} fill={theme.ink} stroke={theme.surface} strokeWidth={2} className={styles['knob']} />
      <text y={-HANDLE - 6} textAnchor="middle" className={styles['own']}>
        {label}
      </text>
    </>
  );
  const transform = `translate(${x.toFixed(1)},${y.toFixed(1)})`;
  if (onMove === undefined) return <g transform={transform}>{picture}</g>;
  return (
    <g
      transform={transform}
      role="slider"
      tabIndex={0}
      className={styles['handle']}
      aria-label={`Weights of ${label}: up and down for throughput, left for delay, right for fairness`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(blend[0] * 100)}
      aria-valuetext={spokenBlend(blend)}
      onKeyDown={press}
      onBlur={end}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        clearTimeout(rest.current);
        event.currentTarget.setPointerCapture(event.pointerId);
        moving.current = 'begun';
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {picture}
    </g>
  );
}
