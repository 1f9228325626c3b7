// What the colours of a heat map mean: a bar from the least to the greatest, with its ticks.
import { METRICS, type MetricId } from '#analysis/metrics';
import type { Theme } from '../theme/theme';
import { formatChosen, UNIT_SPACE } from '../ui/format';
import { cellColour } from '#analysis/cell-colour';
import { METRIC_SCALES, placeOn } from '#analysis/metric-scales';
import styles from './cells.module.css';

const BAR = { width: 260, height: 10 } as const;
const STEPS = 26;
/** Room for the outer ticks' texts on both sides. */
const SIDE = 28;

interface ScaleLegendProps {
  readonly metric: MetricId;
  /** Of all cells; null: they differ. */
  readonly base_rtt_ms: number | null;
  readonly theme: Theme;
}

/** `×10`, `0.1 %`, `50 %`, `10 µs`: what is at a tick. */
function tickText(metric: MetricId, tick: number): string {
  const { over } = METRIC_SCALES[metric];
  const { unit } = METRICS[metric] as { unit: string };
  if (over === 'base_rtt_ms' || unit.startsWith('×')) return `×${formatChosen(tick)}`;
  if (over === 'one' && unit !== '') return `${formatChosen(tick)}${UNIT_SPACE}${unit}`;
  return tick === 0 ? '0' : `${formatChosen(Number((tick * 100).toPrecision(6)))}${UNIT_SPACE}%`;
}

const delayText = (ms: number): string =>
  ms < 1000 ? `${formatChosen(ms)}${UNIT_SPACE}ms` : `${formatChosen(ms / 1000)}${UNIT_SPACE}s`;

const UNITS = { one: '', base_rtt_ms: 'of the base RTT', capacity_mbps: 'of the mean capacity' } as const;

export function ScaleLegend({ metric, base_rtt_ms, theme }: ScaleLegendProps) {
  const scale = METRIC_SCALES[metric];
  const known = { base_rtt_ms: 1, capacity_mbps: 1 };
  const at = (tick: number): number => SIDE + BAR.width * (placeOn(scale, tick, known) ?? 0);
  const absolute = scale.over === 'base_rtt_ms' && base_rtt_ms !== null;
  const inflation = METRICS[metric].unit.startsWith('×');
  const last = scale.ticks.length - 1;
  // On a logarithmic scale less than the first and more than the last tick is possible, and looks the same.
  const open = (i: number): string => (scale.kind === 'linear' || inflation ? '' : i === 0 ? '≤' : '');
  const above = (i: number): string => (scale.kind === 'log' && i === last && scale.ticks[last] !== 1 ? '≥' : '');
  const unit = inflation ? UNITS.base_rtt_ms : UNITS[scale.over];
  const said = [unit, ...(scale.kind === 'log' ? ['log scale'] : [])].filter((part) => part !== '').join(', ');
  const bottom = absolute ? 42 : 28;
  return (
    <svg
      width={2 * SIDE + BAR.width}
      height={bottom + (said === '' ? 0 : 14)}
      data-figure-part=""
      role="img"
      aria-label={`Colours of ${METRICS[metric].label}: from ${tickText(metric, scale.ticks[0])} to ${tickText(metric, scale.ticks[last] ?? 1)} ${unit}${scale.kind === 'log' ? ', log scale' : ''}`}
      shapeRendering="crispEdges"
      className={styles['scale']}
    >
      {Array.from({ length: STEPS }, (_, i) => (
        <rect
          key={i}
          x={SIDE + (i * BAR.width) / STEPS}
          width={BAR.width / STEPS}
          height={BAR.height}
          fill={cellColour(metric, i / (STEPS - 1), theme)}
        />
      ))}
      {scale.ticks.map((tick, i) => (
        <g key={tick} transform={`translate(${at(tick)},0)`}>
          <path d={`M0,${BAR.height}v3`} />
          <text y={24}>{`${open(i)}${above(i)}${tickText(metric, tick)}`}</text>
          {absolute && <text y={38}>{delayText(tick * base_rtt_ms)}</text>}
        </g>
      ))}
      {said !== '' && (
        <text x={SIDE} y={bottom + 8} className={styles['scaleUnit']}>
          {said}
        </text>
      )}
    </svg>
  );
}
