// Who asks, and whether they may: each route says what it needs, and what was done is noted.
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { mayDo, type Role } from '#protocol/access';
import { shortened } from '#protocol/text';
import type { Access } from '../access.ts';
import { AppError } from '../errors.ts';
import type { Guard } from './guard.ts';
import type { Holder } from './keys.ts';

export type Needs = Role | 'anyone';

export const neededBy = ({ method, needs }: { readonly method: string; readonly needs?: Needs }): Needs =>
  needs ?? (method === 'get' ? 'viewer' : 'author');

const CALLER = 'caller';
const DEED = 'deed';
const LONGEST_DEED = 200;

/** Null: somebody without a token, where one is asked for. */
export const callerOf = (res: Response): Holder | null => (res.locals[CALLER] as Holder | null | undefined) ?? null;

/** Finds out who asks. */
export const callers =
  (guard: Guard): RequestHandler =>
  (req, res, next) => {
    res.locals[CALLER] = guard.caller(req);
    next();
  };

const ENOUGH: Readonly<Record<Role, string>> = {
  viewer: 'a token',
  author: 'an author’s token',
  operator: 'the operator’s token',
};

const A: Readonly<Record<Role, string>> = { viewer: 'a viewer', author: 'an author', operator: 'an operator' };

/** Turns away who may less; before anything of a body is read. */
export const onlyFor =
  (needed: Needs): RequestHandler =>
  (req, res, next) => {
    if (needed === 'anyone') {
      next();
      return;
    }
    const caller = callerOf(res);
    if (caller === null) throw new AppError('TOKEN_REQUIRED', 'this server answers to those who have a token');
    if (needed !== 'viewer' && req.method !== 'GET') res.locals[DEED] = `${req.method} ${pathOf(req)}`;
    if (!mayDo(caller.role, needed))
      throw new AppError(
        'ROLE_REFUSED',
        `this takes ${caller.via === 'proxy' ? A[needed] : ENOUGH[needed]}; ${caller.name ?? 'yours'} is ${A[caller.role]}`,
        {
          hint:
            caller.via === 'proxy'
              ? 'The operator of the server says who may what: paceline user set.'
              : 'The operator of the server gives tokens that may more: paceline token add.',
        },
      );
    next();
  };

const pathOf = ({ originalUrl }: Request): string => originalUrl.split('?', 1)[0]?.replace(/^\/api\/v1/, '') ?? '';

/** What an address does not tell of what is done there. */
export function tell(res: Response, what: string): void {
  res.locals[DEED] = `${String(res.locals[DEED])} (${what})`;
}

/** Notes what changes anything, or was to: who, what, and how it was answered. */
export const noting =
  (access: Access, log: Logger): RequestHandler =>
  (_req, res, next) => {
    res.on('finish', () => {
      const [caller, what] = [callerOf(res), res.locals[DEED] as unknown];
      if (caller === null || typeof what !== 'string') return;
      const deed = {
        by: caller.name,
        via: caller.via ?? ('token' as const),
        role: caller.role,
        what: shortened(what, LONGEST_DEED),
        status: res.statusCode,
      };
      // The log is not ours to forget: who floods what is remembered is found there.
      log.info(deed, 'done');
      try {
        access.note(deed);
      } catch (error) {
        log.warn({ err: error, what }, 'what was done could not be noted');
      }
    });
    next();
  };
