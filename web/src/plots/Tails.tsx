// Tails of distributions of times: the share that is longer than each, on logarithmic axes.
import { ccdf, delayQuantile, type Distribution } from '#analysis/delay-distribution';
import {
  delayTick,
  tailPath,
  tailsFrame,
  type TailsBegin,
  type TailsFrame,
  type TailsShow,
} from '#analysis/delay-tails';
import type { Identity } from '#analysis/cca-look';
import { Dot, Rule } from '../charts/marks';
import { SvgAxis } from '../charts/SvgAxis';
import { formatChosen, formatDelay } from '../ui/format';
import { quantileName } from './quantiles';
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
  readonly show?: TailsShow;
  /** Whose delays are marked; absent: none is. */
  readonly quantile?: number;
  readonly width: number;
  readonly height: number;
}

export function Tails({ curves, of, told, begins, show = 'longer', quantile, width, height }: TailsProps) {
  const frame = tailsFrame(
    curves.map(({ delays }) => delays),
    { width, height, begins, show },
  );
  const { x, y, left, right, bottom, shares, ticks } = frame;
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
          d={tailPath(delays, frame)}
          stroke={look.colour}
          strokeDasharray={look.dash.join(' ')}
        />
      ))}
      {quantile === undefined ? null : <Quantile quantile={quantile} curves={curves} frame={frame} />}
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

interface QuantileProps {
  readonly quantile: number;
  readonly curves: readonly TailCurve[];
  readonly frame: TailsFrame;
}

/** Where each curve has the quantile. */
function Quantile({ quantile, curves, frame: { x, y, left, right, show } }: QuantileProps) {
  const at = y(show === 'longer' ? 1 - quantile : quantile);
  return (
    <g>
      <Rule from={[left, at]} to={[right, at]} label={quantileName(quantile)} at={[right - 2, at - 5]} anchor="end" />
      {curves.map(({ key, delays, look }) => {
        const ms = delayQuantile(delays, quantile);
        // On its curve: of what lasts so long and no longer there can be more than was asked for.
        const longer = ccdf(delays).find((tail) => tail.ms === ms)?.longer;
        if (ms === null || longer === undefined) return null;
        return <Dot key={key} look={look} x={x(ms)} y={y(show === 'longer' ? longer : 1 - longer)} radius={4.5} />;
      })}
    </g>
  );
}
