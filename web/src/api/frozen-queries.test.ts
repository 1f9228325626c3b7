import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call } from './client';
import { FrozenQueries } from './frozen-queries';
import { keptAnswers } from './kept-answers';
import { sampledQuery } from './sampled';
import { sparkQuery } from './sparks';

const KEPT: Readonly<Record<string, unknown>> = {
  '/things/a': { name: 'as it was' },
  '/sparks': { sparks: [{ run: 'a', capacity_mbps: [1], delivered_mbps: [null], queue_bytes: [0] }] },
  '/experiments/e/sampled': { cells: [], next: null },
};
const Thing = z.object({ name: z.string() });
const thing = (id: string) => ({
  queryKey: ['things', id],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(`/things/${id}?unknown=null`, Thing, { signal }),
});

describe('queries of a share', () => {
  const frozen = new FrozenQueries(keptAnswers(KEPT));

  it('are answered by what it has kept, whatever the query says', async () => {
    expect(await frozen.query(thing('a'))).toEqual({ name: 'as it was' });
    expect(await frozen.query(sampledQuery('e', 7))).toEqual([]);
    expect(await frozen.query(sparkQuery({ id: 'a', state: 'done' }))).toMatchObject({ capacity_mbps: [1] });
    expect(await frozen.query(sparkQuery({ id: 'b', state: 'done' }))).toBeNull();
  });

  it('ask nobody else for what it has not', async () => {
    await expect(frozen.query(thing('b'))).rejects.toMatchObject({ problem: { code: 'NOT_IN_SHARE' } });
  });

  it('leave those of the frame around it to the server', async () => {
    const live = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    await expect(live.query(thing('a'))).rejects.toMatchObject({ problem: { code: 'UNREACHABLE' } });
  });
});
