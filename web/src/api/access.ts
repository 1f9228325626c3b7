// As whom one asks, who else may, and what was done.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  Caller,
  DeedList,
  MadeToken,
  TokenList,
  TokenRecord,
  UserList,
  UserRecord,
  type NewTokenInput,
  type PrivateKind,
  type SetUser,
} from '#protocol/access';
import { HoldingList } from '#protocol/holdings';
import { hasServer } from './ask';
import { call } from './client';

export const callerQuery = queryOptions({
  queryKey: ['caller'],
  queryFn: ({ signal }) => call('/caller', Caller, { signal }),
  enabled: hasServer(),
  staleTime: 60_000,
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await call('/tokens', TokenList, { signal })).tokens,
});

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call('/users', UserList, { signal }),
});

export const LAST_DEEDS = 30;
export const deedsQuery = queryOptions({
  queryKey: ['deeds'],
  queryFn: async ({ signal }) => (await call(`/deeds?limit=${LAST_DEEDS}`, DeedList, { signal })).deeds,
});

export const holdingsQuery = queryOptions({
  queryKey: ['holdings'],
  queryFn: ({ signal }) => call('/holdings', HoldingList, { signal }),
});

const changed = (queries: QueryClient): Promise<unknown> =>
  Promise.all([tokensQuery, usersQuery, deedsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));

export interface PrivateThing {
  readonly kind: PrivateKind;
  readonly id: string;
  readonly name: string;
}

/** All who may look see it from now on. */
export async function publish(queries: QueryClient, { kind, id }: PrivateThing): Promise<void> {
  await call(`/${kind}s/${id}/publish`, z.object({ id: z.string() }), { method: 'POST' });
  await queries.invalidateQueries({ queryKey: [`${kind}s`] });
}

export async function giveToken(queries: QueryClient, token: NewTokenInput): Promise<MadeToken> {
  const made = await call('/tokens', MadeToken, { method: 'POST', body: token });
  void changed(queries);
  return made;
}

export async function revokeToken(queries: QueryClient, id: string): Promise<void> {
  await call(`/tokens/${id}`, TokenRecord, { method: 'DELETE' });
  await changed(queries);
}

export async function setUser(queries: QueryClient, user: SetUser): Promise<void> {
  await call('/users', UserRecord, { method: 'POST', body: user });
  await changed(queries);
}

export async function removeUser(queries: QueryClient, name: string): Promise<void> {
  await call(`/users/${encodeURIComponent(name)}`, UserRecord, { method: 'DELETE' });
  await changed(queries);
}
