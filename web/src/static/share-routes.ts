// Frozen views: those of the site, and those that were frozen in this browser.
import { ShareAnswers, ShareList, type ShareRecord } from '#protocol/share';
import { addressOf } from '../ui/place';
import { siteList } from './files';
import { answersOfShare, framesOfShare, frozen, keptShare, keptShares, removedShare } from './kept/shares';
import { framesOf } from './kept/samples';
import { Refused, samplesLeftOut, unknown } from './refusals';
import { get, post, remove, type Asked, type LocalRoute } from './routes';
import { shareFile } from './share-file';
import { siteBytes, siteJson } from './site';

async function shares(): Promise<ShareRecord[]> {
  const own = await keptShares();
  const site = ShareList.nullable().parse(await siteList('/shares'))?.shares ?? [];
  return [...own, ...site].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** What the share has kept itself, else the run as it is here. */
async function frames({ params: { slug = '', run = '' }, signal }: Asked) {
  if ((await keptShare(slug)) !== undefined) return (await framesOfShare(slug, run)) ?? (await framesOf(run, signal));
  const path = `/shares/${slug}/runs/${run}`;
  const control = await siteJson(`${path}/control`, signal);
  const samples = await siteBytes(`${path}/samples`, signal);
  return control === null || samples === null ? framesOf(run, signal) : { control, samples };
}

async function framesThere(asked: Asked) {
  const found = await frames(asked);
  if (found === null) throw new Refused(samplesLeftOut());
  return found;
}

/** Of a share of this browser the file can name no address that others have. */
async function file(asked: Asked): Promise<Response> {
  const { slug = '' } = asked.params;
  const own = await answersOfShare(slug);
  const kept = own ?? (await siteJson(`/shares/${slug}/answers`, asked.signal));
  if (kept === null) throw new Refused(unknown(`/shares/${slug}`));
  const load = (run: string) => frames({ ...asked, params: { slug, run } });
  return shareFile(ShareAnswers.parse(kept), own === undefined ? addressOf(`/s/${slug}`) : null, load);
}

export const shareRoutes: readonly LocalRoute[] = [
  post('/shares', (asked) => frozen(asked)),
  get('/shares', async () => ({ shares: await shares() })),
  get('/shares/:slug', async ({ params: { slug = '' } }) => (await answersOfShare(slug))?.share),
  get('/shares/:slug/answers', ({ params: { slug = '' } }) => answersOfShare(slug)),
  get('/shares/:slug/file', file),
  get('/shares/:slug/runs/:run/control', async (asked) => (await framesThere(asked)).control),
  get('/shares/:slug/runs/:run/samples', async (asked) => (await framesThere(asked)).samples),
  remove('/shares/:slug', async ({ params: { slug = '' } }) =>
    (await removedShare(slug)) ? { shares: await shares() } : undefined,
  ),
];
