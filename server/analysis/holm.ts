// Holm's correction (A simple sequentially rejective multiple test procedure, 1979): of many comparisons one in twenty is significant by
// chance. With it the chance that any of those which are called different is not stays at one in twenty, whatever the comparisons have to
// do with each other.

/** The p of each comparison in view of all: the smallest times m, the next times m - 1 …, none below the one before it, none above 1. */
export function holm(values: ArrayLike<number>): Float64Array {
  const m = values.length;
  const p = Float64Array.from(values);
  const adjusted = new Float64Array(m);
  let least = 0;
  for (const [i, at] of Uint32Array.from({ length: m }, (_, index) => index)
    .sort((a, b) => (p[a] ?? 1) - (p[b] ?? 1))
    .entries()) {
    least = Math.min(1, Math.max(least, (m - i) * (p[at] ?? 1)));
    adjusted[at] = least;
  }
  return adjusted;
}
