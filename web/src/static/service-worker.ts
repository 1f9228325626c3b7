// Keeps the site in the browser, so that it opens without a network (docs/static-site.md). It is a file of its own, which
// scripts/build-static.ts gives the version of the site: another version is another worker, with a cache of its own.
import { strategyOf } from './strategy';

/** The names that TypeScript knows of workers do not go together with those of pages. */
interface Waiting extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void;
}
interface Fetching extends Waiting {
  readonly request: Request;
  readonly respondWith: (answer: Promise<Response>) => void;
}
interface Scope {
  readonly addEventListener: ((type: 'install' | 'activate', heed: (event: Waiting) => void) => void) &
    ((type: 'fetch', heed: (event: Fetching) => void) => void);
  readonly clients: { readonly claim: () => Promise<void> };
}
const worker = self as unknown as Scope;

/** Where the site lies: paths without a slash at their beginning are from here. */
const HOME = new URL('.', location.href);
/** Each site of a host has its own. */
const PREFIX = HOME.pathname === '/' ? 'paceline-' : `paceline ${HOME.pathname}-`;
const CACHE = `${PREFIX}SITE_VERSION`;
/** Any address is this page. */
const PAGE = './';
const AT_ONCE = 6;

/** What data/precache.json names: without the page nothing works; without an answer only what shows it. */
interface Precache {
  readonly page: readonly string[];
  readonly answers: readonly string[];
}

/** Past the browser's own cache, which may hold a file of the version before. */
const asked = (path: string): Request => new Request(path, { cache: 'no-cache' });

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  const list = (await (await fetch(asked('data/precache.json'))).json()) as Precache;
  await cache.addAll(list.page.map(asked));
  for (let from = 0; from < list.answers.length; from += AT_ONCE)
    await Promise.allSettled(list.answers.slice(from, from + AT_ONCE).map((path) => cache.add(asked(path))));
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

async function fetched(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (answer.status === 200 && !answer.redirected) {
    const copy = answer.clone();
    // A full disk: it is fetched again.
    await caches
      .open(CACHE)
      .then(
        (cache) => cache.put(request, copy),
        () => undefined,
      )
      .catch(() => undefined);
  }
  return answer;
}

const kept = async (request: Request | string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(request);

/** The page that is kept: whatever the host says of an address, it is this page. The next version replaces it when it has been fetched. */
const page = async (request: Request): Promise<Response> => (await kept(PAGE)) ?? fetch(request);

async function newest(request: Request): Promise<Response> {
  try {
    return await fetched(request);
  } catch (error) {
    const own = await kept(request);
    if (own === undefined) throw error;
    return own;
  }
}

const keptFirst = async (request: Request): Promise<Response> => (await kept(request)) ?? fetched(request);

const ANSWERS = { page, newest, kept: keptFirst };

// The next version waits until no page of this one is open: its pieces and its answers do not go together with this page.
worker.addEventListener('install', (event) => event.waitUntil(keepAll()));
worker.addEventListener('activate', (event) => event.waitUntil(dropOthers().then(() => worker.clients.claim())));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { method, mode, url } = request;
  const strategy = strategyOf({ method, mode, url, partial: request.headers.has('range') }, HOME.href);
  if (strategy !== 'network') event.respondWith(ANSWERS[strategy](request));
});
