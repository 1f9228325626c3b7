import type { Request, RequestHandler, Response } from 'express';
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Guard } from './guard.ts';
import { AppError } from '../errors.ts';
import type { Holder } from './keys.ts';
import { plainPage } from './plain-page.ts';

const PAGE = plainPage(new URL('sign-in.html', import.meta.url));
const WRONG =
  'This is not the token of this server, nor one that it has given. A server that draws its token has a new one after each start.';

/** What tells whoever watches over the server that it is there and ready; neither names anything of what it holds. */
const OPEN: ReadonlySet<string> = new Set(['/api/v1/health', '/api/v1/ready']);

const Words = z.object({ token: z.string().max(2048), next: z.string().max(4096).default('/') });

/** An address of this server, whatever was asked for: nobody is sent elsewhere from here. */
function inside(next: unknown): string {
  const here = 'http://here';
  if (typeof next !== 'string' || !URL.canParse(next, here)) return '/';
  const { origin, pathname, search, searchParams } = new URL(next, here);
  if (origin !== here || pathname.startsWith('//')) return '/';
  if (!searchParams.has('token')) return pathname + search;
  searchParams.delete('token');
  return `${pathname}${searchParams.size === 0 ? '' : `?${searchParams.toString()}`}`;
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The token alone, or the printed address that somebody pasted as a whole. */
const tokenIn = (text: string): string =>
  (URL.canParse(text) ? new URL(text).searchParams.get('token') : null) ?? text.trim();

function asks(req: Request): boolean {
  const isPage = !req.path.startsWith('/api/') && (req.headers.accept ?? '').includes('text/html');
  return (req.method === 'GET' || req.method === 'HEAD') && isPage;
}

/** The way in: by the printed address, by the page that asks for the token, or with what a program sends. Everything behind is locked. */
export function signIn(guard: Guard): Router {
  const router = express.Router();
  const { keys, hosts } = guard;
  if (keys === null) return router;
  const remember = (holder: Holder, req: Request, res: Response, to: string): void => {
    const secure = !hosts.schemesOf(req.headers.host).includes('http');
    res
      .append('Set-Cookie', keys.remember(holder, req.headers, secure))
      .set('Cache-Control', 'no-store')
      .redirect(303, to);
  };
  const ask = (res: Response, next: string, wrong: boolean): void => {
    res
      .set('Cache-Control', 'no-store')
      .redirect(303, `/sign-in?next=${encodeURIComponent(next)}${wrong ? '&wrong' : ''}`);
  };
  router.get('/sign-in', page(guard));
  router.post('/sign-in', express.urlencoded({ extended: false, limit: '16kb' }), (req, res) => {
    const words = Words.safeParse(req.body);
    const next = inside(words.data?.next);
    const holder = words.success ? keys.holder(tokenIn(words.data.token)) : null;
    if (holder !== null) remember(holder, req, res, next);
    else ask(res, next, true);
  });
  router.post('/sign-out', (req, res) => {
    res.append('Set-Cookie', keys.forget(req.headers)).set('Cache-Control', 'no-store').redirect(303, '/sign-in');
  });
  router.use((req, res, next) => {
    const { token } = req.query;
    const who = guard.who(req);
    const locked = who instanceof AppError ? who : null;
    if (locked !== null && locked.code !== 'TOKEN_REQUIRED' && !OPEN.has(req.path)) throw locked;
    if (asks(req) && typeof token === 'string' && !isPerson(who)) {
      const holder = keys.holder(token);
      if (holder !== null) remember(holder, req, res, inside(req.originalUrl));
      else if (locked === null) res.redirect(303, inside(req.originalUrl));
      else ask(res, inside(req.originalUrl), true);
    } else if (locked === null || OPEN.has(req.path)) next();
    else if (asks(req) && req.headers['sec-fetch-dest'] === 'iframe' && guard.framing.isOpen(req.originalUrl))
      sayWhere(req, res, guard);
    else if (asks(req)) ask(res, inside(req.originalUrl), false);
    else throw locked;
  });
  return router;
}

/** Whom a proxy has named stays who they are, whatever token they show. */
const isPerson = (who: Holder | AppError): boolean => !(who instanceof AppError) && who.via === 'proxy';

/** In a frame nobody types a token: what they see must not be able to ask for one. */
function sayWhere(req: Request, res: Response, { framing, hosts }: Guard): void {
  const [scheme = 'http'] = hosts.schemesOf(req.headers.host);
  res
    .status(401)
    .set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; frame-ancestors ${framing.ancestors(req.originalUrl)}`,
    })
    .type('text/plain')
    .send(`Paceline shows this figure to those who are signed in: ${scheme}://${req.headers.host ?? ''}/sign-in\n`);
}

function page(guard: Guard): RequestHandler {
  return (req, res) => {
    const next = inside(req.query['next']);
    if (guard.caller(req) !== null) {
      res.redirect(303, next);
      return;
    }
    const wrong = req.query['wrong'] !== undefined;
    const html = PAGE.html
      .replaceAll('{{next}}', () => escaped(next))
      .replace('{{fault}}', wrong ? WRONG : '')
      .replace('{{invalid}}', String(wrong));
    res.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': PAGE.policy }).type('html').send(html);
  };
}
