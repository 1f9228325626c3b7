// How long a run takes to use its link again after the link has failed.
import type { Dip } from '#analysis/capacity-dips';
import type { MeanBetween } from '#analysis/series-mean';
import { ratioOf, timeToSettle, type Pace } from '#analysis/settling';

export interface Recovery extends Dip {
  /** From when capacity is back, or of what lasts from the fall, until 80 % of it are used; null: not before the next dip or the end. */
  readonly recovered_after_s: number | null;
}

export const RECOVERED = 0.8;

/** `end_s`: until when anybody sends. */
export function recoveries(
  dips: readonly Dip[],
  delivered: MeanBetween,
  capacity: MeanBetween,
  pace: Pace,
  end_s: number,
): Recovery[] {
  const used = ratioOf(delivered, capacity);
  return dips.map((dip, i) => {
    const from_s = dip.back_s ?? dip.from_s;
    const to_s = Math.min(dips[i + 1]?.from_s ?? Infinity, end_s);
    return { ...dip, recovered_after_s: timeToSettle(used, (share) => share >= RECOVERED, { ...pace, from_s, to_s }) };
  });
}
