// Measurements of live connections, laid over a run.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { MeasurementList, MeasurementRecord } from '#protocol/measurement';
import { call } from './client';

const path = (run: string): string => `/runs/${encodeURIComponent(run)}/measurements`;
const keyOf = (run: string) => ['runs', run, 'measurements'] as const;

export const measurementsQuery = (run: string) =>
  queryOptions({
    queryKey: keyOf(run),
    queryFn: async ({ signal }) => (await call(path(run), MeasurementList, { signal })).measurements,
  });

export async function addMeasurement(queries: QueryClient, run: string, file: File): Promise<MeasurementRecord> {
  const record = await call(`${path(run)}?name=${encodeURIComponent(file.name)}`, MeasurementRecord, {
    method: 'POST',
    file,
  });
  await queries.invalidateQueries({ queryKey: keyOf(run) });
  return record;
}

export async function removeMeasurement(queries: QueryClient, run: string, id: string): Promise<void> {
  const { measurements } = await call(`${path(run)}/${encodeURIComponent(id)}`, MeasurementList, { method: 'DELETE' });
  queries.setQueryData(keyOf(run), measurements);
}
