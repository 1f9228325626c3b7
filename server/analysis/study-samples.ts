// Which of a study's experiments are asked for what samples alone tell.
import { studyValue } from '#analysis/study-values';
import type { SampleFamily } from '#protocol/sampled';
import type { Study } from '#protocol/study';

/** By the study's name for the experiment; those of which nothing is asked are not there. */
export function familiesAsked({ figures, variants }: Pick<Study, 'figures' | 'variants'>): Map<string, SampleFamily[]> {
  const asked = new Map<string, SampleFamily[]>();
  const ask = (experiment: string, family: SampleFamily): void => {
    const known = asked.get(experiment) ?? [];
    if (!known.includes(family)) asked.set(experiment, [...known, family]);
  };
  for (const { tested } of figures.flatMap(({ claims }) => claims)) {
    const value = 'not' in tested ? undefined : studyValue(tested.measure.value);
    if ('not' in tested || value?.of !== 'cells' || value.family === undefined) continue;
    ask(tested.measure.experiment, value.family);
    for (const { instead } of Object.values(variants)) {
      const experiment = instead[tested.measure.experiment];
      if (experiment !== undefined) ask(experiment, value.family);
    }
  }
  return asked;
}
