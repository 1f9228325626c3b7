// What people say of experiments, runs and traces, and what is put away or deleted.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { Labels, TagList, type LabelKind, type LabelsChange } from '#protocol/labels';
import { call, isId } from './client';

export interface Thing {
  readonly kind: LabelKind;
  readonly id: string;
}

const pathOf = ({ kind, id }: Thing): string => `/${kind}s/${encodeURIComponent(id)}`;

/** Also of what is deleted; null: there is nothing of it, or it cannot come back. What has the form of no id is not asked for. */
export const labelsQuery = (thing: Thing) =>
  queryOptions({
    queryKey: ['labels', thing.kind, thing.id],
    queryFn: async ({ signal }) =>
      isId(thing.kind, thing.id)
        ? await call(`${pathOf(thing)}/labels?unknown=null`, Labels.nullable(), { signal })
        : null,
  });

export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await call('/tags', TagList, { signal })).tags,
});

/** Lists and pages that show it ask again; those that show others do not. */
const refresh = (queries: QueryClient, { kind, id }: Thing): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [`${kind}s`], exact: true }),
    queries.invalidateQueries({ queryKey: [`${kind}s`, id], exact: true }),
    queries.invalidateQueries({ queryKey: ['tags'] }),
  ]);

async function taken(queries: QueryClient, thing: Thing, answer: Promise<Labels>): Promise<Labels> {
  const labels = await answer;
  // Until its page knows its name, what was asked for stands there.
  await refresh(queries, thing);
  queries.setQueryData(labelsQuery(thing).queryKey, labels);
  return labels;
}

/** What is to be said, or what that is of what is said when its turn comes: a list of tags is changed, not replaced by what a page knew of it. */
export type Change = LabelsChange | ((now: Pick<Labels, 'tags'>) => LabelsChange);

export const withTag =
  (tag: string): Change =>
  ({ tags }) => ({ tags: tags.includes(tag) ? tags : [...tags, tag] });
export const withoutTag =
  (tag: string): Change =>
  ({ tags }) => ({ tags: tags.filter((other) => other !== tag) });

/** The newest change of each thing that the server was, or will be, told. */
const newest = new Map<string, Promise<Labels>>();

/** Shown at once. Changes in a hurry build on each other: they reach the server in their order, and no answer but the last one's is shown. */
export async function changeLabels(queries: QueryClient, thing: Thing, change: Change): Promise<Labels> {
  const { queryKey } = labelsQuery(thing);
  const path = pathOf(thing);
  const known = queries.getQueryData(queryKey) ?? null;
  // What is changed by what it is must be known.
  const before = known === null && typeof change === 'function' ? await queries.query(labelsQuery(thing)) : known;
  const changeOf = (now: Labels | null): LabelsChange =>
    typeof change === 'function' ? change(now ?? { tags: [] }) : change;
  if (before !== null) {
    const wanted = changeOf(before);
    const shown = wanted.name === '' ? { ...wanted, name: null } : wanted;
    queries.setQueryData(queryKey, Labels.parse({ ...before, ...shown }));
  }
  const send = (now: Labels | null): Promise<Labels> =>
    call(`${path}/labels`, Labels, { method: 'PATCH', body: changeOf(now) });
  // One that fails is told to whoever made it.
  const answer = newest.get(path)?.then(send, () => send(before)) ?? send(before);
  newest.set(path, answer);
  try {
    const labels = await answer;
    await refresh(queries, thing);
    if (newest.get(path) === answer) queries.setQueryData(queryKey, labels);
    return labels;
  } catch (error) {
    void queries.invalidateQueries({ queryKey });
    throw error;
  } finally {
    if (newest.get(path) === answer) newest.delete(path);
  }
}

/** Its own page is not asked for again: nobody should stand on it any more. */
export async function deleteThing(queries: QueryClient, thing: Thing): Promise<void> {
  const labels = await call(pathOf(thing), Labels, { method: 'DELETE' });
  queries.setQueryData(labelsQuery(thing).queryKey, labels);
  queries.removeQueries({ queryKey: [`${thing.kind}s`, thing.id], type: 'inactive' });
  await queries.invalidateQueries({ queryKey: [`${thing.kind}s`], exact: true });
}

export const restoreThing = (queries: QueryClient, thing: Thing): Promise<Labels> =>
  taken(queries, thing, call(`${pathOf(thing)}/restore`, Labels, { method: 'POST' }));

const Anything = z.unknown();

/** Weights have no page and no labels. */
export async function deleteWeights(queries: QueryClient, id: string): Promise<void> {
  await call(`/weights/${encodeURIComponent(id)}`, Anything, { method: 'DELETE' });
  await queries.invalidateQueries({ queryKey: ['weights'] });
}

export async function restoreWeights(queries: QueryClient, id: string): Promise<void> {
  await call(`/weights/${encodeURIComponent(id)}/restore`, Anything, { method: 'POST' });
  await queries.invalidateQueries({ queryKey: ['weights'] });
}
