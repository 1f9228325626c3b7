// What a run's samples come to in numbers, for studies and for figures of an experiment: values of the run, and what its part in a
// distribution or an ellipse of several runs is made from. docs/metrics.md has the definitions.
import { AROUND } from '#analysis/sampled-around';
import { COURSE } from '#analysis/sampled-course';
import type { Family, SampledValue } from '#analysis/sampled-parts';
import { PLANE } from '#analysis/sampled-plane';
import { RTO } from '#analysis/sampled-rto';
import { SPREAD } from '#analysis/sampled-spread';
import type { SampleFamily } from '#protocol/sampled';

export const FAMILIES: Readonly<Record<SampleFamily, Family>> = {
  course: COURSE,
  spread: SPREAD,
  plane: PLANE,
  rto: RTO,
  around: AROUND,
};

const families = Object.entries(FAMILIES) as [SampleFamily, Family][];

/** By name, with the family that it comes with. */
export const SAMPLED_VALUES: Readonly<Record<string, SampledValue & { readonly family: SampleFamily }>> =
  Object.fromEntries(
    families.flatMap(([family, { values }]) =>
      Object.entries(values).map(([name, value]) => [name, { ...value, family }] as const),
    ),
  );
