// Where it happens: stations, buildings, and the user's way from its beginning (faint) to its end (dark).
import { useMemo } from 'react';
import type { RecipeSketch } from '#protocol/recipe';
import { formatChosen, formatDuration, plural, UNIT_SPACE } from '../../ui/format';
import css from './make.module.css';

type Plan = NonNullable<RecipeSketch['plan']>;

const WIDTH = 480;
const HEIGHT = 300;
const MARGIN = 28;
/** Below the plan: a station's name and the scale. */
const FOOT = 24;
const SHADES = 6;
const LENGTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function PlanMap({ plan, atS }: { readonly plan: Plan; readonly atS: number | null }) {
  const drawn = useMemo(() => draw(plan), [plan]);
  const { x, y, scale, shades } = drawn;
  const at = atS === null ? undefined : plan.way.findLast(([second]) => second <= atS);
  const bar = LENGTHS.findLast((metres) => metres * scale < WIDTH / 4) ?? 1;
  const last = plan.way.at(-1);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={css['map']}
      role="img"
      aria-label={`Map: ${plural(plan.stations.length, 'station')}, ${plural(plan.buildings.length, 'building')}, the way of ${formatDuration(last?.[0] ?? 0)}`}
    >
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
      {plan.stations.map(([sx, sy], i) => (
        <g key={i} transform={`translate(${x(sx)} ${y(sy)})`}>
          <path d="M0,-9L7,5H-7Z" className={css['station']} />
          <text y={18} className={css['mapText']}>
            {plan.stations.length === 1 ? 'station' : `station ${i + 1}`}
          </text>
        </g>
      ))}
      {at === undefined ? null : <circle cx={x(at[1])} cy={y(at[2])} r={5} className={css['user']} />}
      <g transform={`translate(${WIDTH - 12 - bar * scale} ${HEIGHT - 8})`}>
        <path d={`M0,-4V0H${bar * scale}V-4`} className={css['scale']} />
        <text x={(bar * scale) / 2} y={-6} className={css['mapText']}>
          {formatChosen(bar)}
          {UNIT_SPACE}m
        </text>
      </g>
    </svg>
  );
}

interface Drawn {
  readonly x: (metres: number) => number;
  readonly y: (metres: number) => number;
  readonly scale: number;
  /** The way in parts of equal time. */
  readonly shades: readonly string[];
}

/** The same metre in both directions, everything in sight. */
function draw({ stations, buildings, way }: Plan): Drawn {
  const xs = [...stations.map(([x]) => x), ...way.map(([, x]) => x), ...buildings.flatMap(([x0, , x1]) => [x0, x1])];
  const ys = [
    ...stations.map(([, y]) => y),
    ...way.map(([, , y]) => y),
    ...buildings.flatMap(([, y0, , y1]) => [y0, y1]),
  ];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(right - left, 10),
    (HEIGHT - FOOT - 2 * MARGIN) / Math.max(high - low, 10),
  );
  const x = (metres: number): number => WIDTH / 2 + (metres - (left + right) / 2) * scale;
  const y = (metres: number): number => (HEIGHT - FOOT) / 2 - (metres - (low + high) / 2) * scale;
  const part = Math.ceil(way.length / SHADES);
  const shades = Array.from({ length: SHADES }, (_, i) =>
    way
      .slice(i * part, (i + 1) * part + 1)
      .map(([, wx, wy], n) => `${n === 0 ? 'M' : 'L'}${x(wx).toFixed(1)},${y(wy).toFixed(1)}`)
      .join(''),
  );
  return { x, y, scale, shades };
}
