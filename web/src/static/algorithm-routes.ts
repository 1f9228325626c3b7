// Own algorithms: those of the site, and those that this browser keeps.
import { skeletonId, skeletonOf } from '#analysis/own-skeleton';
import { OwnAlgorithmList, OwnAlgorithmText } from '#protocol/own-algorithm';
import { siteList } from './files';
import { siteJson } from './site';
import { desk } from './kept/desk';
import { keepAlgorithm, keptAlgorithms, plain, setDeleted } from './kept/algorithms';
import { invalid, Refused } from './refusals';
import { get, post, remove, type LocalRoute } from './routes';

async function isUsed(id: string): Promise<boolean> {
  const { experiments } = await desk();
  return [...experiments.values()].some(
    ({ labels, cells, spec }) =>
      labels.deleted === null &&
      (cells.some(({ cca }) => cca.id === id) || spec.flows.some(({ cca }) => cca !== '$cca' && cca.id === id)),
  );
}

export const algorithmRoutes: readonly LocalRoute[] = [
  get('/algorithms', async () => {
    const own = (await keptAlgorithms()).map(plain);
    const site = OwnAlgorithmList.nullable().parse(await siteList('/algorithms'))?.algorithms ?? [];
    return { algorithms: [...own, ...site.filter(({ id }) => !own.some((one) => one.id === id))] };
  }),
  post('/algorithms', async ({ file }) => {
    if (file === null) throw new Refused(invalid('there is no text'));
    return keepAlgorithm(new Uint8Array(await file.arrayBuffer()));
  }),
  get('/algorithms/:id', async ({ path, params: { id = '' } }) => {
    const own = (await keptAlgorithms()).find((one) => one.id === id);
    return own === undefined ? siteJson(path) : { ...plain(own), text: own.text };
  }),
  get('/algorithms/:id/skeleton', async ({ params: { id = '' } }) => {
    const own = (await keptAlgorithms()).find((one) => one.id === id);
    const found = own ?? OwnAlgorithmText.nullable().parse(await siteJson(`/algorithms/${id}`));
    if (found === null) return null;
    const file = `${skeletonId(found.declaration.name)}.cc`;
    const headers = { 'content-type': 'text/x-c++src', 'content-disposition': `attachment; filename="${file}"` };
    return new Response(skeletonOf(found.declaration, found.text), { headers });
  }),
  remove('/algorithms/:id', async ({ params: { id = '' } }) => {
    if (await isUsed(id)) throw new Refused(invalid('an experiment of this browser needs it'));
    return (await setDeleted(id, new Date().toISOString())) ? { deleted: true } : undefined;
  }),
  post('/algorithms/:id/restore', async ({ params: { id = '' } }) =>
    (await setDeleted(id, null)) ? { deleted: false } : undefined,
  ),
];
