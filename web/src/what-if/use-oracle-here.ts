// The oracle over the link of a run of this page, made in this page too, once a figure is asked to draw it.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { canonicalJson } from '#analysis/identity';
import { oracleManifest } from '#analysis/oracle';
import type { EngineListing } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import { asApiError } from '../api/client';
import type { OracleState } from '../plots/data';
import { simulate } from './simulate';

/** A link that is moved on has another; those of places left behind are let go of soon. */
const KEPT_MS = 10_000;

export function useOracleHere(run: RunManifest, listing: EngineListing, wanted: boolean): OracleState | undefined {
  const queries = useQueryClient();
  const manifest = useMemo(() => (wanted ? oracleManifest(run, listing) : null), [wanted, run, listing]);
  const { data, error } = useQuery({
    queryKey: ['what-if', 'oracle', manifest === null ? '' : canonicalJson(manifest)],
    queryFn: async ({ signal }) => {
      if (manifest === null) throw new Error('there is no such run');
      const { outcome, reason, store } = await simulate(queries, manifest, { listing }, signal);
      if (outcome !== 'done') throw new Error(reason ?? 'the engine did not say why');
      return store;
    },
    enabled: manifest !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: KEPT_MS,
    retry: false,
  });
  return useMemo(() => {
    if (!wanted) return undefined;
    if (manifest === null) return { state: 'refused', reason: 'no flow passes the link' };
    if (error !== null) return { state: 'refused', reason: asApiError(error).problem.detail };
    return data === undefined
      ? { state: 'asked' }
      : { state: 'known', courses: [{ runs: [0], of: 'now', samples: data }] };
  }, [wanted, manifest, error, data]);
}
