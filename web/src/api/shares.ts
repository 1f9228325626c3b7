// Shares: views that never change.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { NewShare, ShareAnswers, ShareList, ShareRecord, type NewShareInput } from '#protocol/share';
import { API, hasServer } from './ask';
import { call, callBytes, callFor } from './client';

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

/** A run's control frames and samples, as the share has kept them. */
export async function loadShared(
  slug: string,
  run: string,
  signal: AbortSignal,
): Promise<{ readonly control: unknown; readonly samples: Uint8Array }> {
  const path = `/shares/${slug}/runs/${encodeURIComponent(run)}`;
  const [control, samples] = await Promise.all([
    call(`${path}/control`, z.unknown(), { signal }),
    callBytes(`${path}/samples`, signal),
  ]);
  return { control, samples };
}

/** `made`: of a share that was made in another browser, of which there can be the same here where each browser keeps its own. */
export async function freeze(
  queries: QueryClient,
  share: NewShareInput,
  made?: Pick<ShareRecord, 'created_at' | 'engine_version'>,
): Promise<ShareRecord> {
  const asked = NewShare.parse(share);
  const body = made === undefined || hasServer() ? asked : { ...asked, made };
  const record = await call('/shares', ShareRecord, { method: 'POST', body });
  await queries.invalidateQueries({ queryKey: ['shares'], exact: true });
  return record;
}

export async function removeShare(queries: QueryClient, slug: string): Promise<void> {
  const { shares } = await call(`/shares/${slug}`, ShareList, { method: 'DELETE' });
  queries.removeQueries({ queryKey: ['shares', slug] });
  queries.setQueryData(['shares'], shares);
}

export const shareFileUrl = (slug: string): string => `${API}/shares/${slug}/file`;
