import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unknownRoute } from './problem.ts';
import express, { type RequestHandler, type Router } from 'express';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Hashes of the scripts written into the page itself (the theme is set before the first paint): only these may run. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

/** What the page may load: itself. Styles may be inline because the component library writes some. */
export const contentSecurityPolicy = (html: string): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');

/** The built page: hashed files for ever, the page itself never from a cache, and every page address gives the page. */
export function pageRoutes(dist = DIST): Router {
  const router = express.Router();
  router.use(
    '/assets',
    express.static(join(dist, 'assets'), { immutable: true, maxAge: YEAR_MS, index: false }),
    unknownRoute,
  );
  router.use(express.static(dist, { index: false, maxAge: 0 }));
  router.get('/{*path}', pageHandler(dist));
  return router;
}

function pageHandler(dist: string): RequestHandler {
  const file = join(dist, 'index.html');
  return (req, res, next) => {
    if (req.accepts('html') === false) {
      next();
      return;
    }
    if (!existsSync(file)) {
      res.status(503).type('text/plain').send('The page has not been built. Please run: npm run build\n');
      return;
    }
    const html = readFileSync(file, 'utf8');
    res
      .set('Cache-Control', 'no-cache')
      .set('Content-Security-Policy', contentSecurityPolicy(html))
      .type('html')
      .send(html);
  };
}
