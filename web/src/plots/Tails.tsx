// Tails of distributions of times: the share that is longer than each, on logarithmic axes.
import { scaleLog } from 'd3';
import { ccdf, delayQuantile, type Distribution } from '#analysis/delay-distribution';
import type { Identity } from '../charts/identity';
import { SvgAxis } from '../charts/SvgAxis';
import { formatChosen, formatDelay, UNIT_SPACE } from '../ui/format';
import { oneTwoFive } from './frontier-layout';
import styles from './messages.module.css';

// At the right end half of a label may stand beyond the axis.
const [TOP, BOTTOM, LEFT, RIGHT] = [22, 40, 52, 26];
/** One in ten thousand: below it single runs decide. */
const LEAST_SHARE = 1e-4;
/** Fewer are below where an axis begins. */
const BEGINS = 0.01;

export interface TailCurve {
  readonly key: string;
  readonly label: string;
  readonly look: Identity;
  readonly delays: Distribution;
}

interface TailsProps {
  readonly curves: readonly TailCurve[];
  /** What the axis is of, and what half of it did: “waited”. */
  readonly of: string;
  readonly told: string;
  /** Where the axis begins: what all are above of is no use to anybody. */
  readonly begins: 'at 1 ms' | 'with the least';
  readonly width: number;
  readonly height: number;
}

export function Tails({ curves, of, told, begins, width, height }: TailsProps) {
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const whole = begins === 'at 1 ms';
  const ends = curves.flatMap(({ delays }) => [
    (whole ? delays[0]?.ms : delayQuantile(delays, BEGINS)) ?? 1,
    delayQuantile(delays, 1 - LEAST_SHARE) ?? 1,
  ]);
  const [least, most] = whole ? [Math.min(...ends, 1), Math.max(...ends, 10)] : [Math.min(...ends), Math.max(...ends)];
  const x = scaleLog([least, most], [LEFT, right]).clamp(true);
  const y = scaleLog([LEAST_SHARE, 1], [bottom, TOP]).clamp(true);
  const shares = [1, 0.1, 0.01, 0.001, 0.0001];
  const spoken = curves
    .map(
      ({ label, delays }) =>
        `${label}: half ${told} at most ${formatDelay(delayQuantile(delays, 0.5))}, one in a hundred longer than ${formatDelay(delayQuantile(delays, 0.99))}`,
    )
    .join('; ');
  return (
    <svg width={width} height={height} data-figure-part="" className={styles['svg']} role="img" aria-label={spoken}>
      <g className={styles['grid']}>
        {shares.map((share) => (
          <path key={share} d={`M${LEFT},${Math.round(y(share)) + 0.5}H${right}`} />
        ))}
      </g>
      {curves.map(({ key, delays, look }) => (
        <path
          key={key}
          className={styles['curve']}
          d={pathOf(delays, x, y, bottom)}
          stroke={look.colour}
          strokeDasharray={look.dash.join(' ')}
        />
      ))}
      <SvgAxis side="bottom" scale={x} ticks={oneTwoFive(least, most, right - LEFT)} format={tickOf} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={shares} format={(share) => formatChosen(share * 100)} at={LEFT} />
      <text x={LEFT - 6} y={10} textAnchor="end" className={styles['unit']}>
        %
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        {of}
      </text>
    </svg>
  );
}

/** Between the delays at which the share is known a straight line; below the least that is drawn it leaves the picture. */
function pathOf(delays: Distribution, x: (ms: number) => number, y: (share: number) => number, bottom: number): string {
  let path = `M${x(0)},${y(1)}`;
  for (const { ms, longer } of ccdf(delays)) {
    if (longer < LEAST_SHARE) return `${path}L${x(ms).toFixed(1)},${bottom}`;
    path += `L${x(ms).toFixed(1)},${y(longer).toFixed(1)}`;
  }
  return path;
}

const tickOf = (ms: number): string =>
  ms < 1000 ? `${formatChosen(ms)}${UNIT_SPACE}ms` : `${formatChosen(ms / 1000)}${UNIT_SPACE}s`;
