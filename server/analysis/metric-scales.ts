// What the colours of a metric mean, whatever the experiment measured: the same shade is the same figure in every heat map.
import type { MetricId } from '#analysis/metrics';

/** What a value is divided by before it is looked up. */
export type Yardstick = 'one' | 'base_rtt_ms' | 'capacity_mbps';

export interface MetricScale {
  readonly over: Yardstick;
  readonly kind: 'linear' | 'log';
  /** From the first to the last; what lies beyond has their colours. */
  readonly ticks: readonly [number, ...number[]];
}

const SHARE: MetricScale = { over: 'one', kind: 'linear', ticks: [0, 0.25, 0.5, 0.75, 1] };
/** Of packets: one in ten thousand matters, and more than a tenth is all the same. */
const LOST: MetricScale = { over: 'one', kind: 'log', ticks: [1e-4, 1e-3, 0.01, 0.1, 1] };
const ROUND_TRIP: MetricScale = { over: 'base_rtt_ms', kind: 'log', ticks: [1, 10, 100] };
const ONE_WAY: MetricScale = { over: 'base_rtt_ms', kind: 'log', ticks: [0.5, 5, 50] };
const QUEUEING: MetricScale = { over: 'base_rtt_ms', kind: 'log', ticks: [0.1, 1, 10, 100] };
const MESSAGE: MetricScale = { over: 'base_rtt_ms', kind: 'log', ticks: [1, 10, 100, 1000] };

export const METRIC_SCALES: Readonly<Record<MetricId, MetricScale>> = {
  utilisation: SHARE,
  throughput: { ...SHARE, over: 'capacity_mbps' },
  queueing_mean: QUEUEING,
  queueing_p95: QUEUEING,
  rtt_mean: ROUND_TRIP,
  rtt_p95: ROUND_TRIP,
  delay_inflation: { ...ROUND_TRIP, over: 'one' },
  packet_delay_mean: ROUND_TRIP,
  d3: { over: 'one', kind: 'log', ticks: [0.5, 1, 10, 100] },
  rtt_inflation: { ...ROUND_TRIP, over: 'one' },
  owd_mean: ONE_WAY,
  owd_p95: ONE_WAY,
  loss: LOST,
  retransmitted: LOST,
  message_mean: MESSAGE,
  message_p95: MESSAGE,
  on_time: SHARE,
  jain: SHARE,
  cpu_percent: { over: 'one', kind: 'log', ticks: [0.1, 1, 10, 100] },
  cpu_us_per_packet: { over: 'one', kind: 'log', ticks: [0.1, 1, 10, 100] },
  jain_together: SHARE,
  first_share: SHARE,
};

/** What the yardsticks are where a value was measured; null: not known. */
export type Yardsticks = Readonly<Record<Exclude<Yardstick, 'one'>, number | null>>;

/** Where a value lies on the scale of its metric, from 0 to 1; null when what it is held against is not known. */
export function placeOn({ over, kind, ticks }: MetricScale, value: number, yardsticks: Yardsticks): number | null {
  const yardstick = over === 'one' ? 1 : yardsticks[over];
  if (yardstick === null || yardstick <= 0) return null;
  const along = kind === 'log' ? (v: number): number => Math.log(Math.max(v, Number.MIN_VALUE)) : (v: number) => v;
  const [from, to] = [along(ticks[0]), along(ticks.at(-1) ?? 1)];
  return Math.min(Math.max((along(value / yardstick) - from) / (to - from), 0), 1);
}
