// Views that were frozen in this browser: what their pages had read, and the samples of the runs that they show.
import { MOST_ANSWER_BYTES, NotFrozen, PageReader } from '#analysis/page-reader';
import { NewShare, sharedPage, type ShareAnswers, type SharedPage, type ShareRecord } from '#protocol/share';
import { z } from 'zod';
import { isSlugOf, ownSlug } from '../../share/share-slug';
import { invalid, notFrozen, Refused } from '../refusals';
import type { Asked } from '../routes';
import { database, kept, type KeptShareFrames } from './database';
import { listing } from './library';
import { packed, unpacked } from './packing';
import { framesOf } from './samples';

/** What a link says of a share that was made in another browser: it is the same share here. */
const MadeBefore = z.strictObject({ created_at: z.iso.datetime(), engine_version: z.string().max(64) });
const AskedShare = NewShare.extend({ made: MadeBefore.optional() });

const isUnknown = (error: unknown): boolean =>
  error instanceof Refused && (error.problem.status === 404 || error.problem.code === 'NEEDS_SERVER');

/** A run's page shows it over time, so its samples go along. An experiment's page has figures, and leads to its runs. */
const SHOWS_SAMPLES: readonly ShareRecord['kind'][] = ['run', 'overlay'];

async function read(page: SharedPage, ask: Asked['ask'], signal: AbortSignal) {
  try {
    return await new PageReader({ ask, isUnknown }, signal).read(page);
  } catch (error) {
    throw error instanceof NotFrozen ? new Refused(notFrozen(error.message, error.hint)) : error;
  }
}

async function framesToKeep(slug: string, runs: readonly string[], signal: AbortSignal): Promise<KeptShareFrames[]> {
  const found: KeptShareFrames[] = [];
  for (const run of runs) {
    const frames = await framesOf(run, signal);
    if (frames === null) continue;
    const samples = await packed(frames.samples as Uint8Array<ArrayBuffer>);
    found.push({ slug, run, control: z.array(z.unknown()).parse(frames.control), samples });
  }
  return found;
}

/** Keeps what the page at this address shows now. */
export async function frozen({ body, ask, signal = new AbortController().signal }: Asked): Promise<ShareRecord> {
  const { made, slug: name = '', ...asked } = AskedShare.parse(body);
  const page = sharedPage(asked.address);
  if (page === null) throw new Refused(invalid(`${asked.address} is no view that can be frozen`));
  const { answers, runs } = await read(page, ask, signal);
  const text = new TextEncoder().encode(JSON.stringify(answers));
  if (text.byteLength > MOST_ANSWER_BYTES)
    throw new Refused(invalid(`a share holds at most ${MOST_ANSWER_BYTES / 2 ** 20} MiB of figures`));
  const { engine_version } = await listing();
  const said = {
    ...asked,
    address: page.path + page.query,
    ...(made ?? { created_at: new Date().toISOString(), engine_version }),
  };
  const slug = made === undefined ? ownSlug(said, name) : name;
  if (!isSlugOf(slug, said)) throw new Refused(invalid(`${slug} is the name of another share`));
  const record: ShareRecord = { slug, kind: page.kind, ...said };
  const frames = SHOWS_SAMPLES.includes(page.kind) ? await framesToKeep(slug, runs, signal) : [];
  const packedAnswers = await packed(text);
  await kept(async (db) => {
    const writing = db.transaction(['shares', 'share_answers', 'share_frames'], 'readwrite');
    for (const one of frames) await writing.objectStore('share_frames').put(one);
    await writing.objectStore('share_answers').put({ slug, answers: packedAnswers });
    await writing.objectStore('shares').put(record);
    await writing.done;
  });
  return record;
}

export const keptShare = async (slug: string): Promise<ShareRecord | undefined> =>
  (await database()).get('shares', slug);

export const keptShares = async (): Promise<ShareRecord[]> => (await database()).getAll('shares');

export async function answersOfShare(slug: string): Promise<ShareAnswers | undefined> {
  const [share, found] = await Promise.all([keptShare(slug), (await database()).get('share_answers', slug)]);
  if (share === undefined || found === undefined) return undefined;
  const answers = JSON.parse(new TextDecoder().decode(await unpacked(found.answers))) as Record<string, unknown>;
  return { share, answers };
}

export async function framesOfShare(slug: string, run: string) {
  const found = await (await database()).get('share_frames', [slug, run]);
  return found === undefined ? null : { control: found.control, samples: await unpacked(found.samples) };
}

/** False: this browser has no such share. */
export async function removedShare(slug: string): Promise<boolean> {
  if ((await keptShare(slug)) === undefined) return false;
  const db = await database();
  const writing = db.transaction(['shares', 'share_answers', 'share_frames'], 'readwrite');
  await writing.objectStore('shares').delete(slug);
  await writing.objectStore('share_answers').delete(slug);
  await writing.objectStore('share_frames').delete(IDBKeyRange.bound([slug], [slug, []]));
  await writing.done;
  return true;
}
