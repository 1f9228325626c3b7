// Experiments: those of the site as they lie there, and those that are run in this browser.
import { answersOf } from '#analysis/experiment-answers';
import { resultsOf } from '#analysis/results';
import { ExperimentList, ExperimentRecord, type RunRef, type SamplesGone } from '#protocol/api';
import { LabelsChange, NOTHING_SAID, type Labels } from '#protocol/labels';
import { SampleFamily } from '#protocol/sampled';
import type { KeptExperiment } from './kept/database';
import { desk } from './kept/desk';
import { planned, retried, stopped, submitted } from './kept/experiments';
import { listing } from './kept/library';
import { cancelRun } from './kept/queue';
import { itemOf, recordOf, refsOf } from './kept/records';
import { sampledCells } from './kept/samples';
import { siteList } from './files';
import { siteJson } from './site';
import { runRecord } from './library-routes';
import { get, patch, post, remove, type Handle, type LocalRoute } from './routes';

/** Deleted things can be restored as long as a server's; here nothing removes them but the browser. */
const RESTORABLE_MS = 24 * 3600 * 1000;

async function own(id: string): Promise<KeptExperiment | undefined> {
  return (await desk()).experiments.get(id);
}

/** For what is of this browser; all else is left to the site. */
const ofOwn =
  (answer: (experiment: KeptExperiment, query: URLSearchParams) => unknown): Handle =>
  async ({ params: { id = '' }, query }) => {
    const experiment = await own(id);
    return experiment === undefined || experiment.labels.deleted !== null ? undefined : answer(experiment, query);
  };

const stands = async (experiment: KeptExperiment): Promise<ExperimentRecord> => recordOf(experiment, await desk());

/** Some of its runs: of a cell, in a state, from a place on. */
function someOf(runs: readonly RunRef[], query: URLSearchParams) {
  const cell = query.get('cell');
  const state = query.get('state');
  const found = runs.filter((run) => (cell === null || run.cell === cell) && (state === null || run.state === state));
  const after = Number(query.get('after') ?? 0);
  const end = after + Number(query.get('limit') ?? found.length);
  return { runs: found.slice(after, end), next: end < found.length ? end : null };
}

async function list(archived: boolean): Promise<ExperimentList> {
  const known = await desk();
  const kept = [...known.experiments.values()]
    .filter(({ labels }) => labels.deleted === null && (archived || !labels.archived))
    .map((experiment) => itemOf(experiment, known));
  const site = ExperimentList.nullable().parse(await siteList('/experiments'))?.experiments ?? [];
  const experiments = [...kept, ...site.filter(({ id }) => !kept.some((one) => one.id === id))];
  return { experiments: experiments.sort((a, b) => b.created_at.localeCompare(a.created_at)) };
}

async function relabelled(id: string, change: (labels: Labels) => Labels): Promise<Labels | undefined> {
  const known = await desk();
  const experiment = known.experiments.get(id);
  if (experiment === undefined) return undefined;
  const labels = change(experiment.labels);
  await known.putExperiment({ ...experiment, labels });
  return labels;
}

function changed(labels: Labels, asked: LabelsChange): Labels {
  const { name, ...said } = asked;
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { ...labels, ...given, ...(name === undefined ? {} : { name: name === '' ? null : name }) };
}

/** What a site has was chosen to be there. */
const NOTHING_GONE: SamplesGone = { gone: 0, lost: 0 };

const labelRoutes: readonly LocalRoute[] = [
  get('/experiments/:id/labels', async ({ path, params: { id = '' } }) => {
    const experiment = await own(id);
    return experiment === undefined ? ((await siteJson(path)) ?? undefined) : experiment.labels;
  }),
  get('/experiments/:id/samples', () => NOTHING_GONE),
  get('/runs/:id/labels', async ({ path }) => (await siteJson(path)) ?? NOTHING_SAID),
  patch('/experiments/:id/labels', ({ params: { id = '' }, body }) =>
    relabelled(id, (labels) => changed(labels, LabelsChange.parse(body))),
  ),
  remove('/experiments/:id', async ({ params: { id = '' } }) => {
    const experiment = await own(id);
    if (experiment !== undefined) await stopped(experiment);
    const now = Date.now();
    const deleted = { at: new Date(now).toISOString(), until: new Date(now + RESTORABLE_MS).toISOString() };
    return relabelled(id, (labels) => ({ ...labels, deleted }));
  }),
  post('/experiments/:id/restore', ({ params: { id = '' } }) =>
    relabelled(id, (labels) => ({ ...labels, deleted: null })),
  ),
];

export const experimentRoutes: readonly LocalRoute[] = [
  post('/plan', ({ body }) => planned(body)),
  post('/experiments', async ({ body }) => stands(await submitted(body))),
  get('/experiments', ({ query }) => list(query.get('archived') === 'true')),
  get('/experiments/:id', ofOwn(stands)),
  get('/experiments/:id/runs', async ({ params: { id = '' }, query }) => {
    const experiment = await own(id);
    if (experiment !== undefined) return someOf(refsOf(experiment, await desk()), query);
    const site = ExperimentRecord.nullable().parse(await siteJson(`/experiments/${id}`));
    return site === null ? null : someOf(site.runs, query);
  }),
  get(
    '/experiments/:id/answers',
    ofOwn(async (experiment) => {
      const [known, { ccas }] = await Promise.all([desk(), listing()]);
      const { cells, spec } = experiment;
      return { answers: answersOf(resultsOf({ cells: [...cells], runs: refsOf(experiment, known), spec }, ccas)) };
    }),
  ),
  get(
    '/experiments/:id/sampled',
    ofOwn(async (experiment, query) => {
      const families = (query.get('of') ?? 'spread').split(',').map((family) => SampleFamily.parse(family));
      return { cells: await sampledCells(experiment, await desk(), families), next: null };
    }),
  ),
  post(
    '/experiments/:id/stop',
    ofOwn(async (experiment) => {
      await stopped(experiment);
      return stands(experiment);
    }),
  ),
  post(
    '/experiments/:id/retry',
    ofOwn(async (experiment) => {
      await retried(experiment.places.map(({ run }) => run));
      return stands(experiment);
    }),
  ),
  post('/runs/:id/stop', async ({ params: { id = '' } }) => {
    await cancelRun(id);
    return (await runRecord(id)) ?? undefined;
  }),
  post('/runs/:id/retry', async ({ params: { id = '' } }) => {
    await retried([id]);
    return (await runRecord(id)) ?? undefined;
  }),
  ...labelRoutes,
];
