// The oracle over the link of a run: the server may have to make it, so it is asked only when somebody wants to see it.
import { queryOptions } from '@tanstack/react-query';
import { addFrames } from '../live/add-frames';
import { SampleStore } from '../live/sample-store';
import { callBytes } from './client';

export const oracleQuery = (run: string) =>
  queryOptions({
    queryKey: ['runs', run, 'oracle'],
    queryFn: async ({ signal }) => {
      const store = new SampleStore();
      addFrames(store, await callBytes(`/runs/${encodeURIComponent(run)}/oracle`, signal));
      store.markComplete();
      return store;
    },
    // A function of what the run is made of: it does not change, and is large.
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
