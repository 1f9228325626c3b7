// Figures below it name the owners of the traces that they come from, where these have to be named.
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { isToBeNamed, traceOwner, tracesOfSpec } from '#analysis/trace-owners';
import type { ExperimentSpec } from '#protocol/spec';
import { traceQuery, tracesQuery } from '../api/queries';
import { OwnersContext } from '../plots/provenance';

interface TraceOwnersProps {
  /** Content hashes. */
  readonly of: readonly string[];
  readonly children: ReactNode;
}

export function TraceOwners({ of, children }: TraceOwnersProps) {
  const traces = useQueries({
    queries: of.map((id) => traceQuery(id)),
    // Of those that are not here any more nothing is known.
    combine: (results) => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  const owners = useMemo(() => traces.filter(isToBeNamed).map(traceOwner), [traces]);
  return <OwnersContext value={owners}>{children}</OwnersContext>;
}

interface SpecOwnersProps {
  readonly spec: ExperimentSpec;
  readonly children: ReactNode;
}

/** The same of an experiment, which may have very many. */
export function SpecOwners({ spec, children }: SpecOwnersProps) {
  const { data: traces } = useQuery(tracesQuery);
  const owners = useMemo(() => {
    const used = new Set(tracesOfSpec(spec));
    return (traces ?? []).filter((trace) => used.has(trace.id) && isToBeNamed(trace)).map(traceOwner);
  }, [spec, traces]);
  return <OwnersContext value={owners}>{children}</OwnersContext>;
}
