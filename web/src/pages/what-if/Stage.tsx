// The controls beside the run that follows them: the same on every page where something is moved.
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import { IconButton } from '../../ui/button';
import { Loading } from '../../ui/notice';
import { SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import type { Made } from '../../what-if/make';
import { firstCell } from '../../what-if/one-cell';
import type { Known, Place } from '../../what-if/plan';
import { traceOf } from '../../what-if/trace-of';
import { useSweep, type Sweep } from '../../what-if/use-sweep';
import { useWhatIf } from '../../what-if/use-what-if';
import { Controls } from './Controls';
import { SweepStrip } from './SweepStrip';
import { useMoved } from './use-moved';
import { WHAT_IF_SEARCH } from './what-if-search';
import { WhatIfProblem } from './WhatIfProblem';
import { WhatIfRun } from './WhatIfRun';
import page from '../../ui/page.module.css';
import css from './what-if.module.css';

interface StageProps {
  readonly known: Known;
  /** Where the address says nothing. */
  readonly first: ExperimentSpec;
  /** Ids of what can be moved; absent: all of it. */
  readonly offers?: readonly string[];
  /** Above both, with the run that is shown; null: none yet. */
  readonly head: (now: Made | null) => ReactNode;
}

export function Stage({ known, first, offers, head }: StageProps) {
  const searchState = useSearchState(WHAT_IF_SEARCH);
  const { search, misread, setSearch } = searchState;
  const { role, rep } = search;
  const place = useMemo<Place>(() => ({ role, repetition: rep }), [role, rep]);
  const asked = useMemo(() => firstCell(search.spec ?? first, known.listing), [search.spec, first, known]);
  const { now, before, problem, busy, ask } = useWhatIf(known, place);
  const period_ms = now === null ? null : (traceOf(now.spec, known.traces)?.info.period_ms ?? null);
  const sweep = useSweep(search.sweep, now, known, period_ms);
  const onSweep = useCallback((id: string) => setSearch({ sweep: id }), [setSearch]);
  const rest = useCallback((spec: ExperimentSpec) => setSearch({ spec }), [setSearch]);
  return (
    <>
      {head(now)}
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        {problem === null ? null : <WhatIfProblem problem={problem} />}
      </div>
      <div className={css['layout']}>
        <div className={css['side']} role="group" aria-label="What can be moved">
          <Moving
            {...{ asked, known, sweep, offers }}
            onMove={ask}
            onRest={rest}
            swept={search.sweep}
            onSweep={onSweep}
          />
        </div>
        <div className={css['main']}>
          {now === null ? (
            problem === null && <Loading label="Fetching the engine" rows={8} />
          ) : (
            <WhatIfRun
              band={sweep?.band ?? undefined}
              now={now}
              before={before}
              busy={busy}
              listing={known.listing}
              searchState={searchState}
            />
          )}
        </div>
      </div>
    </>
  );
}

interface MovingProps {
  readonly asked: ExperimentSpec;
  readonly known: Known;
  readonly onMove: (spec: ExperimentSpec, begins: boolean) => void;
  readonly onRest: (spec: ExperimentSpec) => void;
  /** The knob whose whole range is asked for, and what there is of it. */
  readonly swept: string;
  readonly sweep: Sweep | null;
  readonly onSweep: (id: string) => void;
  readonly offers: readonly string[] | undefined;
}

/** The places that a hand goes through concern nothing but the controls until there is a run of them. */
const Moving = memo(function Moving({ asked, known, onMove, onRest, swept, sweep, onSweep, offers }: MovingProps) {
  const { spec, move } = useMoved(asked, onMove, onRest);
  return (
    <Controls
      spec={spec}
      change={move}
      listing={known.listing}
      traces={known.traces}
      offers={offers}
      above={(knob) => (sweep?.knob === knob.id ? <SweepStrip knob={knob} sweep={sweep} /> : null)}
      aside={({ id, label }) => (
        <IconButton
          size="small"
          icon="trace"
          kind={swept === id ? 'primary' : 'quiet'}
          aria-pressed={swept === id}
          label={`Whole range of ${label}`}
          onPress={() => onSweep(swept === id ? '' : id)}
        />
      )}
    />
  );
});
