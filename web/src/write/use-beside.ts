// Other algorithms over the link of a run: made once for each link, however often the run's own text is changed.
import { useQueries, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { patiently } from '../ui/lazy-part';
import { specText } from '../what-if/address';
import type { Made } from '../what-if/make';
import type { Known } from '../what-if/plan';

/** A link that is moved on has others; those of places left behind are let go of soon. */
const KEPT_MS = 10_000;

/** As `spec`, but another algorithm's with its usual parameters. */
const withCca = (spec: ExperimentSpec, id: string): ExperimentSpec => ({ ...spec, ccas: [{ id, params: {} }] });

/** `known`: the same as long as the server knows the same. Those that cannot be run over this link are left out. */
export function useBeside(known: Known, now: Made | null, ids: readonly string[]): readonly Made[] {
  const queries = useQueryClient();
  const results = useQueries({
    queries: (now === null ? [] : ids).map((id) => {
      const spec = now === null ? null : withCca(now.spec, id);
      return {
        queryKey: ['write', 'beside', spec === null ? '' : specText(spec), now?.place],
        queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Made> => {
          if (spec === null || now === null) throw new Error('there is no such run');
          const { make } = await patiently(() => import('../what-if/make'));
          const question = { spec, place: now.place, askedMs: performance.now() };
          const answer = await make(queries, known, question, signal);
          if (answer?.kind !== 'made') throw new Error('it cannot be run over this link');
          return answer;
        },
        placeholderData: keepPreviousData<Made>,
        structuralSharing: false,
        staleTime: Infinity,
        gcTime: KEPT_MS,
        retry: false,
      };
    }),
  });
  const made = results.flatMap(({ data }, i) => (data !== undefined && data.spec.ccas[0]?.id === ids[i] ? [data] : []));
  return useSame(made);
}

/** The same list as long as it has the same in it. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  const isSame = kept.length === list.length && kept.every((one, i) => one === list[i]);
  if (!isSame) setKept(list);
  return isSame ? kept : list;
}
