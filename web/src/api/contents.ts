// What manifests name by hash, as an engine in the page takes it: fetched once.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { callBytes } from './client';

const PATHS = { traces: 'content', weights: 'file' } as const;
type Kind = keyof typeof PATHS;

const contentQuery = (kind: Kind, id: string) =>
  queryOptions({
    queryKey: [kind, id, 'content'],
    queryFn: ({ signal }) => callBytes(`/${kind}/${encodeURIComponent(id)}/${PATHS[kind]}`, signal),
    staleTime: Infinity,
    retry: false,
  });

/** Of stored traces or weights files, by their hashes. Rejects with an ApiError. */
export const contentsOf = async (
  queries: QueryClient,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> =>
  new Map(await Promise.all(ids.map(async (id) => [id, await queries.query(contentQuery(kind, id))] as const)));
