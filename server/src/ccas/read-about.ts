import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { CcaAbout, SampleLink } from '#protocol/cca-about';
import { ExperimentSpec } from '#protocol/spec';

const SHIPPED = new URL('../../ccas/', import.meta.url);
const ENDING = '.about.json';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, SHIPPED), 'utf8'));

/** Of the algorithms that have one of their own, by id. They are shipped: a test reads all of them. */
const shippedAbout = (): ReadonlyMap<string, CcaAbout> =>
  new Map(
    readdirSync(SHIPPED)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => {
        const about = CcaAbout.parse(read(name));
        if (`${about.id}${ENDING}` !== name) throw new Error(`${name}: its id is ${about.id}`);
        return [about.id, about];
      }),
  );

/** States that many algorithms have. */
const commonStates = (): Readonly<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(read('states.json'));

/** What an algorithm of a real stack runs is described once, where it is ours. */
function aboutOf({ id, twin }: CcaDescriptor, shipped: ReadonlyMap<string, CcaAbout>): CcaAbout | undefined {
  const own = shipped.get(id);
  if (own !== undefined || twin === undefined) return own;
  const ours = shipped.get(twin);
  return ours === undefined ? undefined : { ...ours, id, of: twin };
}

/** Each algorithm that is listed and known in words; what an operator has set up says of itself what it is. */
export function aboutAll({ ccas }: Pick<EngineListing, 'ccas'>): CcaAbout[] {
  const shipped = shippedAbout();
  const common = commonStates();
  return ccas.flatMap((cca) => {
    const about = aboutOf(cca, shipped);
    if (about === undefined) return [];
    const named = cca.internals.flatMap(({ states }) => states);
    const states = named.flatMap((state) => {
      const meaning = about.states[state] ?? common[state];
      return meaning === undefined ? [] : [[state, meaning] as const];
    });
    return [{ ...about, states: Object.fromEntries(states) }];
  });
}

const LinkFile = z
  .array(SampleLink.extend({ sets: z.record(z.string(), z.unknown()).describe('of the spec of a sample') }))
  .min(1);

/** The links over which samples run; the first is the usual one. */
export const sampleLinks = (): z.infer<typeof LinkFile> => {
  const links = LinkFile.parse(read('links.json'));
  for (const { id, sets } of links)
    for (const key of Object.keys(sets)) if (!(key in ExperimentSpec.shape)) throw new Error(`${id} sets ${key}`);
  return links;
};
