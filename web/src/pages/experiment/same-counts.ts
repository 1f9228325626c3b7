// The list of experiments (home page, top bar) is asked for now and then, an open experiment is told of every run: while it is open
// its own counts stand in the list too, so that no two places of the page say different numbers.
import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { ExperimentListItem, ExperimentRecord } from '#protocol/api';
import { experimentQuery, experimentsQuery } from '../../api/queries';

type Counts = Pick<ExperimentListItem, 'state' | 'runs_done' | 'runs_failed' | 'runs_total'>;
const COUNTS = ['state', 'runs_done', 'runs_failed', 'runs_total'] as const satisfies readonly (keyof Counts)[];

/** The list with the counts of the record; the same list when it has them already. */
export function withCounts(
  list: readonly ExperimentListItem[],
  record: Pick<ExperimentRecord, 'id'> & Counts,
): readonly ExperimentListItem[] {
  const { state, runs_done, runs_failed, runs_total } = record;
  const differs = (item: ExperimentListItem): boolean =>
    item.id === record.id && COUNTS.some((count) => item[count] !== record[count]);
  return list.some(differs)
    ? list.map((item) => (differs(item) ? { ...item, state, runs_done, runs_failed, runs_total } : item))
    : list;
}

/** Keeps them the same until the returned function is called. */
export function keepCountsSame(queries: QueryClient, id: string): () => void {
  const own = experimentQuery(id).queryKey;
  const all = experimentsQuery.queryKey;
  const sync = (): void => {
    const [record, list] = [queries.getQueryData(own), queries.getQueryData(all)];
    if (record === undefined || list === undefined) return;
    const next = withCounts(list, record);
    if (next !== list) queries.setQueryData(all, [...next]);
  };
  sync();
  const hashes = [hashKey(own), hashKey(all)];
  return queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && hashes.includes(event.query.queryHash)) sync();
  });
}
