// Which own algorithms a spec names: as what competes, beside it, or as values of a sweep.
import type { ExperimentSpec } from '#protocol/spec';

const OWN = /"(own-[0-9a-f]{40})"/g;

/** Ids, each once, in the order in which they come. */
export const ownOfSpec = (spec: ExperimentSpec): string[] => [
  ...new Set([...JSON.stringify(spec).matchAll(OWN)].flatMap(([, id]) => id ?? [])),
];
