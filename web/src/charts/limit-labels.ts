// Where the names of limits stand: at their left ends, above their lines, and never over one another.
import { overlap, type Box } from '#analysis/place-labels';
import type { PanelLayout } from './layout';
import type { LimitSpec } from './types';

export interface LimitLabel {
  readonly limit: LimitSpec;
  readonly x: number;
  /** The text's base line. */
  readonly y: number;
}

/** From the base line of a text of 11 px up to its top, and its height. */
const ASCENT = 10;
const HEIGHT = 13;
const INSET = 6;
const GAP = 12;

/** What fits nowhere is left out: the line is in the legend or the subtitle, or another name says it. */
export function placeLimitLabels(
  limits: readonly LimitSpec[],
  y: (value: number) => number,
  { left, top, plotWidth, plotHeight }: Pick<PanelLayout, 'left' | 'top' | 'plotWidth' | 'plotHeight'>,
  widthOf: (text: string) => number,
): LimitLabel[] {
  const taken: Box[] = [];
  const placed: LimitLabel[] = [];
  for (const limit of limits) {
    if (limit.label === '') continue;
    const line = y(limit.value);
    const width = widthOf(limit.label);
    const box = (x: number, base: number): Box => ({ x, y: base - ASCENT, width, height: HEIGHT });
    const bases = [line - 4, line + 12].filter((base) => base - ASCENT >= top - 2 && base <= top + plotHeight);
    const starts = [left + INSET, ...taken.map((other) => other.x + other.width + GAP)];
    const free = starts
      .flatMap((x) => bases.map((base) => ({ x, base })))
      .find(
        ({ x, base }) => x + width <= left + plotWidth && taken.every((other) => overlap(box(x, base), other) === 0),
      );
    if (free === undefined) continue;
    taken.push(box(free.x, free.base));
    placed.push({ limit, x: free.x, y: free.base });
  }
  return placed;
}
