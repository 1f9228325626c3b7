// Who may show figures of this server inside their pages. Nothing else of it is ever shown inside a page of another origin.
import type { IncomingMessage } from 'node:http';

/** The addresses that stand for one figure each, and no other: ids and names as they are, nothing that a browser or a router would read otherwise. */
const FIGURE = /^\/embed\/[ert]\/[A-Za-z0-9_-]{1,128}\/[a-z0-9-]{1,64}\/?(?:\?|$)/;

export const isFigure = (url: string | undefined): boolean => FIGURE.test(url ?? '');

/** `https://wiki.example`, as browsers write it; `*`: any page. Null: neither. */
export function framerOf(text: string): string | null {
  if (text === '*') return text;
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  const alone = pathname === '/' && search + hash + username + password === '' && !/[?#]$/.test(text);
  return (protocol === 'http:' || protocol === 'https:') && alone ? origin : null;
}

export class Framing {
  readonly #framers: readonly string[];

  constructor(framers: readonly string[] = []) {
    this.#framers = framers;
  }

  /** `frame-ancestors` of what is at the address. */
  ancestors(url: string | undefined): string {
    return isFigure(url) ? ["'self'", ...this.#framers].join(' ') : "'self'";
  }

  /** Whether pages of other origins may show it: `X-Frame-Options` knows no list, and would forbid it. */
  isOpen(url: string | undefined): boolean {
    return this.#framers.length > 0 && isFigure(url);
  }

  /** A page of another origin that lays out a frame for a figure. Which page it is only the browser knows, and it keeps to `frame-ancestors`. */
  isFrame({ method, headers, url }: IncomingMessage): boolean {
    return (
      (method === 'GET' || method === 'HEAD') &&
      headers['sec-fetch-mode'] === 'navigate' &&
      headers['sec-fetch-dest'] === 'iframe' &&
      this.isOpen(url)
    );
  }
}
