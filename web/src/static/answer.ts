// What the page asks of a server, answered in the page: by what this browser keeps, else by the site's files (docs/static-site.md).
import { experimentRoutes } from './experiment-routes';
import { algorithmRoutes } from './algorithm-routes';
import { siteBytes, siteJson } from './site';
import { libraryRoutes } from './library-routes';
import { needsServer, Refused, unknown, whatFor } from './refusals';
import { traceRoutes } from './trace-routes';
import { placesOf, type Asked, type LocalRoute } from './routes';
import { shareRoutes } from './share-routes';
import { standingOf } from './site-paths';
import type { Ask } from '../api/ask';

const ROUTES: readonly LocalRoute[] = [
  ...libraryRoutes,
  ...traceRoutes,
  ...experimentRoutes,
  ...algorithmRoutes,
  ...shareRoutes,
];

/** Paths whose answers are no JSON. */
const BYTES = /\/(samples|content|file|oracle)$/;

const json = (value: unknown, status = 200): Response => Response.json(value, { status });

function bodyOf(body: BodyInit | null | undefined): Pick<Asked, 'body' | 'file'> {
  if (body instanceof Blob) return { body: undefined, file: body };
  return { body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined, file: null };
}

async function found(method: string, asked: Omit<Asked, 'params' | 'ask'>): Promise<unknown> {
  for (const route of ROUTES) {
    const params = route.method === method ? placesOf(route.path, asked.path) : null;
    if (params === null) continue;
    const answer = await route.handle({ ...asked, params, ask });
    if (answer !== undefined) return answer;
  }
  if (method !== 'GET') throw new Refused(needsServer(whatFor(asked.path)));
  return BYTES.test(asked.path) ? siteBytes(asked.path, asked.signal) : siteJson(asked.path, asked.signal);
}

/** Rejects with Refused where there is no answer. */
async function given(method: string, asked: Omit<Asked, 'params' | 'ask'>): Promise<unknown> {
  const { path } = asked;
  const answered = await found(method, asked);
  // What is said of something is asked for before it is known whether that is there.
  if (answered !== null || path.endsWith('/labels')) return answered;
  throw new Refused((await standingOf(path)) === 'unasked' ? needsServer(whatFor(path)) : unknown(path));
}

function placed(address: string): Pick<Asked, 'path' | 'query'> {
  const { pathname, searchParams } = new URL(address, 'http://paceline');
  return { path: pathname, query: searchParams };
}

const ask: Asked['ask'] = (address, signal) =>
  given('GET', { ...placed(address), body: undefined, file: null, signal });

export const answer: Ask = async (address, { method = 'GET', body, signal }) => {
  try {
    const answered = await given(method, { ...placed(address), ...bodyOf(body), signal: signal ?? undefined });
    if (answered instanceof Response) return answered;
    if (answered instanceof Uint8Array) return new Response(answered as Uint8Array<ArrayBuffer>);
    return json(answered);
  } catch (error) {
    if (error instanceof Refused) return json(error.problem, error.problem.status === 0 ? 503 : error.problem.status);
    throw error;
  }
};
