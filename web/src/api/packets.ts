// Runs packet by packet: the server makes a run again to tell, so it is asked only when somebody wants to see it.
import { queryOptions } from '@tanstack/react-query';
import { PacketWindow, QueueByFlow } from '#protocol/packets';
import { factsOf } from '../packets/facts';
import { call } from './client';

const path = (run: string): string => `/runs/${encodeURIComponent(run)}`;

export const packetsQuery = (run: string, [from_s, to_s]: readonly [number, number]) =>
  queryOptions({
    queryKey: ['runs', run, 'packets', from_s, to_s],
    queryFn: async ({ signal }) =>
      factsOf(await call(`${path(run)}/packets?from_s=${from_s}&to_s=${to_s}`, PacketWindow, { signal })),
    // A run that is over does not change, and a window of it is large.
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });

export const queueByFlowQuery = (run: string) =>
  queryOptions({
    queryKey: ['runs', run, 'queue by flow'],
    queryFn: ({ signal }) => call(`${path(run)}/queue-by-flow`, QueueByFlow, { signal }),
    staleTime: Infinity,
    retry: false,
  });
