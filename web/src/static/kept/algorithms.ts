// Own algorithms that this browser keeps (docs/own-algorithms.md), in versions of their names, as a server keeps them.
import { MOST_SOURCE_BYTES, ownCcaId, type OwnAlgorithm } from '#protocol/own-algorithm';
import { theEngines } from '../../engine/engines';
import { sha256 } from '../../write/sha256';
import { Refused } from '../refusals';
import { database, kept, type KeptAlgorithm } from './database';

const all = async (): Promise<KeptAlgorithm[]> => (await database()).getAll('algorithms');

/** The newest first. */
export const keptAlgorithms = async (): Promise<KeptAlgorithm[]> =>
  (await all())
    .filter(({ deleted_at }) => deleted_at === null)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));

export const plain = ({ id, program, declaration, version, created_at }: KeptAlgorithm): OwnAlgorithm => ({
  id,
  program,
  declaration,
  version,
  created_at,
});

const refused = (detail: string, where?: string): Refused =>
  new Refused({
    type: 'urn:paceline:problem:algorithm-refused',
    title: 'This is no algorithm',
    status: 422,
    code: 'ALGORITHM_REFUSED',
    detail,
    ...(where === undefined ? {} : { where }),
  });

/** The same text twice is the same version; another one of a name that is there is its next. */
export async function keepAlgorithm(bytes: Uint8Array): Promise<OwnAlgorithm> {
  if (bytes.length > MOST_SOURCE_BYTES)
    throw refused(`the text of an own algorithm has at most ${MOST_SOURCE_BYTES / 1024} KiB`);
  const program = sha256(bytes);
  const known = (await all()).find((one) => one.program === program);
  if (known !== undefined) {
    if (known.deleted_at !== null) await kept((db) => db.put('algorithms', { ...known, deleted_at: null }));
    return plain(known);
  }
  const text = new TextDecoder().decode(bytes);
  const read = await (await theEngines()).describe(text);
  if (!read.ok) {
    const { message, at } = read.problem;
    throw refused(message, at === null ? undefined : `${at.line}:${at.column}`);
  }
  const { declaration } = read;
  const versions = (await all()).filter((one) => one.declaration.name === declaration.name);
  const version = Math.max(0, ...versions.map((one) => one.version)) + 1;
  const created_at = new Date().toISOString();
  const algorithm = { id: ownCcaId(program), program, declaration, version, created_at, text, deleted_at: null };
  await kept((db) => db.put('algorithms', algorithm));
  return plain(algorithm);
}

export async function setDeleted(id: string, deleted_at: string | null): Promise<boolean> {
  const found = (await all()).find((one) => one.id === id);
  if (found === undefined) return false;
  await kept((db) => db.put('algorithms', { ...found, deleted_at }));
  return true;
}
