// All weightings of throughput, delay and fairness as a triangle, and who is first where. Scores are sums of weighted terms, so the place
// of each algorithm is where a few linear inequalities hold: a convex polygon, exact, and its part of the area is exact too.
import { normaliseWeights, type Term, type Weights } from '#analysis/scores';
import type { TermTable } from '#analysis/terms';

/** Weights of throughput, delay and fairness; their sum is 1. */
export type Blend = readonly [throughput: number, delay: number, fairness: number];
/** How fairness is divided among its two terms; their sum is 1. */
export type Split = Readonly<Record<'intra' | 'inter', number>>;

export interface TriangleRegion {
  /** Several where they score the same under every weighting. */
  readonly keys: readonly string[];
  readonly label: string;
  /** Corners in order. */
  readonly polygon: readonly Blend[];
  /** Of the triangle. */
  readonly share: number;
}

export interface WeightTriangle {
  readonly regions: readonly TriangleRegion[];
  readonly split: Split;
}

const CORNERS: readonly Blend[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const EQUAL = 1e-9;

export const blendOf = (weights: Weights): Blend => {
  const { throughput, delay, intra, inter } = normaliseWeights(weights) ?? weights;
  return [throughput, delay, intra + inter];
};

/** In the proportion of these weights; without any in that of others. */
export function splitOf(weights: Weights, otherwise: Weights = weights): Split {
  const { intra, inter } = weights.intra + weights.inter > 0 ? weights : otherwise;
  const both = intra + inter;
  return both > 0 ? { intra: intra / both, inter: inter / both } : { intra: 0.5, inter: 0.5 };
}

export const weightsFrom = ([throughput, delay, fairness]: Blend, { intra, inter }: Split): Weights => ({
  throughput,
  delay,
  intra: fairness * intra,
  inter: fairness * inter,
});

/** What of a polygon is where `value`, which is linear, is not below zero. */
function clipped(polygon: readonly Blend[], value: (at: Blend) => number): Blend[] {
  return polygon.flatMap((corner, i) => {
    const next = polygon[(i + 1) % polygon.length] ?? corner;
    const [here, there] = [value(corner), value(next)];
    const kept = here >= 0 ? [corner] : [];
    if (here >= 0 === there >= 0) return kept;
    const along = here / (here - there);
    const [a, b, c] = corner;
    return [...kept, [a + (next[0] - a) * along, b + (next[1] - b) * along, c + (next[2] - c) * along] as const];
  });
}

/** Of the triangle: twice the area in two of the three weights. */
const areaOf = (polygon: readonly Blend[]): number =>
  Math.abs(
    polygon.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = polygon[(i + 1) % polygon.length] ?? [x, y];
      return sum + x * nextY - nextX * y;
    }, 0),
  );

/** null: one of the three is not measured for all algorithms, or there are not two of them. */
export function weightTriangle({ ccas }: TermTable, asked: Split): WeightTriangle | null {
  const measured = (term: Term): boolean => ccas.every(({ terms }) => terms[term] !== null);
  if (ccas.length < 2 || !measured('throughput') || !measured('delay')) return null;
  const [intra, inter] = [measured('intra') ? asked.intra : 0, measured('inter') ? asked.inter : 0];
  if (intra + inter <= 0) return null;
  const split = { intra: intra / (intra + inter), inter: inter / (intra + inter) };
  const rivals = new Map<string, { keys: string[]; labels: string[]; terms: Blend }>();
  for (const { key, label, terms } of ccas) {
    const fairness = split.intra * (terms.intra ?? 0) + split.inter * (terms.inter ?? 0);
    const own: Blend = [terms.throughput ?? 0, terms.delay ?? 0, fairness];
    const same = own.map((value) => value.toFixed(9)).join();
    const known = rivals.get(same);
    if (known === undefined) rivals.set(same, { keys: [key], labels: [label], terms: own });
    else {
      known.keys.push(key);
      known.labels.push(label);
    }
  }
  const all = [...rivals.values()];
  const regions = all.flatMap((one): TriangleRegion[] => {
    const polygon = all.reduce<readonly Blend[]>(
      (left, other) =>
        other === one
          ? left
          : clipped(left, (at) => at.reduce((sum, w, k) => sum + w * ((one.terms[k] ?? 0) - (other.terms[k] ?? 0)), 0)),
      CORNERS,
    );
    const share = areaOf(polygon);
    return share < EQUAL ? [] : [{ keys: one.keys, label: one.labels.join(' = '), polygon, share }];
  });
  return { regions: regions.sort((a, b) => b.share - a.share), split };
}

/** The middle of a polygon's area, for its name. */
export function middleOf(polygon: readonly Blend[]): Blend {
  const [from] = polygon;
  if (from === undefined) return [1 / 3, 1 / 3, 1 / 3];
  let [total, x, y] = [0, 0, 0];
  for (let i = 1; i + 1 < polygon.length; i++) {
    const [a, b] = [polygon[i] ?? from, polygon[i + 1] ?? from];
    const area = Math.abs((a[0] - from[0]) * (b[1] - from[1]) - (b[0] - from[0]) * (a[1] - from[1]));
    total += area;
    x += (area * (from[0] + a[0] + b[0])) / 3;
    y += (area * (from[1] + a[1] + b[1])) / 3;
  }
  return total === 0 ? from : [x / total, y / total, 1 - x / total - y / total];
}

/** A blend with no weight below zero, as near as may be to one that may have some: where a pointer leaves the triangle. */
export function insideTriangle([a, b, c]: Blend): Blend {
  const [x, y, z] = [Math.max(0, a), Math.max(0, b), Math.max(0, c)];
  const sum = x + y + z;
  return sum > 0 ? [x / sum, y / sum, z / sum] : [1 / 3, 1 / 3, 1 / 3];
}
