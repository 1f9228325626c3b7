import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { Framing } from './framing.ts';
import { unknownRoute } from './problem.ts';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Hashes of the scripts written into the page itself (the theme is set before the first paint): only these may run. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

/** What the page may load: itself. Styles may be inline because the component library writes some. */
export const contentSecurityPolicy = (html: string, ancestors = "'self'"): string =>
  [
    "default-src 'self'",
    // The engine in a worker (docs/wasm.md) is compiled from bytes; no text of a script ever is.
    ["script-src 'self'", "'wasm-unsafe-eval'", ...inlineScripts(html)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

interface Page {
  readonly html: string;
  /** By who may show it in a frame. */
  readonly policy: (ancestors: string) => string;
}

/** The page as it was last built; null before that. */
function builtPage(dist: string): () => Page | null {
  const file = join(dist, 'index.html');
  let known: { readonly builtAt: number; readonly page: Page } | null = null;
  return () => {
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return null;
    if (known?.builtAt !== builtAt) {
      const html = readFileSync(file, 'utf8');
      const policies = new Map<string, string>();
      const policy = (ancestors: string): string => {
        const made = policies.get(ancestors) ?? contentSecurityPolicy(html, ancestors);
        policies.set(ancestors, made);
        return made;
      };
      known = { builtAt, page: { html, policy } };
    }
    return known.page;
  };
}

/** Puts into the page what it is about, for those who read its head only. */
type Describe = (html: string, req: Request, res: Response) => string | Promise<string>;
const asBuilt: Describe = (html) => html;

interface PageOptions {
  readonly dist?: string;
  readonly framing?: Framing;
  readonly describe?: Describe;
}

/** The built page: hashed files for ever, the page itself never from a cache, and every page address gives the page. One policy for all, but for who may frame it. */
export function pageRoutes({ dist = DIST, framing = new Framing(), describe = asBuilt }: PageOptions = {}): Router {
  const router = express.Router();
  const current = builtPage(dist);
  router.use((req, res, next) => {
    const page = current();
    if (page !== null) res.set('Content-Security-Policy', page.policy(framing.ancestors(req.originalUrl)));
    next();
  });
  const assets = join(dist, 'assets');
  router.use(
    '/assets',
    packed(assets),
    express.static(assets, { immutable: true, maxAge: YEAR_MS, index: false, redirect: false }),
    unknownRoute,
  );
  router.get('/index.html', sendPage(current, asBuilt));
  router.use(express.static(dist, { index: false, maxAge: 0 }));
  router.get('/{*path}', sendPage(current, describe));
  return router;
}

/** What the build has packed beside its files (web/precompress.ts), the smallest first, by the name of the encoding. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Leads to the packed form of a file that the other side can unpack. Its ETag is its own, by length and date. */
function packed(folder: string): RequestHandler {
  return (req, res, next) => {
    const [, type] = /^\/[\w.-]+(\.[a-z]+)$/.exec(req.path) ?? [];
    const reads = req.method === 'GET' || req.method === 'HEAD';
    const found = PACKED.find(
      ([encoding, ending]) => req.acceptsEncodings(encoding) !== false && existsSync(join(folder, req.path + ending)),
    );
    res.vary('Accept-Encoding');
    if (reads && type !== undefined && found !== undefined) {
      const [encoding, ending] = found;
      res.type(type).set('Content-Encoding', encoding);
      req.url = req.path + ending;
    }
    next();
  };
}

function sendPage(current: () => Page | null, describe: Describe): RequestHandler {
  return async (req, res, next) => {
    const page = current();
    if (req.accepts('html') === false) next();
    else if (page === null)
      res.status(503).type('text/plain').send('The page has not been built. Please run: npm run build\n');
    else
      res
        .set('Cache-Control', 'no-cache')
        .type('html')
        .send(await describe(page.html, req, res));
  };
}
