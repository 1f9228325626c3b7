// The points of a throughput-delay plane: marks with their limits, and what is pressed over them.
import type { SVGProps } from 'react';
import type { FrontierAxes } from '#analysis/frontier';
import { METRICS } from '#analysis/metrics';
import { readableOn } from '#analysis/contrast';
import { moveAmongMarks, onPress } from '../charts/roving';
import type { TipContent } from '../charts/Tip';
import type { Theme } from '../theme/theme';
import type { CcaSeries } from './experiment-series';
import type { FrontierLayout } from '#analysis/frontier-layout';
import type { PlacedPoint } from '#analysis/frontier-stacks';
import { POINT_RADIUS, type Slot, type Stack } from '#analysis/frontier-stacks';
import { formatEstimateOf } from '#analysis/metric-text';
import styles from './frontier.module.css';

interface FrontierPointsProps {
  readonly stacks: FrontierLayout['stacks'];
  readonly axes: FrontierAxes;
  readonly selected: ReadonlySet<string>;
  readonly strength: (series: CcaSeries) => number;
  readonly theme: Theme;
  readonly onChoose: (key: string) => void;
  readonly onShow: (slot: Slot) => void;
  readonly onLeave: () => void;
}

export function FrontierPoints({
  stacks,
  axes,
  selected,
  strength,
  theme,
  onChoose,
  onShow,
  onLeave,
}: FrontierPointsProps) {
  return (
    <g data-marks="" onKeyDown={moveAmongMarks}>
      {stacks.flatMap((stack, i) => [
        <Marker
          key={stack.members[0].point.cell.key}
          stack={stack}
          opacity={strength(stack.members[0].series)}
          theme={theme}
          onClick={() => onChoose(stack.slots[0].point.point.cell.key)}
          onPointerEnter={() => onShow(stack.slots[0])}
          onPointerLeave={onLeave}
        />,
        ...stack.slots.map((slot, nth) => {
          const { point: at } = slot;
          const { key } = at.point.cell;
          return (
            <Press
              key={`press ${key}`}
              box={slot.box}
              stacked={stack.tail !== null}
              opacity={strength(at.series)}
              data-mark=""
              data-export={selected.has(key) ? undefined : 'none'}
              role="button"
              tabIndex={i === 0 && nth === 0 ? 0 : -1}
              aria-pressed={selected.has(key)}
              aria-label={spokenPoint(at, axes)}
              onClick={() => onChoose(key)}
              onKeyDown={onPress(() => onChoose(key))}
              onPointerEnter={() => onShow(slot)}
              onPointerLeave={onLeave}
              onFocus={() => onShow(slot)}
              onBlur={onLeave}
            />
          );
        }),
      ])}
    </g>
  );
}

interface MarkerProps extends Pick<SVGProps<SVGPathElement>, 'onClick' | 'onPointerEnter' | 'onPointerLeave'> {
  readonly stack: Stack;
  readonly opacity: number;
  readonly theme: Theme;
}

/** The mark of one point with its limit, or of several that coincide, with a capsule for their limits. */
function Marker({ stack, opacity, theme, ...pointer }: MarkerProps) {
  const { x, y, tail } = stack;
  const { series, text, reference, beyond } = stack.members[0];
  const { look } = series;
  const size = reference ? 7.5 : POINT_RADIUS;
  // What is written is said by the button that lies over it.
  return (
    <>
      {tail !== null && (
        <rect
          {...tail}
          rx={tail.height / 2}
          className={styles['tail']}
          stroke={look.colour}
          opacity={opacity}
          aria-hidden="true"
        />
      )}
      {/* Hollow markers are filled with the surface, so that lines do not cross their number. */}
      <path
        d={look.path(size)}
        transform={`translate(${x},${y})`}
        fill={look.hollow ? theme.surface : look.colour}
        stroke={look.hollow ? look.colour : theme.surface}
        strokeWidth={look.hollow ? 2 : 1}
        className={styles['mark']}
        opacity={opacity}
        {...pointer}
      />
      {tail === null && text !== '' && (
        <text
          className={styles['limit']}
          x={x}
          y={y}
          dy="0.36em"
          fontSize={text.length > 2 ? 7.5 : 9.5}
          fill={look.hollow ? theme.ink : readableOn(look.colour, '#fff', '#111')}
          stroke={look.hollow ? theme.surface : look.colour}
          opacity={opacity}
          aria-hidden="true"
        >
          {text}
        </text>
      )}
      {tail !== null &&
        stack.slots.map(({ point, box }) => (
          <text
            key={point.point.cell.key}
            x={box.x + box.width / 2}
            y={box.y + box.height / 2}
            dy="0.36em"
            className={styles['slot']}
            opacity={opacity}
            aria-hidden="true"
          >
            {point.text}
          </text>
        ))}
      {beyond !== null && (
        <text
          x={x}
          y={y + POINT_RADIUS + 10}
          textAnchor="middle"
          className={styles['note']}
          opacity={opacity}
          aria-hidden="true"
        >
          {beyond}
        </text>
      )}
    </>
  );
}

/** What is pressed: over a mark, or over one limit in the capsule of a stack. One element a point, as there may be hundreds. */
function Press({
  box,
  stacked,
  ...rest
}: { readonly box: Slot['box']; readonly stacked: boolean } & SVGProps<SVGRectElement>) {
  const air = stacked ? 0 : 3;
  return (
    <rect
      x={box.x - air}
      y={box.y - air}
      width={box.width + 2 * air}
      height={box.height + 2 * air}
      rx={box.height / 2 + air}
      className={styles['press']}
      {...rest}
    />
  );
}

const nameOf = ({ series, point, reference }: PlacedPoint): string =>
  reference ? series.label : `${series.label}, ${point.limit}`;

export function tipOf({ point: at, box }: Slot, axes: FrontierAxes): TipContent {
  const { point } = at;
  return {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    title: nameOf(at),
    facts: [
      [METRICS[axes.y].label, formatEstimateOf(axes.y, point.y)],
      [METRICS[axes.x].label, formatEstimateOf(axes.x, point.x)],
      ['repetitions', String(point.y.n)],
      ...(point.on_front ? [['on the frontier', 'yes'] as const] : []),
    ],
  };
}

const spokenPoint = (at: PlacedPoint, axes: FrontierAxes): string =>
  `${nameOf(at)}: ${METRICS[axes.y].label} ${formatEstimateOf(axes.y, at.point.y)}, ${METRICS[axes.x].label} ${formatEstimateOf(axes.x, at.point.x)}${at.point.on_front ? ', on the frontier' : ''}`;
