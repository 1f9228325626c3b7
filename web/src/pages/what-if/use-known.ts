// What the server knows that a run is planned with, and the engine on its way.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { enginesQuery, tracesQuery } from '../../api/queries';
import { weightsQuery } from '../../api/weights';
import { engines } from '../../engine/engines';
import type { Known } from '../../what-if/plan';

interface Knowing {
  /** null: not all of it has come. */
  readonly known: Known | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useKnown(): Knowing {
  // Fetched while what there is to move is; whoever runs it says why it cannot be had.
  useEffect(() => void engines().catch(() => undefined), []);
  const listing = useQuery(enginesQuery);
  const traces = useQuery(tracesQuery);
  const weights = useQuery(weightsQuery);
  const known = useMemo<Known | null>(
    () =>
      listing.data === undefined || traces.data === undefined || weights.data === undefined
        ? null
        : { listing: listing.data, traces: traces.data, weights: weights.data },
    [listing.data, traces.data, weights.data],
  );
  return {
    known,
    error: listing.error ?? traces.error ?? weights.error,
    retry: () => void Promise.all([listing.refetch(), traces.refetch(), weights.refetch()]),
  };
}
