// Tails of distributions of times: the share that is longer than each, on logarithmic axes.
import { delayQuantile, type Distribution } from '#analysis/delay-distribution';
import { delayTick, tailPath, tailsFrame, type TailsBegin } from '#analysis/delay-tails';
import type { Identity } from '#analysis/cca-look';
import { SvgAxis } from '../charts/SvgAxis';
import { formatChosen, formatDelay } from '../ui/format';
import styles from './messages.module.css';

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
  readonly begins: TailsBegin;
  readonly width: number;
  readonly height: number;
}

export function Tails({ curves, of, told, begins, width, height }: TailsProps) {
  const { x, y, left, right, bottom, shares, ticks } = tailsFrame(
    curves.map(({ delays }) => delays),
    { width, height, begins },
  );
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
          <path key={share} d={`M${left},${Math.round(y(share)) + 0.5}H${right}`} />
        ))}
      </g>
      {curves.map(({ key, delays, look }) => (
        <path
          key={key}
          className={styles['curve']}
          d={tailPath(delays, { x, y, bottom })}
          stroke={look.colour}
          strokeDasharray={look.dash.join(' ')}
        />
      ))}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={delayTick} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={shares} format={(share) => formatChosen(share * 100)} at={left} />
      <text x={left - 6} y={10} textAnchor="end" className={styles['unit']}>
        %
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        {of}
      </text>
    </svg>
  );
}
