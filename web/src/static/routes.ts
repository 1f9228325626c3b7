// Which part of the site answers what: patterns of paths, as the server has them.

export interface Asked {
  /** The path without its query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of what is sent: JSON as it was read, or a file. */
  readonly body: unknown;
  readonly file: Blob | null;
  readonly signal: AbortSignal | undefined;
  /** What another path answers, of this browser and of the site, as whoever asks it with GET gets it. Rejects with Refused. */
  readonly ask: (address: string, signal: AbortSignal) => Promise<unknown>;
}

/** JSON, bytes, or undefined: not known here, so that whoever comes next is asked, at last the site's files. */
export type Handle = (asked: Asked) => unknown;

export interface LocalRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly handle: Handle;
}

export const get = (path: string, handle: Handle): LocalRoute => ({ method: 'GET', path, handle });
export const post = (path: string, handle: Handle): LocalRoute => ({ method: 'POST', path, handle });
export const patch = (path: string, handle: Handle): LocalRoute => ({ method: 'PATCH', path, handle });
export const remove = (path: string, handle: Handle): LocalRoute => ({ method: 'DELETE', path, handle });

/** `/runs/:id` of `/runs/abc` gives `{ id: 'abc' }`; null: it is another path. */
export function placesOf(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const places: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':')) places[part.slice(1)] = decodeURIComponent(given[i] ?? '');
    else if (part !== given[i]) return null;
  }
  return places;
}
