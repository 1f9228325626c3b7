// What stands still on the map: buildings, the user's way, what passes in between, stations, the scale.
import { useMemo } from 'react';
import { formatChosen, UNIT_SPACE } from '../../ui/format';
import { type MapScale, type Plan, pointAt, scaleBar, shadedWay } from './plan';
import css from './make.module.css';

const SHADES = 5;
/** Half the width of a blocker's cross. */
const CROSS = 3;

interface PlanMapProps {
  readonly plan: Plan;
  readonly map: MapScale;
  /** Mbps in equal parts of the time. */
  readonly rates: readonly number[];
}

export function PlanMap({ plan, map, rates }: PlanMapProps) {
  const { x, y, scale, width, height } = map;
  const shades = useMemo(() => shadedWay(plan, map, rates, SHADES), [plan, map, rates]);
  const crosses = useMemo(() => plan.blockers.map(([, from]) => cross(plan, map, from)).join(''), [plan, map]);
  const bar = scaleBar(map);
  const first = plan.way[0];
  return (
    <>
      {plan.buildings.map(([x0, y0, x1, y1], i) => (
        <rect
          key={i}
          x={x(x0)}
          y={y(y1)}
          width={(x1 - x0) * scale}
          height={(y1 - y0) * scale}
          className={css['building']}
        />
      ))}
      {shades.map((path, i) => (
        <path key={i} d={path} className={css['way']} opacity={(i + 1) / SHADES} />
      ))}
      <path d={crosses} className={css['blocker']} />
      {first === undefined ? null : <circle cx={x(first[1])} cy={y(first[2])} r={4} className={css['start']} />}
      {plan.stations.map(([sx, sy], i) => (
        <g key={i} transform={`translate(${x(sx)} ${y(sy)})`}>
          <path d="M0,-9L7,5H-7Z" className={css['station']} />
          {plan.stations.length === 1 ? null : (
            <text y={18} className={css['mapText']}>
              {i + 1}
            </text>
          )}
        </g>
      ))}
      <g transform={`translate(${width - 12 - bar * scale} ${height - 8})`}>
        <path d={`M0,-4V0H${bar * scale}V-4`} className={css['scale']} />
        <text x={(bar * scale) / 2} y={-6} className={css['mapText']}>
          {formatChosen(bar)}
          {UNIT_SPACE}m
        </text>
      </g>
    </>
  );
}

function cross(plan: Plan, { x, y }: MapScale, second: number): string {
  const at = pointAt(plan, second);
  if (at === undefined) return '';
  const [px, py] = [x(at[1]), y(at[2])];
  return `M${px - CROSS},${py - CROSS}l${2 * CROSS},${2 * CROSS}M${px - CROSS},${py + CROSS}l${2 * CROSS},${-2 * CROSS}`;
}
