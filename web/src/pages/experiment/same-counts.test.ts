import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ExperimentRecord } from '#protocol/api';
import { experimentQuery, experimentsQuery } from '../../api/queries';
import { experimentFixture } from '../../gallery/experiment-fixture';
import { traceFixture } from '../../gallery/trace-fixture';
import { keepCountsSame } from './same-counts';

const record: ExperimentRecord = {
  ...experimentFixture({ traces: [traceFixture('lte', 18, 1)], ccas: ['curve'], repetitions: 1 }),
  state: 'running',
  runs_total: 4,
  runs_done: 1,
};
const other = { ...record, id: 'another', runs_done: 3 };

describe('the counts of an experiment that is open', () => {
  it('are the same in the list, whichever of the two is newer', () => {
    const queries = new QueryClient();
    const done = () => queries.getQueryData(experimentsQuery.queryKey)?.map(({ runs_done }) => runs_done);
    queries.setQueryData(experimentsQuery.queryKey, [{ ...record, runs_done: 0 }, other]);
    queries.setQueryData(experimentQuery(record.id).queryKey, record);
    const stop = keepCountsSame(queries, record.id);
    expect(done()).toEqual([1, 3]);
    queries.setQueryData(experimentQuery(record.id).queryKey, { ...record, runs_done: 2 });
    expect(done()).toEqual([2, 3]);
    queries.setQueryData(experimentsQuery.queryKey, [{ ...record, runs_done: 4 }, other]);
    expect(done()).toEqual([2, 3]);
    stop();
    queries.setQueryData(experimentsQuery.queryKey, [{ ...record, runs_done: 4 }, other]);
    expect(done()).toEqual([4, 3]);
  });
});
