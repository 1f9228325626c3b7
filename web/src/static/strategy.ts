// How the service worker answers what the page asks for.

/** network: as if there were no worker. */
export type Strategy = 'network' | 'page' | 'newest' | 'kept';

/** What says which version of the site it is must not be of yesterday. */
const NEWEST = ['data/site.json', 'data/precache.json', 'service-worker.js'];

interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
  /** Of a part of a file only. */
  readonly partial: boolean;
}

/** `home`: the address of the site, with a slash at its end. What lies beside it on its host is not its. */
export function strategyOf({ method, mode, url, partial }: Asked, home: string): Strategy {
  if (method !== 'GET' || !url.startsWith(home) || partial) return 'network';
  if (mode === 'navigate') return 'page';
  const [name = ''] = url.slice(home.length).split(/[?#]/);
  return NEWEST.includes(name) ? 'newest' : 'kept';
}
