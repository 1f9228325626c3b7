// What goes into a site without a server: a data file, contents.json.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ShareSlug, StudyId } from '#protocol/ids';
import { NewShare } from '#protocol/share';
import { AskedSpec } from '#protocol/spec';

const Key = z.string().regex(/^[a-z][a-z0-9-]*$/);
/** As people write them: what is usual is left out. */
const Part = z.record(z.string(), z.unknown());

const SiteExperiment = z
  .strictObject({
    template: Key.optional().describe('a shipped template, whose spec this is'),
    spec: Part.default({}).describe('of the spec; with a template what differs from it'),
    samples: z
      .boolean()
      .describe('whether the samples of its runs are kept: only then their pages show what they did over time'),
  })
  .transform(({ template, spec, samples }) => ({ template, spec, samples }));

const SiteStudy = z.strictObject({
  id: StudyId,
  runs: z.boolean().describe('whether each of its runs has its page; else they are in tables and figures only'),
});

const SiteShare = z.strictObject({
  slug: ShareSlug,
  title: NewShare.shape.title,
  note: NewShare.shape.note,
  address: z.string().describe('of the live page: {KEY} is an experiment of this file, {KEY:N} its Nth run from 0'),
});

const SiteContents = z.strictObject({
  experiments: z.record(Key, SiteExperiment).describe('by a name for this file; home is the one of the home page'),
  samples_of_algorithms: z.union([z.literal('all'), z.array(z.string())]).describe('short runs, for their pages'),
  studies: z.array(SiteStudy),
  shares: z.array(SiteShare),
});
export type SiteContents = z.infer<typeof SiteContents>;
export type SiteExperiment = z.infer<typeof SiteExperiment>;

const Contents = z.strictObject({
  about: z.array(z.string()).describe('to those who read the file'),
  whole: SiteContents,
  small: SiteContents,
});

export const readContents = (which: 'whole' | 'small'): SiteContents =>
  Contents.parse(JSON.parse(readFileSync(new URL('contents.json', import.meta.url), 'utf8')))[which];

/** Another name when it is not in the file is a fault of the file. */
export function specOf(
  key: string,
  { template, spec }: SiteExperiment,
  templates: ReadonlyMap<string, AskedSpec>,
): AskedSpec {
  const base = template === undefined ? {} : templates.get(template);
  if (base === undefined) throw new Error(`${key}: there is no shipped template ${template ?? ''}`);
  return AskedSpec.parse({ ...base, ...spec });
}

/** The address with ids in their places. `runs`: of an experiment, in the order of its matrix. */
export function addressOf(
  pattern: string,
  ids: ReadonlyMap<string, string>,
  runs: (experiment: string) => readonly string[],
): string {
  return pattern.replace(/\{([^}:]+)(?::(\d+))?\}/g, (_, key: string, place: string | undefined) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`${pattern}: there is no experiment ${key}`);
    if (place === undefined) return id;
    const run = runs(id)[Number(place)];
    if (run === undefined) throw new Error(`${pattern}: ${key} has no run ${place}`);
    return run;
  });
}
