// What is moved, the run of it, the one before, and the range of a slider: what every page with such a run is made of.
import { useCallback, useMemo } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { useSearchState, type SearchState } from '../../ui/search';
import { firstCell } from '../../what-if/one-cell';
import type { Known, Place } from '../../what-if/plan';
import { traceOf } from '../../what-if/trace-of';
import { useSweep, type Sweep } from '../../what-if/use-sweep';
import { useWhatIf, type WhatIf } from '../../what-if/use-what-if';
import { WHAT_IF_SEARCH } from './what-if-search';

interface StageOptions {
  readonly known: Known;
  /** Where the address says nothing. */
  readonly first: ExperimentSpec;
  /** What the page itself settles of a spec, whatever the address says; the same function as long as it settles the same. */
  readonly settled?: ((spec: ExperimentSpec) => ExperimentSpec) | undefined;
}

export interface Staged extends WhatIf {
  readonly searchState: SearchState<typeof WHAT_IF_SEARCH>;
  readonly sweep: Sweep | null;
  /** What the controls need. */
  readonly moving: MovingParts;
}

export interface MovingParts {
  readonly asked: ExperimentSpec;
  readonly known: Known;
  readonly onMove: (spec: ExperimentSpec, begins: boolean) => void;
  readonly onRest: (spec: ExperimentSpec) => void;
  /** The knob whose whole range is asked for, and what there is of it. */
  readonly swept: string;
  readonly sweep: Sweep | null;
  readonly onSweep: (id: string) => void;
}

const same = (spec: ExperimentSpec): ExperimentSpec => spec;

export function useStage({ known, first, settled = same }: StageOptions): Staged {
  const searchState = useSearchState(WHAT_IF_SEARCH);
  const { search, setSearch } = searchState;
  const { role, rep } = search;
  const place = useMemo<Place>(() => ({ role, repetition: rep }), [role, rep]);
  const asked = useMemo(
    () => settled(firstCell(search.spec ?? first, known.listing)),
    [search.spec, first, known, settled],
  );
  const { now, before, problem, busy, ask } = useWhatIf(known, place);
  const period_ms = now === null ? null : (traceOf(now.spec, known.traces)?.info.period_ms ?? null);
  const sweep = useSweep(search.sweep, now, known, period_ms);
  const onSweep = useCallback((id: string) => setSearch({ sweep: id }), [setSearch]);
  const onRest = useCallback((spec: ExperimentSpec) => setSearch({ spec }), [setSearch]);
  const moving = { asked, known, onMove: ask, onRest, swept: search.sweep, sweep, onSweep };
  return { now, before, problem, busy, searchState, sweep, moving };
}
