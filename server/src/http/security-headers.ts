import type { RequestHandler } from 'express';
import type { Guard } from './guard.ts';

/** Of every answer, whatever it is. Pages say for themselves what they may load (static.ts); nothing else may load anything. */
export const securityHeaders = (trustworthy: boolean): Record<string, string> => ({
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Elsewhere browsers do not heed it, and complain of it.
  ...(trustworthy && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
});

/** At the door of every app: these headers, and nobody who comes by a strange name or from a strange page. */
export const doorkeeper =
  (guard: Guard): RequestHandler =>
  (req, res, next) => {
    res.set(securityHeaders(guard.hosts.isTrustworthy(req.headers.host)));
    if (guard.framing.isOpen(req.url)) res.removeHeader('X-Frame-Options');
    const refused = guard.strange(req);
    if (refused !== null) throw refused;
    next();
  };
