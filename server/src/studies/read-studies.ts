import { readdirSync, readFileSync } from 'node:fs';
import { faultsOf } from '#protocol/faults';
import { Study } from '#protocol/study';

const FOLDER = new URL('../../studies/', import.meta.url);
const ENDING = '.study.json';

/** One data file each, in the order of their file names. Throws where one is not a study: they are shipped, and tested. */
export function readStudies(folder: URL = FOLDER): Study[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  return names.sort().map((name) => {
    const parsed = Study.safeParse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
    if (!parsed.success) {
      const said = faultsOf(parsed.error).map(({ path, detail }) => `${path.join('.')}: ${detail}`);
      throw new Error(`${name} is not a study: ${said.join('; ')}`);
    }
    if (`${parsed.data.id}${ENDING}` !== name) throw new Error(`${name}: its id is ${parsed.data.id}`);
    return parsed.data;
  });
}
