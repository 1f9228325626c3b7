// A flow's way through a plane of two of its quantities: the sample at every so many seconds. Equal steps of time and not so many samples,
// so that what is dense in the picture is where the flow stayed long.
import type { StreamData } from './data';
import { lowerBound } from '../charts/search';
import type { Range } from '../charts/time-view';

export interface PhasePoint {
  readonly time_s: number;
  readonly x: number;
  readonly y: number;
  /** The step before this one has a point as well: a line leads here. */
  readonly joined: boolean;
}

export interface PhaseColumns {
  readonly x: string;
  readonly y: string;
  /** What the columns are divided by. */
  readonly xUnit: number;
  readonly yUnit: number;
}

/** Of one flow in the picture: more are a blot. */
const STEPS = 240;
/** What rows are apart at the least. */
const SHORTEST_S = 0.01;
const ROUND = [1, 2, 5, 10] as const;
/** Slack for times that are multiples of the step, in steps. */
const ROUNDING = 1e-6;

/** A round time of which a range has no more than the picture has room for. */
export function stepOf([from, to]: Range): number {
  const wanted = Math.max(SHORTEST_S, (to - from) / STEPS);
  const decade = 10 ** Math.floor(Math.log10(wanted) + 1e-9);
  const times = ROUND.find((round) => round * decade >= wanted * (1 - 1e-9)) ?? 10;
  return Number((times * decade).toPrecision(6));
}

/** The last row of each step of the range; a step in which either is not known has none. */
export function phasePoints(
  { time, rows, column }: Pick<StreamData, 'time' | 'rows' | 'column'>,
  { x, y, xUnit, yUnit }: PhaseColumns,
  [from, to]: Range,
  step: number,
): PhasePoint[] {
  const [xs, ys] = [column(x), column(y)];
  if (xs === undefined || ys === undefined) return [];
  const points: PhasePoint[] = [];
  let last = -Infinity;
  let row = lowerBound(time, from, 0, rows);
  while (row < rows && (time[row] ?? Infinity) <= to) {
    // A row tells of the time that ends with it: that of a step's end belongs to the step.
    const number = Math.ceil((time[row] ?? 0) / step - ROUNDING);
    const next = lowerBound(time, (number + ROUNDING) * step, row, rows);
    let newest = next - 1;
    while (newest > row && (time[newest] ?? Infinity) > to) newest--;
    const at = [xs[newest], ys[newest]];
    if (at.every((value) => value !== undefined && Number.isFinite(value))) {
      const [a = NaN, b = NaN] = at;
      points.push({ time_s: time[newest] ?? NaN, x: a / xUnit, y: b / yUnit, joined: last === number - 1 });
      last = number;
    }
    row = Math.max(next, row + 1);
  }
  return points;
}

/** The point of a moment: the last one that is not after it. */
export function pointAt(points: readonly PhasePoint[], time_s: number): PhasePoint | null {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.time_s ?? Infinity) <= time_s) low = middle + 1;
    else high = middle;
  }
  return points[low - 1] ?? null;
}
