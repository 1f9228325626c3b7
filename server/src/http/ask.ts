import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import type { Ask } from '#analysis/page-reader';
import { AppError } from '../errors.ts';
import type { Eyes, PrivateStore } from '../store/private.ts';
import { neededBy } from './callers.ts';
import { addressMustBeSeen } from './eyes.ts';
import type { Route } from './route.ts';

/** The values of an address's places, when it is one of the route's: `/runs/:id` of `/runs/abc` gives `{ id: 'abc' }`. */
function placesOf(route: Route, path: string): Record<string, string> | null {
  const wanted = route.path.split('/');
  const given = path.split('/');
  if (route.method !== 'get' || wanted.length !== given.length) return null;
  const places: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':')) places[part.slice(1)] = given[i] ?? '';
    else if (part !== given[i]) return null;
  }
  return places;
}

/** As much of a response as those need who give an answer for JSON: it can be given up, its headers go nowhere, and nobody asks, but with somebody's eyes. */
function nobody(eyes: Eyes): Response {
  const response = Object.assign(new EventEmitter(), { writableEnded: false, locals: { eyes }, set: () => response });
  return response as unknown as Response;
}

/** Asks the API from within: the same checks and the same answers that a page gets, as JSON. */
export const asker =
  (routes: readonly Route[], hidden: PrivateStore) =>
  (eyes: Eyes): Ask =>
  async (path, signal) => {
    const { pathname, searchParams } = new URL(path, 'http://paceline');
    for (const route of routes) {
      const places = placesOf(route, pathname);
      // What is not for everybody's eyes is in no share.
      if (places === null || neededBy(route) !== 'viewer') continue;
      addressMustBeSeen(hidden, eyes, route.path, places);
      const input = {
        params: route.params?.parse(places),
        query: route.query?.parse(Object.fromEntries(searchParams)),
        body: undefined,
      };
      const response = nobody(eyes);
      const giveUp = (): unknown => response.emit('close');
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return JSON.parse(JSON.stringify(await route.handle(input as never, {} as Request, response))) as unknown;
      } finally {
        // Whoever reads a whole page asks hundreds of times.
        signal.removeEventListener('abort', giveUp);
      }
    }
    throw new AppError('ROUTE_UNKNOWN', path);
  };
