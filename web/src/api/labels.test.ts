// Two changes in a hurry: each is shown at once, none undoes the other, and the server hears of them in their order.
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { Labels } from '#protocol/labels';
import { changeLabels, labelsQuery, withTag } from './labels';

const thing = { kind: 'experiment', id: 'abcdefghijklmnopqrst' } as const;
const NONE = Labels.parse({ name: null, tags: [], note: '', starred: false, archived: false, deleted: null });

afterEach(() => vi.unstubAllGlobals());

it('keeps what the second adds while the first is still on its way, however late its answer comes', async () => {
  const asked: { readonly tags: readonly string[]; readonly answer: () => void }[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { readonly body: string }) => {
    const { tags } = JSON.parse(body) as { readonly tags: readonly string[] };
    return new Promise((resolve) => {
      const answer = (): void =>
        resolve(new Response(JSON.stringify({ ...NONE, tags }), { headers: { 'content-type': 'application/json' } }));
      asked.push({ tags, answer });
    });
  });
  const queries = new QueryClient();
  const { queryKey } = labelsQuery(thing);
  queries.setQueryData(queryKey, NONE);
  const tags = (): readonly string[] => queries.getQueryData(queryKey)?.tags ?? [];
  const add = (tag: string): Promise<Labels> => changeLabels(queries, thing, withTag(tag));

  const first = add('one');
  const second = add('two');
  expect(tags()).toEqual(['one', 'two']);
  // The second waits for its turn: at the server the order cannot turn round.
  await vi.waitFor(() => expect(asked.map((each) => each.tags)).toEqual([['one']]));
  asked[0]?.answer();
  await first;
  expect(tags()).toEqual(['one', 'two']);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer();
  await second;
  expect(tags()).toEqual(['one', 'two']);
});

it('adds to what the answer before it brought: somebody else may have said something meanwhile', async () => {
  const bodies: unknown[] = [];
  let stored: readonly string[] = ['theirs'];
  vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
    const change = JSON.parse(body) as { readonly tags?: readonly string[] };
    bodies.push(change);
    stored = change.tags ?? stored;
    await Promise.resolve();
    return new Response(JSON.stringify({ ...NONE, tags: stored }), { headers: { 'content-type': 'application/json' } });
  });
  const queries = new QueryClient();
  const { queryKey } = labelsQuery(thing);
  queries.setQueryData(queryKey, NONE);
  await Promise.all([changeLabels(queries, thing, { starred: true }), changeLabels(queries, thing, withTag('ours'))]);
  expect(bodies).toEqual([{ starred: true }, { tags: ['theirs', 'ours'] }]);
  expect(queries.getQueryData(queryKey)?.tags).toEqual(['theirs', 'ours']);
});
