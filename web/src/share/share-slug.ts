// The name of a share that is in one browser alone. Its end is the hash of what it names: a link cannot pass off one share as another, and no two meet at one address.
import { MOST_SLUG_CHARACTERS } from '#protocol/ids';
import { slugOf, type ShareRecord } from '#protocol/share';
import { sha256 } from '../write/sha256';

/** What its link says of a share. */
export type ShareSaid = Pick<ShareRecord, 'title' | 'note' | 'address' | 'created_at' | 'engine_version'>;

/** Forty bits. */
const HASH_CHARACTERS = 10;

/** `name`: as its maker wrote it; empty: of the title, if that can be written so. */
export function ownSlug(said: ShareSaid, name = ''): string {
  const wanted = [name, slugOf(said.title), 'view'].find((one) => one !== '') ?? '';
  const front = wanted.slice(0, MOST_SLUG_CHARACTERS - HASH_CHARACTERS - 1).replace(/-$/, '');
  const { title, note, address, created_at, engine_version } = said;
  const text = JSON.stringify([front, title, note, address, created_at, engine_version]);
  return `${front}-${sha256(new TextEncoder().encode(text)).slice(0, HASH_CHARACTERS)}`;
}

/** Whether a share that says so can have that name. */
export const isSlugOf = (slug: string, said: ShareSaid): boolean =>
  ownSlug(said, slug.slice(0, -HASH_CHARACTERS - 1)) === slug;
