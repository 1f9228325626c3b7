// Ours against numpy and scipy: scripts/reference/analysis.py made the numbers, and shares no code with this folder.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { crossover } from '#analysis/crossover';
import { ccdf, delayQuantile, pooledDelays } from '#analysis/delay-distribution';
import { covarianceEllipse, ellipseOf } from '#analysis/ellipse';
import { jainIndex } from '#analysis/fairness';
import { paretoFront } from '#analysis/frontier';
import { holm } from '#analysis/holm';
import { mannWhitney } from '#analysis/mann-whitney';
import { correlationOf, joinedMoments, momentsOf } from '#analysis/moments';
import { pooledQuantile, pooledSketches, sketchOf } from '#analysis/quantile-sketch';
import { kendallTau } from '#analysis/rank-correlation';
import { rollingJain } from '#analysis/rolling-jain';
import { meanBetween } from '#analysis/series-mean';
import { estimate, normalTail, resampledInterval, resampledP, sortedQuantile } from '#analysis/statistics';

const numbers = z.array(z.number());
const range = z
  .tuple([z.number().nullable(), z.number().nullable()])
  .transform(([low, high]) => [low ?? -Infinity, high ?? Infinity] as const);
const Reference = z.strictObject({
  kendall: z.array(z.object({ x: numbers, y: numbers, tau: z.number().nullable() })),
  mann_whitney: z.array(z.object({ a: numbers, b: numbers, u: z.number(), p: z.number(), method: z.string() })),
  holm: z.array(z.object({ p: numbers, adjusted: numbers })),
  pareto: z.array(
    z.object({ points: z.array(z.object({ x: z.number(), y: z.number() })), front: z.array(z.boolean()) }),
  ),
  jain: z.array(z.object({ rates: numbers, index: z.number() })),
  percentiles: z.array(z.object({ values: numbers, q: z.number(), value: z.number() })),
  estimates: z.array(
    z.object({ values: numbers, range, mean: z.number(), sd: z.number(), low: z.number(), high: z.number() }),
  ),
  resampled: z.array(
    z.object({
      value: z.number(),
      replicates: numbers,
      n: z.number(),
      df: z.number(),
      range,
      low: z.number(),
      high: z.number(),
      p: z.number(),
    }),
  ),
  ellipses: z.array(
    z.object({
      xs: numbers,
      ys: numbers,
      share: z.number(),
      x: z.number(),
      y: z.number(),
      major: z.number(),
      minor: z.number(),
      angle: z.number(),
    }),
  ),
  crossovers: z.array(z.object({ at: numbers, a: numbers, b: numbers, crossing: z.number() })),
  pooled: z.array(
    z.union([
      z.object({ spreads: z.array(numbers), q: z.number(), value: z.number() }),
      z.object({ spreads: z.array(numbers), ms: z.number(), longer: z.number() }),
    ]),
  ),
  tails: z.array(z.object({ z: z.number(), tail: z.number() })),
  sketched: z.array(z.object({ runs: z.array(numbers), q: z.number(), least: z.number(), most: z.number() })),
  joined_ellipses: z.array(
    z.object({
      runs: z.array(z.object({ xs: numbers, ys: numbers })),
      x: z.number(),
      y: z.number(),
      major: z.number(),
      minor: z.number(),
      r: z.number(),
    }),
  ),
  rolling: z.array(z.object({ rates: z.array(numbers), window: z.int(), step: z.int(), index: numbers })),
});
const reference = Reference.parse(JSON.parse(readFileSync(new URL('reference.gen.json', import.meta.url), 'utf8')));

/** To nine digits, of whatever size. */
function same(ours: number | null | undefined, theirs: number): void {
  expect(Math.abs((ours ?? NaN) - theirs)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(theirs)));
}

describe('ours is what numpy and scipy give', () => {
  test.each(reference.kendall)('Kendall’s tau $#', ({ x, y, tau }) => {
    if (tau === null) expect(kendallTau(x, y)).toBeNull();
    else same(kendallTau(x, y)?.tau, tau);
  });

  test.each(reference.mann_whitney)('Mann–Whitney $#', ({ a, b, u, p, method }) => {
    const ours = mannWhitney(a, b);
    expect(ours).toMatchObject({ u, method });
    same(ours?.p, p);
  });

  test.each(reference.holm)('Holm $#', ({ p, adjusted }) => {
    for (const [i, value] of holm(p).entries()) same(value, adjusted[i] ?? NaN);
  });

  test.each(reference.pareto)('Pareto set $#', ({ points, front }) => {
    expect(paretoFront(points)).toEqual(front);
  });

  test.each(reference.jain)('Jain’s index $#', ({ rates, index }) => same(jainIndex(rates), index));

  test.each(reference.percentiles)('percentile $q $#', ({ values, q, value }) => {
    expect(sortedQuantile(values, q)).toBe(value);
  });

  test.each(reference.estimates)('interval of a mean $#', ({ values, range: bounds, mean, sd, low, high }) => {
    const ours = estimate(values, bounds);
    for (const [own, theirs] of [
      [ours?.mean, mean],
      [ours?.sd, sd],
      [ours?.low, low],
      [ours?.high, high],
    ] as const)
      same(own, theirs);
  });

  test.each(reference.resampled)(
    'interval of replicates $#',
    ({ value, replicates, n, df, range: bounds, low, high, p }) => {
      const ours = resampledInterval(value, replicates, { n, df }, bounds);
      same(ours?.low, low);
      same(ours?.high, high);
      same(resampledP(value, replicates, { n, df }), p);
    },
  );

  test.each(reference.ellipses)('ellipse $#', ({ xs, ys, share, ...theirs }) => {
    const ours = covarianceEllipse(xs, ys, share);
    for (const key of ['x', 'y', 'major', 'minor', 'angle'] as const) same(ours?.[key], theirs[key]);
  });

  test.each(reference.crossovers)('crossing $#', ({ at, a, b, crossing }) => {
    const ours = crossover(at.map((value, i) => ({ at: value, a: [a[i] ?? NaN], b: [b[i] ?? NaN] })));
    same(ours.kind === 'one' ? ours.at : NaN, crossing);
  });

  test.each(reference.pooled)('pooled delays $#', ({ spreads, ...asked }) => {
    const pooled = pooledDelays(spreads);
    if ('q' in asked) expect(delayQuantile(pooled, asked.q)).toBe(asked.value);
    else same(ccdf(pooled).find(({ ms }) => ms === asked.ms)?.longer, asked.longer);
  });

  test.each(reference.tails)('normal tail at $z', ({ z: at, tail }) => {
    expect(Math.abs(normalTail(at) - tail)).toBeLessThanOrEqual(1e-9 * tail);
  });

  test.each(reference.sketched)('quantile $q of sketched runs $#', ({ runs, q, least, most }) => {
    const sketches = runs.flatMap((values) => sketchOf(Float64Array.from(values).sort()) ?? []);
    const ours = pooledQuantile(pooledSketches(sketches), q) ?? NaN;
    expect(ours).toBeGreaterThanOrEqual(least);
    expect(ours).toBeLessThanOrEqual(most);
  });

  test.each(reference.joined_ellipses)('ellipse of several runs $#', ({ runs, r, ...theirs }) => {
    const moments = joinedMoments(runs.map(({ xs, ys }) => momentsOf(xs, ys)));
    const ours = ellipseOf(moments);
    for (const key of ['x', 'y', 'major', 'minor'] as const) same(ours?.[key], theirs[key]);
    same(correlationOf(moments), r);
  });

  test.each(reference.rolling)('rolling Jain’s index $#', ({ rates, window, step, index }) => {
    const series = rates.map((values) =>
      meanBetween({ time: values.map((_, i) => (i + 1) / 100), values, rows: values.length }),
    );
    const span = { from_s: 0, to_s: (rates[0]?.length ?? 0) / 100, window_s: window / 100, step_s: step / 100 };
    const ours = rollingJain(series, span);
    expect(ours).toHaveLength(index.length);
    for (const [i, found] of ours.entries()) same(found.index, index[i] ?? NaN);
  });
});
