// When something that is measured over windows comes to stay where it should: the one rule behind times to converge, to recover and to settle.
import type { MeanBetween } from '#analysis/series-mean';

export interface Pace {
  /** What a value is of. */
  readonly window_s: number;
  /** For so long every window must do. */
  readonly hold_s: number;
  /** From one window to the next. */
  readonly step_s: number;
}

export interface Watch extends Pace {
  readonly from_s: number;
  /** Nothing after it counts. */
  readonly to_s: number;
}

/** Clocks of floating point: a window that ends on the end is within. */
const SLACK = 1e-9;

/**
 * Seconds from `from_s` until the first moment from which, for `hold_s`, `settled` holds of the value over every window; null: there is no
 * such moment, or not all of it lies before `to_s`. A value that is not known does not do.
 */
export function timeToSettle(
  value: MeanBetween,
  settled: (value: number) => boolean,
  { from_s, to_s, window_s, hold_s, step_s }: Watch,
): number | null {
  const needed = Math.max(1, Math.floor((Math.max(hold_s, window_s) - window_s) / step_s + SLACK) + 1);
  let lasting = 0;
  for (let i = 0; from_s + i * step_s + window_s <= to_s + SLACK; i++) {
    const start = from_s + i * step_s;
    const found = value(start, start + window_s);
    lasting = found !== null && settled(found) ? lasting + 1 : 0;
    if (lasting === needed) return (i - needed + 1) * step_s;
  }
  return null;
}

/** Of the quantity divided by another, where that is above zero. */
export const ratioOf =
  (part: MeanBetween, whole: MeanBetween): MeanBetween =>
  (from, to) => {
    const [a, b] = [part(from, to), whole(from, to)];
    return a === null || b === null || b <= 0 ? null : a / b;
  };
