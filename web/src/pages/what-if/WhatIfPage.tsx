// One run that follows the hand: every place of a slider is simulated in this page, and what was there before stays in sight behind it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import type { ExperimentSpec } from '#protocol/spec';
import { shortened } from '#protocol/text';
import { startExperiment } from '../../api/actions';
import { enginesQuery, tracesQuery } from '../../api/queries';
import { weightsQuery } from '../../api/weights';
import { engines } from '../../engine/engines';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { LiveOnly } from '../../share/frozen';
import { Button, IconButton } from '../../ui/button';
import { CodeDialog } from '../../ui/code-dialog';
import { CopyButton } from '../../ui/copy-button';
import { Loading, ProblemNotice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import type { Made } from '../../what-if/make';
import type { Known, Place } from '../../what-if/plan';
import { traceOf } from '../../what-if/trace-of';
import { useSweep, type Sweep } from '../../what-if/use-sweep';
import { firstCell } from '../../what-if/one-cell';
import { useWhatIf } from '../../what-if/use-what-if';
import { runCommand } from '../command';
import { nameRun } from '../run/describe';
import { Controls } from './Controls';
import { firstSpec } from './first-spec';
import { SweepStrip } from './SweepStrip';
import { useMoved } from './use-moved';
import { WHAT_IF_SEARCH } from './what-if-search';
import { WhatIfProblem } from './WhatIfProblem';
import { WhatIfRun } from './WhatIfRun';
import page from '../../ui/page.module.css';
import css from './what-if.module.css';

const RUNS = { label: 'Runs', to: '/runs' };

export function WhatIfPage() {
  useCrumbs('What if', RUNS);
  // Fetched while what there is to move is; whoever runs it says why it cannot be had.
  useEffect(() => void engines().catch(() => undefined), []);
  const listing = useQuery(enginesQuery);
  const traces = useQuery(tracesQuery);
  const weights = useQuery(weightsQuery);
  const error = listing.error ?? traces.error ?? weights.error;
  const known = useMemo<Known | null>(
    () =>
      listing.data === undefined || traces.data === undefined || weights.data === undefined
        ? null
        : { listing: listing.data, traces: traces.data, weights: weights.data },
    [listing.data, traces.data, weights.data],
  );
  if (error !== null)
    return (
      <PageProblem
        what="What if"
        parent={RUNS}
        error={error}
        onRetry={() => void Promise.all([listing.refetch(), traces.refetch(), weights.refetch()])}
      />
    );
  return known === null ? <Loading label="Loading what there is to move" rows={6} /> : <WhatIf known={known} />;
}

function WhatIf({ known }: { readonly known: Known }) {
  const searchState = useSearchState(WHAT_IF_SEARCH);
  const { search, misread, setSearch } = searchState;
  const { role, rep } = search;
  const place = useMemo<Place>(() => ({ role, repetition: rep }), [role, rep]);
  const asked = useMemo(() => firstCell(search.spec ?? firstSpec(known.traces), known.listing), [search.spec, known]);
  const { now, before, problem, busy, ask } = useWhatIf(known, place);
  const period_ms = now === null ? null : (traceOf(now.spec, known.traces)?.info.period_ms ?? null);
  const sweep = useSweep(search.sweep, now, known, period_ms);
  const onSweep = useCallback((id: string) => setSearch({ sweep: id }), [setSearch]);
  const rest = useCallback((spec: ExperimentSpec) => setSearch({ spec }), [setSearch]);
  const ccas = useMemo(() => new Map(known.listing.ccas.map((cca) => [cca.id, cca])), [known.listing]);
  const title = now === null ? null : nameRun({ manifest: now.run.manifest, experiments: [] }, ccas).title;
  return (
    <>
      <PageHead title="What if" actions={now === null ? null : <Actions made={now} name={title ?? 'What if'} />}>
        {title ?? 'Move something: every place is simulated here, in this page.'}
      </PageHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        {problem === null ? null : <WhatIfProblem problem={problem} />}
      </div>
      <div className={css['layout']}>
        <div className={css['side']} role="group" aria-label="What can be moved">
          <Moving {...{ asked, known, sweep }} onMove={ask} onRest={rest} swept={search.sweep} onSweep={onSweep} />
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
}

/** The places that a hand goes through concern nothing but the controls until there is a run of them. */
const Moving = memo(function Moving({ asked, known, onMove, onRest, swept, sweep, onSweep }: MovingProps) {
  const { spec, move } = useMoved(asked, onMove, onRest);
  return (
    <Controls
      spec={spec}
      change={move}
      listing={known.listing}
      traces={known.traces}
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

/** What becomes of a run that is worth it. */
function Actions({ made, name }: { readonly made: Made; readonly name: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [keeping, setKeeping] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const { role, repetition } = made.place;
  const keep = async (): Promise<void> => {
    setKeeping(true);
    try {
      const record = await startExperiment(queries, { ...made.spec, name: shortened(name, LABEL_LIMITS.name.max) });
      const run = record.runs.find((one) => one.role === role && one.repetition === repetition);
      if (run !== undefined) await navigate({ to: '/r/$id', params: { id: run.id } });
    } catch (error) {
      setFault(error);
    } finally {
      setKeeping(false);
    }
  };
  return (
    <>
      <CopyButton icon="share" text={() => window.location.href}>
        Copy link
      </CopyButton>
      <Button icon="braces" onPress={() => setOpen(true)}>
        Manifest
      </Button>
      <LiveOnly>
        <Button kind="primary" icon="download" isDisabled={keeping} onPress={() => void keep()}>
          Keep
        </Button>
      </LiveOnly>
      {fault === null ? null : <ProblemNotice error={fault} />}
      {open ? (
        <CodeDialog
          title="Manifest"
          text={JSON.stringify(made.run.manifest, null, 2)}
          command={runCommand(made.spec)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
