// Traces: those of the site, and those that the reader has brought in.
import { TraceChange } from '#protocol/api';
import { NOTHING_SAID } from '#protocol/labels';
import { SourceChoices } from '#protocol/trace';
import { previewOf } from '#analysis/trace-counts';
import { z } from 'zod';
import { traceCounts, traces, traceText } from './kept/library';
import { brought, changedTrace, keptAs, keptTrace, looked, thrownAway } from './kept/traces';
import { invalid, needsServer, Refused } from './refusals';
import { get, patch, post, remove, type LocalRoute } from './routes';
import { siteJson } from './site';

const Part = z.object({
  bins: z.coerce.number().int().min(1).max(100_000).default(1000),
  from_ms: z.coerce.number().min(0).default(0),
  to_ms: z.coerce.number().min(0).default(Number.MAX_SAFE_INTEGER),
});
const Commit = SourceChoices.extend({ name: z.string().max(512).optional() });

export const traceRoutes: readonly LocalRoute[] = [
  get('/traces', async () => ({ traces: await traces() })),
  get('/traces/:id', async ({ params: { id = '' } }) => (await keptTrace(id))?.record),
  get('/traces/:id/dynamics', async ({ params: { id = '' } }) => (await keptTrace(id))?.dynamics ?? undefined),
  get('/traces/:id/marks', async ({ path, params: { id = '' } }) =>
    (await keptTrace(id)) === undefined ? siteJson(path) : { count: 0, marks: [], snr: null },
  ),
  get('/traces/:id/labels', async ({ path, params: { id = '' } }) =>
    (await keptTrace(id)) === undefined ? siteJson(path) : NOTHING_SAID,
  ),
  get('/traces/:id/preview', async ({ params: { id = '' }, query }) => {
    const { bins, from_ms, to_ms } = Part.parse(Object.fromEntries(query));
    return previewOf(await traceCounts(id), { bins, fromMs: from_ms, toMs: to_ms });
  }),
  get('/traces/:id/content', ({ params: { id = '' } }) => traceText(id)),
  get('/traces/:id/file', async ({ params: { id = '' }, query }) => {
    if (query.get('form') !== null && query.get('form') !== 'ms-count')
      throw new Refused(needsServer('Other forms of a trace are written by a program of a server.'));
    const headers = {
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="${id.slice(0, 12)}.trace"`,
    };
    return new Response(await traceText(id), { headers });
  }),
  patch('/traces/:id', ({ params: { id = '' }, body }) => {
    const change = TraceChange.parse(body);
    const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return changedTrace(id, said);
  }),
  post('/trace-sources', async ({ file, query, signal }) => {
    if (file === null || file.size === 0) throw new Refused(invalid('the file is empty'));
    return brought(file, query.get('name') ?? 'unnamed', signal);
  }),
  post('/trace-sources/:id/look', ({ params: { id = '' }, body, signal }) =>
    looked(id, SourceChoices.parse(body), signal),
  ),
  post('/trace-sources/:id/trace', ({ params: { id = '' }, body }) => {
    const { name, ...choices } = Commit.parse(body);
    return keptAs(id, choices, name);
  }),
  remove('/trace-sources/:id', ({ params: { id = '' } }) => {
    thrownAway(id);
    return {};
  }),
];
