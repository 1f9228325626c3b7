// The runs of a cell together: values with intervals over runs, and what is of all their windows, points and samples alike.
import { pooledDelays } from '#analysis/delay-distribution';
import { ellipseOf } from '#analysis/ellipse';
import { joinedMoments } from '#analysis/moments';
import { pooledQuantile, pooledSketches } from '#analysis/quantile-sketch';
import { SAMPLED_VALUES } from '#analysis/sampled';
import { estimate } from '#analysis/statistics';
import type { CellSampled, RunSampled, SampledBox, SampledEllipse, Sketch, Moments } from '#protocol/sampled';

/** Every name that any of them has, with what those that have it say. */
function byName<T>(parts: readonly Readonly<Record<string, T>>[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const part of parts)
    for (const [name, one] of Object.entries(part)) found.set(name, [...(found.get(name) ?? []), one]);
  return found;
}

/** Of what is null nothing is told. */
const each = <T, U>(parts: readonly Readonly<Record<string, T>>[], of: (own: T[], name: string) => U | null) =>
  Object.fromEntries(
    [...byName(parts)].flatMap(([name, own]) => {
      const made = of(own, name);
      return made === null ? [] : [[name, made] as const];
    }),
  );

function boxOf(sketches: readonly Sketch[]): SampledBox | null {
  const pooled = pooledSketches(sketches);
  const at = (q: number): number => pooledQuantile(pooled, q) ?? NaN;
  if (pooled.n === 0) return null;
  return {
    p05: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    n: pooled.n,
    runs: sketches.length,
  };
}

function ellipsesOf(moments: readonly Moments[]): SampledEllipse | null {
  const ellipse = ellipseOf(joinedMoments(moments));
  return ellipse === null ? null : { ...ellipse, runs: moments.length };
}

/** `runs`: those that count, null where the samples of one are not there. */
export function cellSampled(key: string, runs: readonly (RunSampled | null)[]): CellSampled {
  const told = runs.flatMap((run) => run ?? []);
  return {
    key,
    runs: runs.length,
    told: told.length,
    values: each(
      told.map(({ values }) => values),
      (own, name) => {
        const found = estimate(own, SAMPLED_VALUES[name]?.range);
        if (found === null) return null;
        const { values: _, ...rest } = found;
        return rest;
      },
    ),
    boxes: each(
      told.map(({ sketches }) => sketches),
      boxOf,
    ),
    ellipses: each(
      told.map(({ moments }) => moments),
      ellipsesOf,
    ),
    histograms: each(
      told.map(({ histograms }) => histograms),
      (own) => pooledDelays(own).flatMap(({ ms, packets }) => [ms, packets]),
    ),
  };
}
