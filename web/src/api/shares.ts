// Shares: views that never change.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { NewShare, ShareAnswers, ShareList, ShareRecord, type NewShareInput } from '#protocol/share';
import { API, call, callFor } from './client';

export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: async ({ signal }) => (await call('/shares', ShareList, { signal })).shares,
});

/** Asked for once: another of the same name would be another share. */
export const shareQuery = (slug: string) =>
  queryOptions({
    queryKey: ['shares', slug],
    queryFn: ({ signal }) => callFor('share', slug, ShareAnswers, { signal, part: '/answers' }),
    staleTime: Infinity,
  });

export async function freeze(queries: QueryClient, share: NewShareInput): Promise<ShareRecord> {
  const record = await call('/shares', ShareRecord, { method: 'POST', body: NewShare.parse(share) });
  await queries.invalidateQueries({ queryKey: ['shares'], exact: true });
  return record;
}

export async function removeShare(queries: QueryClient, slug: string): Promise<void> {
  const { shares } = await call(`/shares/${slug}`, ShareList, { method: 'DELETE' });
  queries.removeQueries({ queryKey: ['shares', slug] });
  queries.setQueryData(['shares'], shares);
}

export const shareFileUrl = (slug: string): string => `${API}/shares/${slug}/file`;
