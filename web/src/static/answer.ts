// What the page asks of a server, answered in the page: by what this browser keeps, else by the site's files (docs/static-site.md).
import { experimentRoutes } from './experiment-routes';
import { algorithmRoutes } from './algorithm-routes';
import { siteBytes, siteJson } from './site';
import { libraryRoutes } from './library-routes';
import { needsServer, Refused, unknown, whatFor } from './refusals';
import { traceRoutes } from './trace-routes';
import { placesOf, type Asked, type LocalRoute } from './routes';
import { standingOf } from './site-paths';
import type { Ask } from '../api/ask';

const ROUTES: readonly LocalRoute[] = [...libraryRoutes, ...traceRoutes, ...experimentRoutes, ...algorithmRoutes];

/** Paths whose answers are no JSON. */
const BYTES = /\/(samples|content|file|oracle)$/;

const json = (value: unknown, status = 200): Response => Response.json(value, { status });

function bodyOf(body: BodyInit | null | undefined): Pick<Asked, 'body' | 'file'> {
  if (body instanceof Blob) return { body: undefined, file: body };
  return { body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined, file: null };
}

async function found(method: string, asked: Omit<Asked, 'params'>): Promise<unknown> {
  for (const route of ROUTES) {
    const params = route.method === method ? placesOf(route.path, asked.path) : null;
    if (params === null) continue;
    const answer = await route.handle({ ...asked, params });
    if (answer !== undefined) return answer;
  }
  if (method !== 'GET') throw new Refused(needsServer(whatFor(asked.path)));
  return BYTES.test(asked.path) ? siteBytes(asked.path, asked.signal) : siteJson(asked.path, asked.signal);
}

export const answer: Ask = async (address, { method = 'GET', body, signal }) => {
  const { pathname: path, searchParams: query } = new URL(address, 'http://paceline');
  try {
    const answered = await found(method, { path, query, ...bodyOf(body), signal: signal ?? undefined });
    if (answered instanceof Response) return answered;
    if (answered instanceof Uint8Array) return new Response(answered as Uint8Array<ArrayBuffer>);
    if (answered !== null) return json(answered);
    // What is said of something is asked for before it is known whether that is there.
    if (path.endsWith('/labels')) return json(null);
    throw new Refused((await standingOf(path)) === 'unasked' ? needsServer(whatFor(path)) : unknown(path));
  } catch (error) {
    if (error instanceof Refused) return json(error.problem, error.problem.status === 0 ? 503 : error.problem.status);
    throw error;
  }
};
