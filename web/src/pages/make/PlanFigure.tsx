// Where it happens, with what the cursor of the capacity stands on: the two are one picture of the same time.
import { memo, type PointerEvent, useMemo } from 'react';
import type { RecipeSketch } from '#protocol/recipe';
import { type TimeView, useTimeView } from '../../charts/time-view';
import { formatChosen, formatMeasured, formatRate, plural, UNIT_SPACE } from '../../ui/format';
import { type MapScale, mapScale, nearestStation, type Plan, pointAt, timeNear } from './plan';
import { PlanMap } from './PlanMap';
import { useWidth } from '../../ui/use-width';
import css from './make.module.css';

/** As near as this to a place counts as a visit, in pixels. */
const VISIT_PX = 4;

interface PlanFigureProps {
  readonly sketch: RecipeSketch;
  readonly plan: Plan;
  readonly view: TimeView;
}

export function PlanFigure({ sketch, plan, view }: PlanFigureProps) {
  const [host, width] = useWidth<HTMLDivElement>();
  const map = useMemo(() => (width === 0 ? null : mapScale(plan, width)), [plan, width]);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    if (map === null) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const place = [(px - map.x(0)) / map.scale, (map.y(0) - py) / map.scale] as const;
    view.setCursor(timeNear(plan, place, VISIT_PX / map.scale, view.cursor ?? 0));
  };
  return (
    <figure className={css['plan']}>
      <div ref={host}>
        {map === null ? null : (
          <svg
            width={map.width}
            height={map.height}
            className={css['map']}
            role="img"
            aria-label={`Map: ${plural(plan.stations.length, 'station')}, ${plural(plan.buildings.length, 'building')}, ${reach(plan)}`}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => view.setCursor(null)}
          >
            <Still plan={plan} map={map} rates={sketch.preview.mean_mbps} />
            <Moment plan={plan} map={map} view={view} />
          </svg>
        )}
      </div>
      <figcaption>
        <Reading sketch={sketch} plan={plan} view={view} />
        <Legend plan={plan} />
      </figcaption>
    </figure>
  );
}

const Still = memo(PlanMap);

function useMoment(plan: Plan, view: TimeView) {
  const cursor = useTimeView(view, (now) => now.cursor);
  const at = cursor === null ? undefined : pointAt(plan, cursor);
  return at === undefined || cursor === null
    ? null
    : { cursor, x: at[1], y: at[2], near: nearestStation(plan, at[1], at[2]) };
}

/** The user at the cursor's time, and the way to the nearest station. */
function Moment({ plan, map, view }: { readonly plan: Plan; readonly map: MapScale; readonly view: TimeView }) {
  const now = useMoment(plan, view);
  if (now === null) return null;
  const [sx, sy] = plan.stations[now.near.index] ?? [now.x, now.y];
  return (
    <g>
      <path d={`M${map.x(now.x)},${map.y(now.y)}L${map.x(sx)},${map.y(sy)}`} className={css['ray']} />
      <circle cx={map.x(now.x)} cy={map.y(now.y)} r={5} className={css['user']} />
    </g>
  );
}

const metres = (value: number): string => `${formatChosen(Math.round(value))}${UNIT_SPACE}m`;

function reach(plan: Plan): string {
  const all = plan.way.map(([, x, y]) => nearestStation(plan, x, y).metres);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const whose = plan.stations.length === 1 ? 'the station' : 'the nearest station';
  return metres(least) === metres(most)
    ? `${metres(least)} from ${whose}`
    : `${formatChosen(Math.round(least))} to ${metres(most)} from ${whose}`;
}

function Reading({ sketch, plan, view }: PlanFigureProps) {
  const now = useMoment(plan, view);
  const { mean_mbps, bin_ms } = sketch.preview;
  if (now === null)
    return (
      <p>
        {reach(plan)}
        {plan.blockers.length === 0 ? '' : `; ${plural(plan.blockers.length, 'blocker')} in the way`}
      </p>
    );
  const blocked = plan.blockers.some(
    ([station, from, to]) => station === now.near.index && from <= now.cursor && now.cursor < to,
  );
  const rate = mean_mbps[Math.min(mean_mbps.length - 1, Math.floor((now.cursor * 1000) / bin_ms))];
  const which = plan.stations.length === 1 ? 'the station' : `station ${now.near.index + 1}`;
  return (
    <p>
      {`${formatMeasured(now.cursor)}${UNIT_SPACE}s: ${metres(now.near.metres)} from ${which}, ${formatRate(rate)}`}
      {blocked ? ', blocked' : ''}
    </p>
  );
}

const Legend = ({ plan }: { readonly plan: Plan }) => (
  <ul className={css['key']} aria-label="Signs on the map">
    <Sign label="station">
      <path d="M8,2L14,13H2Z" className={css['station']} />
    </Sign>
    {plan.buildings.length === 0 ? null : (
      <Sign label="building">
        <rect x={2} y={3} width={12} height={10} className={css['building']} />
      </Sign>
    )}
    <Sign label="where the user begins">
      <circle cx={8} cy={8} r={4} className={css['start']} />
    </Sign>
    <Sign label="the way, stronger with more capacity">
      <path d="M0,8H5" className={css['way']} opacity={0.2} />
      <path d="M5,8H11" className={css['way']} opacity={0.6} />
      <path d="M11,8H16" className={css['way']} />
    </Sign>
    {plan.blockers.length === 0 ? null : (
      <Sign label="a blocker passes">
        <path d="M5,5L11,11M5,11L11,5" className={css['blocker']} />
      </Sign>
    )}
  </ul>
);

const Sign = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <li>
    <svg width={16} height={16} aria-hidden="true">
      {children}
    </svg>
    {label}
  </li>
);
