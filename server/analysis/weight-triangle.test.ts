import { expect, it } from 'vitest';
import { SCENARIOS, scoreOf, type Terms } from '#analysis/scores';
import type { TermTable } from '#analysis/terms';
import {
  blendOf,
  insideTriangle,
  middleOf,
  splitOf,
  weightsFrom,
  weightTriangle,
  type Blend,
} from '#analysis/weight-triangle';

const NONE = { throughput: null, delay: null, intra: null, inter: null };
const tableOf = (ccas: Readonly<Record<string, Terms>>): TermTable => ({
  ccas: Object.entries(ccas).map(([key, terms]) => ({
    ...{ key, label: key, cca: null, terms },
    ...{ replicates: NONE, replicates_traces: NONE },
  })),
  matched: { throughput: 1, delay: 1, intra: 1, inter: 1 },
  ...{ conditions: 1, repetitions: 1, df: 0, traces: 1 },
});
const terms = (throughput: number, delay: number, intra: number, inter = intra): Terms => ({
  ...{ throughput, delay, intra, inter },
});
const HALF = { intra: 0.5, inter: 0.5 };

/** Whether a blend is on the inner side of all edges. */
const contains = (polygon: readonly Blend[], [x, y]: Blend): boolean => {
  const sides = polygon.map(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length] ?? [ax, ay];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
};

it('divides the triangle exactly: three that are best at one thing each have a third', () => {
  const made = weightTriangle(tableOf({ a: terms(1, 0, 0), b: terms(0, 1, 0), c: terms(0, 0, 1) }), HALF);
  expect(made?.regions.map(({ share }) => share)).toEqual([1, 1, 1].map(() => expect.closeTo(1 / 3, 9) as number));
});

it('puts every weighting where the scores put it', () => {
  const ccas = {
    fast: terms(0.95, 0.2, 0.6, 0.5),
    quick: terms(0.6, 0.9, 0.8, 0.7),
    fair: terms(0.7, 0.5, 0.99, 0.97),
    poor: terms(0.5, 0.1, 0.5, 0.5),
  };
  const split = { intra: 0.25, inter: 0.75 };
  const made = weightTriangle(tableOf(ccas), split);
  expect(made?.regions.map(({ label }) => label).sort()).toEqual(['fair', 'fast', 'quick']);
  expect(made?.regions.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  // Places that are on no border.
  for (let i = 1; i < 20; i++)
    for (let j = 1; i + j < 20; j++) {
      const blend: Blend = [(i + 0.137) / 21, (j + 0.291) / 21, 1 - (i + j + 0.428) / 21];
      const scores = Object.entries(ccas).map(
        ([key, own]) => [key, scoreOf(own, weightsFrom(blend, split)).value ?? 0] as const,
      );
      const [first] = scores.reduce((a, b) => (b[1] > a[1] ? b : a));
      expect(made?.regions.filter(({ polygon }) => contains(polygon, blend)).map(({ label }) => label)).toEqual([
        first,
      ]);
    }
  for (const { polygon } of made?.regions ?? []) expect(contains(polygon, middleOf(polygon))).toBe(true);
});

it('names two that are the same under every weighting together', () => {
  const made = weightTriangle(
    tableOf({ a: terms(0.9, 0.5, 0.8), twin: terms(0.9, 0.5, 0.8), b: terms(0.5, 0.6, 0.8) }),
    HALF,
  );
  expect(made?.regions.map(({ label }) => label)).toEqual(['a = twin', 'b']);
});

it('does without a fairness that nobody measured, and is nothing without any', () => {
  const half = tableOf({ a: { ...terms(1, 0, 0.6), inter: null }, b: { ...terms(0, 1, 0.9), inter: null } });
  expect(weightTriangle(half, HALF)?.split).toEqual({ intra: 1, inter: 0 });
  const without = tableOf({ a: { ...NONE, throughput: 1, delay: 1 }, b: { ...NONE, throughput: 1, delay: 0 } });
  expect(weightTriangle(without, HALF)).toBeNull();
  expect(weightTriangle(tableOf({ a: terms(1, 1, 1) }), HALF)).toBeNull();
});

it('goes from weights to a place and back, and keeps how fairness is divided at its edge', () => {
  for (const { weights } of SCENARIOS) {
    const back = weightsFrom(blendOf(weights), splitOf(weights));
    for (const term of ['throughput', 'delay', 'intra', 'inter'] as const)
      expect(back[term]).toBeCloseTo(weights[term], 9);
  }
  const edge = { throughput: 0.5, delay: 0.5, intra: 0, inter: 0 };
  expect(splitOf(edge, { ...edge, intra: 0.1, inter: 0.3 })).toEqual({
    intra: expect.closeTo(0.25, 9) as number,
    inter: expect.closeTo(0.75, 9) as number,
  });
});

it('takes what is outside of the triangle to its edge', () => {
  expect(insideTriangle([1.2, -0.4, 0.2])).toEqual([expect.closeTo(6 / 7, 9), 0, expect.closeTo(1 / 7, 9)]);
  expect(insideTriangle([-1, -1, -1])).toEqual([1 / 3, 1 / 3, 1 / 3]);
});
