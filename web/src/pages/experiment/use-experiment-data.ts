// What the figures of an experiment are drawn from, with what its address says of them: the same on its page and where one figure stands alone.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo } from 'react';
import type { ExperimentRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { runQuery, tracesQuery } from '../../api/queries';
import type { ExperimentPlotData } from '../../plots/data';
import { listText, type SearchState } from '../../ui/search';
import { HIDE_SEARCH, useSharedVisibility } from '../run/shared-visibility';
import { weightsText, type WeightMap } from './weights';

export const DATA_SEARCH = {
  ...HIDE_SEARCH,
  /** Selected cells. */
  cells: { codec: listText, initial: [] as string[] },
  w: { codec: weightsText, initial: new Map() as WeightMap },
};
type DataShape = typeof DATA_SEARCH;

interface Known {
  readonly record: ExperimentRecord;
  /** What the server made of runs that are too many for the page; absent: the record has them all. */
  readonly figures: ExperimentPlotData['figures'];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function useExperimentData<S extends DataShape>(
  { record, figures, ccas }: Known,
  { search, setSearch }: Pick<SearchState<S>, 'search' | 'setSearch'>,
): { data: ExperimentPlotData; onSelect: (cells: readonly string[]) => void; settled: boolean } {
  const { hide, cells, w: weights } = search as { hide: string[]; cells: string[]; w: WeightMap };
  const set = setSearch as SearchState<DataShape>['setSearch'];
  const traces = useQuery(tracesQuery);
  // While results pour in, the page stays responsive and shows them a moment later.
  const shown = useDeferredValue(record);
  const setHide = useCallback((keys: string[]) => set({ hide: keys }, { replace: true }), [set]);
  const visibility = useSharedVisibility(hide, setHide);
  const selected = useMemo(() => new Set(cells), [cells]);
  const onSelect = useCallback((keys: readonly string[]) => set({ cells: [...keys] }, { replace: true }), [set]);
  const known = useMemo(
    () => new Map((traces.data ?? []).flatMap((trace) => [[trace.id, trace] as const, [trace.name, trace] as const])),
    [traces.data],
  );
  // One engine for all runs: it is part of what the experiment is named by.
  const run = shown.runs[0]?.id;
  const anyRun = useQuery({ ...runQuery(run ?? ''), enabled: run !== undefined, staleTime: Infinity });
  const engineVersion = anyRun.data?.manifest.engine_version;
  const data = useMemo<ExperimentPlotData>(
    () => ({
      record: shown,
      engineVersion,
      ccas,
      figures,
      traces: known,
      weights,
      visibility,
      selected,
      onSelect,
    }),
    [shown, engineVersion, ccas, figures, known, weights, visibility, selected, onSelect],
  );
  return { data, onSelect, settled: !traces.isPending && (run === undefined || !anyRun.isPending) };
}
