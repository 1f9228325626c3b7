// One delay of 15 s would press all others into a tenth of the plane: it stands in the margin, with its value beside it.

/** Of the points so many may stand in the margin, and one in any case. */
const MOST_BEYOND = 0.1;
/** Putting points there must give the others at least this much more room … */
const KEPT_SPAN = 0.6;
/** … and there must be a gap that says who is meant, as a share of the whole span. */
const GAP = 0.12;

/** The greatest value that still stands on the axis; null when nothing is far beyond the others. `along` is the axis' own measure. */
export function cutOf(values: readonly number[], along: (value: number) => number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (i: number): number => along(sorted[i] ?? 0);
  const last = sorted.length - 1;
  const span = place(last) - place(0);
  if (sorted.length < 4 || !(span > 0)) return null;
  let best: { kept: number; gap: number } | null = null;
  for (let first = last; first >= sorted.length - Math.max(1, Math.floor(MOST_BEYOND * sorted.length)); first--) {
    const gap = place(first) - place(first - 1);
    const kept = place(first - 1) - place(0);
    if (gap >= GAP * span && kept <= KEPT_SPAN * span && gap > (best?.gap ?? 0)) best = { kept: first - 1, gap };
  }
  return best === null ? null : (sorted[best.kept] ?? null);
}
