// Weights files: the networks that learned algorithms run.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { WeightsList, WeightsRecord } from '#protocol/weights';
import { call } from './client';

export const weightsQuery = queryOptions({
  queryKey: ['weights'],
  queryFn: async ({ signal }) => (await call('/weights', WeightsList, { signal })).weights,
});

export async function addWeights(queries: QueryClient, file: File): Promise<WeightsRecord> {
  const record = await call('/weights', WeightsRecord, {
    method: 'POST',
    file,
    fileType: 'application/octet-stream',
  });
  await queries.invalidateQueries({ queryKey: weightsQuery.queryKey });
  return record;
}
