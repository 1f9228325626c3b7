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
  const askFor = (experiment: string | undefined, name: string): void => {
    const value = studyValue(name);
    if (experiment !== undefined && value?.of === 'cells' && value.family !== undefined) ask(experiment, value.family);
  };
  for (const { tested } of figures.flatMap(({ claims }) => claims)) {
    if ('not' in tested) continue;
    const { experiment, value } = tested.measure;
    askFor(experiment, value);
    for (const { instead, values } of Object.values(variants)) askFor(instead[experiment], values?.[value] ?? value);
  }
  return asked;
}
