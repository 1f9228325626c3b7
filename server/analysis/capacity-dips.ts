// Where the link itself fails, found from its capacity: the mean over 100 ms comes down to a fifth of the highest it was in the three seconds
// before, as the falls of a trace do (docs/traces.md). It is back once the mean is half of that level again.
import type { TimeSeries } from '#analysis/live-comparison';
import { meanBetween, periodOf } from '#analysis/series-mean';

export interface Dip {
  /** outage: nothing at all went through for a tenth of a second; drop: less did. */
  readonly kind: 'outage' | 'drop';
  readonly from_s: number;
  /** Half of the level is back; null: not within MOST_DIP_S, or not before the end. */
  readonly back_s: number | null;
  /** The highest it was in the three seconds before. */
  readonly level_mbps: number;
  readonly low_mbps: number;
}

const MEAN_S = 0.1;
const LEVEL_S = 3;
const FALLEN = 1 / 5;
const BACK = 1 / 2;
/** What has not come back by then is how the link is now. */
export const MOST_DIP_S = 10;
/** As a share of the mean: of less than this a fall is nothing to speak of. */
const HIGH_ENOUGH = 1 / 2;
/** Of the level: what rounding at the edges of rows makes of nothing, or of a half. */
const ROUNDING = 1e-6;

/** Ends of the 100 ms, and their means. */
function meansOf(capacity: TimeSeries): { readonly at: number; readonly mbps: number }[] {
  const mean = meanBetween(capacity);
  const { time, rows } = capacity;
  const begin = (time[0] ?? 0) - periodOf(capacity);
  return Array.from({ length: rows }, (_, i) => time[i] ?? 0).flatMap((at) => {
    const mbps = at - begin < MEAN_S - 1e-9 ? null : mean(at - MEAN_S, at);
    return mbps === null ? [] : [{ at, mbps }];
  });
}

/** In order of time; a dip begins after the one before has ended. Samples longer than 100 ms show none. */
export function capacityDips(capacity: TimeSeries): Dip[] {
  if (periodOf(capacity) > MEAN_S) return [];
  const means = meansOf(capacity);
  const average = means.reduce((total, { mbps }) => total + mbps, 0) / Math.max(means.length, 1);
  const dips: Dip[] = [];
  /** Values that fall, whose first is the highest of the last three seconds. */
  let peaks: number[] = [];
  for (let i = 0; i < means.length; i++) {
    const { at, mbps } = means[i] ?? { at: 0, mbps: 0 };
    while (peaks.length > 0 && (means[peaks.at(-1) ?? 0]?.mbps ?? 0) <= mbps) peaks.pop();
    peaks.push(i);
    while (at - (means[peaks[0] ?? i]?.at ?? at) > LEVEL_S) peaks.shift();
    const level = means[peaks[0] ?? i]?.mbps ?? 0;
    if (level <= 0 || level < HIGH_ENOUGH * average || mbps > (FALLEN + ROUNDING) * level) continue;
    let end = i;
    let low = mbps;
    const within = (k: number): boolean => k < means.length && (means[k]?.at ?? 0) - at <= MOST_DIP_S;
    while (within(end) && (means[end]?.mbps ?? 0) < (BACK - ROUNDING) * level)
      low = Math.min(low, means[end++]?.mbps ?? low);
    dips.push({
      kind: low <= ROUNDING * level ? 'outage' : 'drop',
      from_s: at,
      back_s: within(end) ? (means[end]?.at ?? null) : null,
      level_mbps: level,
      low_mbps: low,
    });
    // What was before the dip is no level for what comes after.
    peaks = [];
    i = end - 1;
  }
  return dips;
}
