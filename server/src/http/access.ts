import { z } from 'zod';
import { Caller, DeedList, DeedQuery, MadeToken, NewToken, TokenId, TokenList, TokenRecord } from '#protocol/access';
import type { Lab } from '../lab.ts';
import { callerOf, tell } from './callers.ts';
import type { Guard } from './guard.ts';
import { defineRoute, reply, type Route } from './route.ts';

/** @param asks whether the server asks for a token */
export const accessRoutes = ({ access }: Lab, asks: boolean): Route[] => [
  defineRoute({
    method: 'get',
    path: '/caller',
    tag: 'access',
    summary: 'As whom one asks, and what that may do',
    answers: { 200: { description: 'Role and name of the token', schema: Caller } },
    errors: [],
    handle: (_input, _req, res): Caller => {
      const { role, name } = callerOf(res) ?? { role: 'viewer', name: null };
      return { role, name, asks };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tokens',
    tag: 'access',
    summary: 'Who has a token',
    needs: 'operator',
    answers: { 200: { description: 'In the order in which they were made, without the tokens', schema: TokenList } },
    errors: [],
    handle: () => ({ tokens: access.list() }),
  }),
  defineRoute({
    method: 'post',
    path: '/tokens',
    tag: 'access',
    summary: 'Give a person or a program a token',
    description: 'The token is in the answer and nowhere else: of it only a hash is kept.',
    needs: 'operator',
    body: NewToken,
    answers: { 201: { description: 'With the token', schema: MadeToken } },
    errors: ['TOKEN_REFUSED', 'DISK_FULL'],
    handle: ({ body }, _req, res) => {
      tell(res, `${body.name}, ${body.role}`);
      return reply(201, access.add(body));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tokens/:id',
    tag: 'access',
    summary: 'Revoke a token',
    description: 'At once, with the browsers that have shown it; what they watch ends within 15 s.',
    needs: 'operator',
    params: z.object({ id: TokenId }),
    answers: { 200: { description: 'As it was', schema: TokenRecord } },
    errors: ['TOKEN_UNKNOWN'],
    handle: ({ params: { id } }, _req, res) => {
      const revoked = access.revoke(id);
      tell(res, revoked.name);
      return revoked;
    },
  }),
  defineRoute({
    method: 'get',
    path: '/deeds',
    tag: 'access',
    summary: 'What was done at this server, and by whom',
    description: 'The newest first; the last 100 000 are remembered.',
    needs: 'operator',
    query: DeedQuery,
    answers: { 200: { description: 'Requests that change anything, refused ones among them', schema: DeedList } },
    errors: [],
    handle: ({ query: { before, limit } }) => ({ deeds: access.deeds(before, limit) }),
  }),
];

/** Whether this server has anything to ask of who comes. */
export const asksForToken = ({ keys }: Guard): boolean => keys !== null;
