// Own algorithms that the server keeps (docs/own-algorithms.md): all of their versions, one with its text, and a new one.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { OwnAlgorithm, OwnAlgorithmList, OwnAlgorithmText, OwnCcaId } from '#protocol/own-algorithm';
import { API } from './ask';
import { ApiError, call } from './client';
import { enginesQuery } from './queries';

export const algorithmsQuery = queryOptions({
  queryKey: ['algorithms'],
  queryFn: async ({ signal }) => (await call('/algorithms', OwnAlgorithmList, { signal })).algorithms,
});

const unknown = (id: string): ApiError =>
  new ApiError({
    type: 'urn:paceline:problem:algorithm-unknown',
    title: 'There is no such algorithm on this server',
    status: 404,
    code: 'ALGORITHM_UNKNOWN',
    detail: `This server keeps no text whose hash begins with ${id.replace(/^own-/, '')}.`,
    hint: 'If you were sent this link, ask whether it was copied whole, and which server it is of.',
  });

export const algorithmQuery = (id: string) =>
  queryOptions({
    queryKey: ['algorithms', id],
    queryFn: async ({ signal }) => {
      const known = OwnCcaId.safeParse(id).success;
      const found = known
        ? await call(`/algorithms/${id}?unknown=null`, OwnAlgorithmText.nullable(), { signal })
        : null;
      if (found === null) throw unknown(id);
      return found;
    },
    staleTime: Infinity,
    retry: false,
  });

async function changed(queries: QueryClient): Promise<void> {
  await Promise.all(
    [algorithmsQuery.queryKey, enginesQuery.queryKey].map((queryKey) =>
      queries.invalidateQueries({ queryKey, exact: true }),
    ),
  );
}

/** The same text is the same version. */
export async function keepAlgorithm(queries: QueryClient, text: string): Promise<OwnAlgorithm> {
  const file = new Blob([text]);
  const kept = await call('/algorithms', OwnAlgorithm, { method: 'POST', file, fileType: 'text/plain' });
  await changed(queries);
  return kept;
}

export async function deleteAlgorithm(queries: QueryClient, id: string): Promise<void> {
  await call(`/algorithms/${id}`, z.unknown(), { method: 'DELETE' });
  await changed(queries);
}

export async function restoreAlgorithm(queries: QueryClient, id: string): Promise<void> {
  await call(`/algorithms/${id}/restore`, z.unknown(), { method: 'POST' });
  await changed(queries);
}

/** The C++ that it would be. */
export const skeletonUrl = (id: string): string => `${API}/algorithms/${id}/skeleton`;
