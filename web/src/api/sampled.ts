// What the samples of an experiment's runs come to. The server reads each run once, which takes a while the first time.
import { queryOptions } from '@tanstack/react-query';
import { SampledPage, type CellSampled } from '#protocol/sampled';
import { call } from './client';

/** So that what is read is kept, and is not lost when somebody leaves. */
const CELLS_A_PAGE = 25;

async function readSampled(id: string, signal: AbortSignal): Promise<readonly CellSampled[]> {
  const cells: CellSampled[] = [];
  for (let next: number | null = 0; next !== null;) {
    const path = `/experiments/${encodeURIComponent(id)}/sampled?of=spread,plane,rto&limit=${CELLS_A_PAGE}&after=${next}`;
    const page: SampledPage = await call(path, SampledPage, { signal });
    cells.push(...page.cells);
    next = page.next;
  }
  return cells;
}

/** `runsDone`: runs that are made again make it anew. */
export const sampledQuery = (id: string, runsDone: number) =>
  queryOptions({
    queryKey: ['experiments', id, 'sampled', runsDone],
    queryFn: ({ signal }) => readSampled(id, signal),
    staleTime: Infinity,
  });
