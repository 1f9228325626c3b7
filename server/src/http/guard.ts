import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';

/** `127.0.0.1:8080` -> `127.0.0.1`, `[::1]:8080` -> `::1`. */
function hostName(host: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(host);
  return (bracketed?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase();
}

export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '::1' ||
  (isIP(name) === 4 && name.startsWith('127.'));

/**
 * Why a request may not be served; null when it may. On loopback only loopback names are served, else a page of another site could
 * reach the server by letting its own name point here (DNS rebinding). Wherever it listens, pages of other origins may not use it.
 */
export function refusalOf(headers: IncomingHttpHeaders, loopbackOnly: boolean): AppError | null {
  const host = headers.host ?? '';
  if (loopbackOnly && !isLoopback(hostName(host)))
    return new AppError('HOST_REFUSED', `this server answers to localhost, not to ${JSON.stringify(host)}`, {
      hint: 'Start it with --host to serve other names.',
    });
  const { origin } = headers;
  if (origin === undefined) return null;
  let from: string | null = null;
  try {
    from = new URL(origin).host;
  } catch {
    // `null` and whatever else is no origin of ours
  }
  if (from !== null && from.toLowerCase() === host.toLowerCase()) return null;
  return new AppError('ORIGIN_REFUSED', `pages of ${origin} may not use this server`);
}

export function guard(loopbackOnly: boolean): RequestHandler {
  return (req, _res, next) => {
    const refused = refusalOf(req.headers, loopbackOnly);
    if (refused !== null) throw refused;
    next();
  };
}
