import compression from 'compression';
import type { RequestHandler } from 'express';

/** Less fits into a packet anyway. */
const LEAST_BYTES = 1400;
const JSON_TYPE = /^application\/(problem\+)?json\b/;

/**
 * JSON answers travel packed. What flows stays as it is: files that are downloaded, samples of a run that goes on. Packing is done by zlib's
 * threads, so it holds up nobody; the quickest levels give most of what there is to win.
 *
 * What BREACH needs is not there: no answer holds a secret of the server (the token travels in a cookie or a header of the request, never
 * in a body), pages of other sites get no answer with the cookie (SameSite, guard.ts), and the page that asks for the token is not packed.
 */
export const compressed = (): RequestHandler =>
  compression({
    threshold: LEAST_BYTES,
    level: 4,
    filter: (_req, res) =>
      JSON_TYPE.test(String(res.getHeader('Content-Type'))) && !res.hasHeader('Content-Disposition'),
  });
