// Where the page lies on its host: at the root, but for a site without a server in a folder (docs/static-site.md). Everywhere else in the page
// paths begin as if that were the root.

/** It begins and ends with a slash. */
export const BASE = import.meta.env.BASE_URL;

/** What a browser is told, of a path that begins with a slash. */
export const hrefOf = (path: string, base = BASE): string => base + path.slice(1);

/** The other way round, of the pathname of an address. */
export const pathOf = (pathname: string, base = BASE): string =>
  pathname.startsWith(base) ? pathname.slice(base.length - 1) : pathname;

/** The address of a path, for somebody else. */
export const addressOf = (path: string): string => new URL(hrefOf(path), window.location.href).href;

/** A name of something that the pages of one host have in common, and of two sites on it each has its own. */
export const ownName = (name: string, base = BASE): string => (base === '/' ? name : `${name} ${base}`);
