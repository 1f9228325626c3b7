// What runs' samples come to, for an experiment's figures and studies: of one run, and of the runs of a cell together.
import { z } from 'zod';
import { EstimateRecord } from '#protocol/figures';

/** What is read together: nobody pays for what nobody asks. */
export const SAMPLE_FAMILIES = ['course', 'spread', 'plane', 'rto', 'around'] as const;
export const SampleFamily = z.enum(SAMPLE_FAMILIES);

/** Many values by some of their quantiles, which rise and stand for as many values each; of few the values themselves. */
export const Sketch = z.object({ n: z.int(), at: z.array(z.number()) });

/** What an ellipse is made from: means, and sums of squares and products around them. */
export const Moments = z.object({
  n: z.int(),
  x: z.number(),
  y: z.number(),
  xx: z.number(),
  yy: z.number(),
  xy: z.number(),
});

/** Of one run. What it does not tell is not there. */
export const RunSampled = z.object({
  values: z.record(z.string(), z.number()),
  sketches: z.record(z.string(), Sketch),
  moments: z.record(z.string(), Moments),
  /** As a summary's `spread`: what none of them exceeds, and how many, in turn. */
  histograms: z.record(z.string(), z.array(z.number())),
});

export const SampledBox = z.object({
  p05: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p95: z.number(),
  n: z.int().describe('windows'),
  runs: z.int(),
});

export const SampledEllipse = z.object({
  x: z.number(),
  y: z.number(),
  major: z.number().describe('half of the longer axis'),
  minor: z.number(),
  angle: z.number().describe('of the longer axis from the x axis, radians'),
  n: z.int().describe('points'),
  runs: z.int(),
});

export const CellSampled = z.object({
  key: z.string().describe('of the cell'),
  runs: z.int().describe('solo runs that count'),
  told: z.int().describe('of these, those whose samples are there'),
  values: z.record(z.string(), EstimateRecord).describe('over runs, by the value’s name (docs/studies.md)'),
  boxes: z.record(z.string(), SampledBox).describe('windows of all runs together'),
  ellipses: z.record(z.string(), SampledEllipse).describe('95 % of the points of all runs together'),
  histograms: z.record(z.string(), z.array(z.number())).describe('of all runs: a bound and its samples in turn'),
});

/** `next` is the `after` of those that follow, null when there are none. */
export const SampledPage = z.object({ cells: z.array(CellSampled), next: z.int().nullable() });

export type SampleFamily = z.infer<typeof SampleFamily>;
export type Sketch = z.infer<typeof Sketch>;
export type Moments = z.infer<typeof Moments>;
export type RunSampled = z.infer<typeof RunSampled>;
export type SampledBox = z.infer<typeof SampledBox>;
export type SampledEllipse = z.infer<typeof SampledEllipse>;
export type CellSampled = z.infer<typeof CellSampled>;
export type SampledPage = z.infer<typeof SampledPage>;
