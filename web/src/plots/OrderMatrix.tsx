// Kendall's tau of every two conditions of an experiment: rows by name, columns by the number of the row.
import { interpolateLab } from 'd3';
import type { OrderPair } from '#analysis/order-agreement';
import { shortened, textWidth } from '../charts/measure';
import type { Theme } from '../theme/theme';
import { formatMeasured } from '../ui/format';
import styles from './plane.module.css';

const saidOf = ({ agreement }: OrderPair): string => {
  if (agreement === null) return 'not known';
  const { tau, n, interval_repetitions: interval } = agreement;
  const span = interval === null ? '' : ` (${formatMeasured(interval.low)} … ${formatMeasured(interval.high)})`;
  return `τ ${formatMeasured(tau)}${span}, ${n} algorithms`;
};

const [ROW, TOP, WIDEST] = [28, 20, 56];
/** In narrower columns numbers would lie over one another: colours are left, and the CSV. */
const NUMBERED = 32;

export interface OrderMatrixProps {
  /** By name. */
  readonly conditions: readonly string[];
  readonly pairs: readonly OrderPair[];
  readonly width: number;
  readonly theme: Theme;
}

/** Rows by name, columns by the number of the row: each pair once. */
export function OrderMatrix({ conditions, pairs, width, theme }: OrderMatrixProps) {
  const font = `400 12px ${theme.sans}`;
  const names = conditions.map((name, i) => `${i + 1}  ${name}`);
  const room = Math.min(Math.max(...names.map((name) => textWidth(name, font))) + 12, width * 0.45);
  const column = Math.min((width - room) / Math.max(1, conditions.length - 1), WIDEST);
  const height = TOP + conditions.length * ROW;
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={pairs.map((pair) => `${names[pair.a]} and ${names[pair.b]}: ${saidOf(pair)}`).join('; ')}
    >
      {names.map((name, i) => (
        <g key={name}>
          <text x={0} y={TOP + (i + 0.5) * ROW} dy="0.35em" className={styles['name']}>
            <title>{name}</title>
            {shortened(name, room - 8, font)}
          </text>
          {i === names.length - 1 ? null : (
            <text x={room + (i + 0.5) * column} y={TOP - 6} textAnchor="middle" className={styles['label']}>
              {i + 1}
            </text>
          )}
        </g>
      ))}
      {pairs.map((pair) => (
        <g key={`${pair.a} ${pair.b}`} transform={`translate(${room + pair.a * column},${TOP + pair.b * ROW})`}>
          <title>{`${names[pair.a]} and ${names[pair.b]}: ${saidOf(pair)}`}</title>
          <rect x={1} y={1} width={column - 2} height={ROW - 2} rx={3} fill={fillOf(pair, theme)} />
          {column < NUMBERED ? null : (
            <text x={column / 2} y={ROW / 2} dy="0.35em" textAnchor="middle" className={styles['name']}>
              {pair.agreement === null ? '–' : formatMeasured(pair.agreement.tau, 2)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function fillOf({ agreement }: OrderPair, theme: Theme): string {
  if (agreement === null) return theme.surface;
  const { tau, interval_repetitions: interval } = agreement;
  const sure = interval !== null && (interval.low > 0 || interval.high < 0);
  const hue = tau > 0 ? theme.divergeLow : theme.divergeHigh;
  return interpolateLab(theme.surface, hue)(sure ? 0.2 + 0.5 * Math.abs(tau) : 0.1);
}
