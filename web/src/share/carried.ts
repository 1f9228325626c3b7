// A link that brings along what it leads to, behind its '#': that part goes to no host, and nothing of it runs by itself.
import { z } from 'zod';
import { isOwnCca, MOST_SOURCE_BYTES, OwnDeclaration, ownCcaId, type OwnAlgorithmText } from '#protocol/own-algorithm';
import { MOST_NOTE_CHARACTERS, MOST_SHOWN, NewShare, sharedPage } from '#protocol/share';
import { ExperimentSpec } from '#protocol/spec';
import { ApiError } from '../api/client';
import { sha256 } from '../write/sha256';
import { CARRIES } from './link';
import { isSlugOf } from './share-slug';

const MOST_ALGORITHMS = 16;
/** Of what is unpacked: a link of a few kilobytes could swell to gigabytes. */
const MOST_BYTES = 4 << 20;

const CarriedAlgorithm = z.strictObject({
  /** What the text says of itself, as the sender's browser read it: nobody can know before it has run. */
  declaration: OwnDeclaration,
  text: z.string().max(MOST_SOURCE_BYTES),
});

const isShared = (address: string): boolean => sharedPage(address) !== null;

/** A frozen view, as its maker had it; and the experiments that it needs, where they are in one browser alone. */
const CarriedShare = z.strictObject({
  title: NewShare.shape.title,
  note: z.string().max(MOST_NOTE_CHARACTERS),
  address: NewShare.shape.address.refine(isShared),
  created_at: z.iso.datetime(),
  engine_version: z.string().max(64),
  experiments: z.array(ExperimentSpec).max(MOST_SHOWN),
});

export const Carried = z.strictObject({
  experiment: ExperimentSpec.nullable(),
  algorithms: z.array(CarriedAlgorithm).max(MOST_ALGORITHMS),
  share: CarriedShare.optional(),
});

export type Carried = z.infer<typeof Carried>;
export type CarriedAlgorithm = z.infer<typeof CarriedAlgorithm>;
export type CarriedShare = z.infer<typeof CarriedShare>;

const damaged = (detail: string): ApiError =>
  new ApiError({
    type: 'urn:paceline:problem:link-damaged',
    title: 'This link is damaged',
    status: 0,
    code: 'LINK_DAMAGED',
    detail,
    hint: 'Ask whoever sent it for the whole link: programs that shorten links cut off what stands behind the #.',
  });

/** base64url (RFC 4648 section 5), without padding. */
function textOf(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Stops reading at the bound, whatever would still come. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError(`more than ${MOST_BYTES >> 20} MiB`);
    }
    pieces.push(read.value);
  }
  return new Blob(pieces).text();
}

/** Own algorithms that a spec names. */
export const ownCcasOf = ({ ccas, flows }: Pick<ExperimentSpec, 'ccas' | 'flows'>): ReadonlySet<string> =>
  new Set([...ccas, ...flows.flatMap(({ cca }) => (cca === '$cca' ? [] : [cca]))].map(({ id }) => id).filter(isOwnCca));

/** What stands behind the '#'. */
export async function packCarried(carried: Carried): Promise<string> {
  const stream = new Blob([JSON.stringify(carried)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return CARRIES + textOf(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** `hash`: of an address, without the '#'. Rejects with ApiError LINK_DAMAGED. */
export async function readCarried(hash: string): Promise<Carried> {
  let text: string;
  try {
    text = await unpacked(bytesOf(hash.slice(CARRIES.length)));
  } catch (error) {
    throw damaged(
      error instanceof RangeError ? `It brings along ${error.message}.` : 'What it brings along is not whole.',
    );
  }
  const read = Carried.safeParse(jsonOf(text));
  if (!read.success) throw damaged('What it brings along is neither an experiment nor an algorithm nor a frozen view.');
  return read.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const programOf = (text: string): string => sha256(new TextEncoder().encode(text));

/** What a link calls an algorithm is the hash of its text, so that a link cannot pass one off as another. */
export const idOfText = (text: string): string => ownCcaId(programOf(text));

/** As if it were kept; rejects with ApiError LINK_DAMAGED where the link leads to another text. */
export async function readCarriedAlgorithm(id: string, hash: string): Promise<OwnAlgorithmText> {
  const { algorithms } = await readCarried(hash);
  const found = algorithms.find(({ text }) => idOfText(text) === id);
  if (found === undefined) throw damaged('The text that it brings along is not that of its address.');
  const created_at = new Date().toISOString();
  return { id, program: programOf(found.text), version: 1, created_at, ...found };
}

/** Rejects with ApiError LINK_DAMAGED where the link leads to another share, or to none. */
export async function readCarriedShare(
  slug: string,
  hash: string,
): Promise<CarriedShare & Pick<Carried, 'algorithms'>> {
  const { share, algorithms } = await readCarried(hash);
  if (share === undefined || !isSlugOf(slug, share))
    throw damaged('The share that it brings along is not that of its address.');
  return { ...share, algorithms };
}
