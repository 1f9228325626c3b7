import { z } from 'zod';
import {
  Caller,
  DeedList,
  DeedQuery,
  MadeToken,
  NewToken,
  SetUser,
  TokenId,
  TokenList,
  TokenRecord,
  UserList,
  UserName,
  UserRecord,
} from '#protocol/access';
import type { Lab } from '../lab.ts';
import { callerOf, tell } from './callers.ts';
import type { Guard } from './guard.ts';
import { defineRoute, reply, type Route } from './route.ts';

/** How a server finds out who comes. */
export type Door = Pick<Guard, 'keys' | 'persons'>;

export const accessRoutes = (lab: Lab, door: Door): Route[] => [
  ...tokenRoutes(lab, door.keys !== null),
  ...userRoutes(lab, door),
];

/** @param asks whether the server asks who comes */
const tokenRoutes = ({ access }: Lab, asks: boolean): Route[] => [
  defineRoute({
    method: 'get',
    path: '/caller',
    tag: 'access',
    summary: 'As whom one asks, and what that may do',
    answers: { 200: { description: 'Role and name of the token or the person', schema: Caller } },
    errors: [],
    handle: (_input, _req, res): Caller => {
      const { role, name, via } = callerOf(res) ?? { role: 'viewer', name: null, via: null };
      return { role, name, asks, via };
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

const userRoutes = ({ access }: Lab, { persons }: Door): Route[] => [
  defineRoute({
    method: 'get',
    path: '/users',
    tag: 'access',
    summary: 'What persons may whom the proxy in front names',
    needs: 'operator',
    answers: { 200: { description: 'Those whose role was set, by name', schema: UserList } },
    errors: [],
    handle: (): UserList => ({
      users: access.users(),
      proxied: persons !== null,
      default_role: persons?.defaultRole ?? 'none',
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/users',
    tag: 'access',
    summary: 'Say what a person may',
    description: 'From their next request on; with `none` they are turned away, and what they watch ends within 15 s.',
    needs: 'operator',
    body: SetUser,
    answers: { 200: { description: 'As it is now', schema: UserRecord } },
    errors: ['TOO_MANY_USERS', 'DISK_FULL'],
    handle: ({ body }, _req, res) => {
      tell(res, `${body.name}, ${body.role}`);
      return access.setUser(body);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/users/:name',
    tag: 'access',
    summary: 'Say nothing of a person any more',
    description: 'They may what everybody may of whom nothing is said (serve --default-role).',
    needs: 'operator',
    params: z.object({ name: UserName }),
    answers: { 200: { description: 'As it was', schema: UserRecord } },
    errors: ['USER_UNKNOWN'],
    handle: ({ params: { name } }, _req, res) => {
      tell(res, name);
      return access.removeUser(name);
    },
  }),
];
