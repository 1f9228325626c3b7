// How rates are distributed: the share of time at or below each, and in which the time is spent.
import { bin, scaleLinear, scaleLog } from 'd3';
import type { SeriesData } from '../charts/types';
import { oneTwoFive } from '#analysis/frontier-layout';

const BARS = 48;

export function sortedRates({ y, length }: SeriesData): Float32Array {
  return y.slice(0, length).sort();
}

/** Share of the values that are at most `rate`. */
export function shareBelow(sorted: Float32Array, rate: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= rate) low = middle + 1;
    else high = middle;
  }
  return sorted.length === 0 ? NaN : low / sorted.length;
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export type DistributionPicture = ReturnType<typeof distributionOf>;

/** Bars, the line of shares and the scales of both, within a frame. */
export function distributionOf(
  sorted: Float32Array,
  scale: 'linear' | 'log',
  { left, right, top: ceiling, bottom }: Frame,
) {
  const top = sorted.at(-1) ?? 1;
  const least = sorted.find((rate) => rate > 0) ?? 0.1;
  const log = scale === 'log';
  const low = log ? Math.max(least, top / 1e4) : 0;
  const x = log
    ? scaleLog([low, Math.max(top, low * 1.1)], [left, right]).clamp(true)
    : scaleLinear([0, top || 1], [left, right]).nice();
  const [from = 0, to = 1] = x.domain();
  const y = scaleLinear([0, 1], [bottom, ceiling]);
  const edges = Array.from({ length: BARS - 1 }, (_, i) => x.invert(left + ((right - left) * (i + 1)) / BARS));
  const bars = bin<number, number>().domain([from, to]).thresholds(edges)([...sorted]);
  const most = Math.max(...bars.map((bar) => bar.length), 1);
  let cdf = `M${left},${y(shareBelow(sorted, from))}`;
  const step = Math.max(1, Math.floor(sorted.length / 1500));
  for (let i = 0; i < sorted.length; i += step)
    cdf += `H${x(sorted[i] ?? 0).toFixed(1)}V${y((i + 1) / sorted.length).toFixed(1)}`;
  return {
    x,
    y,
    from,
    to,
    cdf: `${cdf}H${x(top).toFixed(1)}V${y(1)}H${right}`,
    bars,
    most,
    ticks: log ? oneTwoFive(from, to, right - left) : x.ticks(Math.max(3, (right - left) / 90)),
  };
}
