import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { faultsOf } from '#protocol/faults';
import { Study } from '#protocol/study';

const SHIPPED = new URL('../../studies/', import.meta.url);
const ENDING = '.study.json';

/** Of a file; throws where it is not a study. */
function readStudy(name: string, folder: URL): Study {
  const parsed = Study.safeParse(JSON.parse(readFileSync(new URL(encodeURIComponent(name), folder), 'utf8')));
  if (!parsed.success) {
    const said = faultsOf(parsed.error).map(({ path, detail }) => `${path.join('.')}: ${detail}`);
    throw new Error(`${name} is not a study: ${said.join('; ')}`);
  }
  if (`${parsed.data.id}${ENDING}` !== name) throw new Error(`${name}: its id is ${parsed.data.id}`);
  return parsed.data;
}

function namesIn(folder: URL): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** One data file each, in the order of their names. Those that are shipped are whole: tests read them. */
export const shippedStudies = (): Study[] => namesIn(SHIPPED).map((name) => readStudy(name, SHIPPED));

/** And those that lie in the data folder; what is wrong with one is told, and the others are there. */
export function allStudies(own: string, fault: (problem: string) => void): Study[] {
  const studies = shippedStudies();
  const folder = new URL(`${pathToFileURL(own).href}/`);
  const unless = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      fault(error instanceof Error ? error.message : String(error));
    }
  };
  // A folder that cannot be read takes no other study with it either.
  let names: readonly string[] = [];
  unless(() => (names = namesIn(folder)));
  for (const name of names)
    unless(() => {
      const study = readStudy(name, folder);
      if (studies.some(({ id }) => id === study.id)) throw new Error(`${name}: there is a study of this id already`);
      studies.push(study);
    });
  return studies;
}
