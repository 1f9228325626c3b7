// How the service worker answers what the page asks for.

/** network: as if there were no worker. */
export type Strategy = 'network' | 'page' | 'newest' | 'kept';

/** What says which version of the site it is must not be of yesterday. */
const NEWEST = ['/data/site.json', '/data/precache.json', '/service-worker.js'];

interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
  /** Of a part of a file only. */
  readonly partial: boolean;
}

export function strategyOf({ method, mode, url, partial }: Asked, origin: string): Strategy {
  const at = new URL(url);
  if (method !== 'GET' || at.origin !== origin || partial) return 'network';
  if (mode === 'navigate') return 'page';
  return NEWEST.includes(at.pathname) ? 'newest' : 'kept';
}
