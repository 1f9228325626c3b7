// Autocorrelation over a logarithmic lag: how long the rate of now says something about the rate to come.
import { useMemo, useState } from 'react';
import { line, scaleLinear, scaleLog } from 'd3';
import type { TraceMemory } from '#protocol/trace';
import { SvgAxis } from '../charts/SvgAxis';
import { formatChosen, formatDelay, formatMeasured, UNIT_SPACE } from '../ui/format';
import styles from './trace-charts.module.css';

export interface AcfCurve {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly dash: readonly number[];
  /** SVG path of its marker, drawn at the first lag below 1/e. */
  readonly marker: string;
  readonly opacity: number;
  readonly memory: TraceMemory;
}

const TOP = 14;
const BOTTOM = 40;
const LEFT = 44;
const RIGHT = 16;
const ONE_E = Math.exp(-1);
const LAG_TICKS = [0.01, 0.1, 1, 10, 100];
const SHORTEST = [0.01, 0.1] as const;

/** 10 ms, 1.5 s. */
export const lagText = (lag: number): string =>
  lag < 1
    ? `${formatChosen(Math.round(lag * 1000))}${UNIT_SPACE}ms`
    : `${formatChosen(Number(lag.toPrecision(3)))}${UNIT_SPACE}s`;

/** The correlation at a lag, by the straight line between those that are known. */
export function correlationAt({ acf }: TraceMemory, lag: number): number {
  const after = acf.findIndex(([at]) => at >= lag);
  const [b, a] = [acf[after], acf[after - 1]];
  if (b === undefined || lag < (acf[0]?.[0] ?? Infinity) * 0.999) return Number.NaN;
  if (a === undefined || b[0] === lag) return b[1];
  return a[1] + ((b[1] - a[1]) * (lag - a[0])) / (b[0] - a[0]);
}

export function AcfChart({
  curves,
  width,
  height,
  label,
}: {
  readonly curves: readonly AcfCurve[];
  readonly width: number;
  readonly height: number;
  readonly label: string;
}) {
  const [at, setAt] = useState<number | null>(null);
  const { x, y, paths, bottom, right } = useMemo(() => {
    const points = curves.flatMap(({ memory }) => memory.acf);
    const end = Math.max(1, ...points.map(([lag]) => lag));
    const start = points.some(([lag]) => lag < 0.05) ? SHORTEST[0] : SHORTEST[1];
    const least = Math.min(-0.2, ...points.map(([, r]) => r));
    const edges = { bottom: height - BOTTOM, right: width - RIGHT };
    const scales = {
      x: scaleLog([start, end], [LEFT, edges.right]).clamp(true),
      y: scaleLinear([Math.max(-1, least), 1], [edges.bottom, TOP]),
    };
    const path = line<readonly [number, number]>(
      ([lag]) => scales.x(lag),
      ([, r]) => scales.y(r),
    );
    return { ...scales, ...edges, paths: curves.map(({ memory }) => path(memory.acf) ?? '') };
  }, [curves, width, height]);
  const ticks = LAG_TICKS.filter((tick) => tick >= (x.domain()[0] ?? 0) && tick <= (x.domain()[1] ?? 0));
  const yTicks = [-1, -0.5, 0, 0.5, 1].filter((tick) => tick >= (y.domain()[0] ?? 0));
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={label}
      onPointerMove={(event) => {
        const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
        setAt(px < LEFT || px > right ? null : x.invert(px));
      }}
      onPointerLeave={() => setAt(null)}
    >
      <g className={styles['grid']}>
        {yTicks.map((tick) => (
          <path key={tick} d={`M${LEFT},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      <g className={styles['mark']}>
        <path d={`M${LEFT},${Math.round(y(ONE_E)) + 0.5}H${right}`} />
        <text x={right} y={y(ONE_E) - 4} textAnchor="end">
          1/e
        </text>
      </g>
      {curves.map((curve, i) => (
        <g key={curve.key} opacity={curve.opacity}>
          <path
            d={paths[i]}
            className={styles['line']}
            stroke={curve.colour}
            strokeDasharray={curve.dash.length === 0 ? undefined : curve.dash.join(' ')}
          />
          {curve.memory.below_1e_s === null ? null : (
            <path
              d={curve.marker}
              transform={`translate(${x(curve.memory.below_1e_s)},${y(correlationAt(curve.memory, curve.memory.below_1e_s))})`}
              fill={curve.colour}
            />
          )}
        </g>
      ))}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={lagText} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={yTicks} format={(r) => String(r).replace('-', '−')} at={LEFT} />
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        lag
      </text>
      {at === null ? null : (
        <g className={styles['cursor']} data-export="none">
          <path d={`M${x(at)},${TOP}V${bottom}`} />
          <text
            x={x(at) + (x(at) > (LEFT + right) / 2 ? -8 : 8)}
            y={TOP + 10}
            textAnchor={x(at) > (LEFT + right) / 2 ? 'end' : 'start'}
          >
            <tspan>{`after ${formatDelay(at * 1000)}`}</tspan>
            {curves.map((curve) => {
              const r = correlationAt(curve.memory, at);
              return Number.isNaN(r) ? null : (
                <tspan key={curve.key} x={x(at) + (x(at) > (LEFT + right) / 2 ? -8 : 8)} dy="1.3em">
                  {`${curve.label}: ${formatMeasured(r, 2)}`}
                </tspan>
              );
            })}
          </text>
        </g>
      )}
    </svg>
  );
}
