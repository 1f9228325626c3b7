// Editing a trace: steps on it, each with a small form; the capacity before and after; saved as a trace of its own that knows its source.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TraceRecord } from '#protocol/api';
import type { EditStep } from '#protocol/edit';
import { editTrace } from '../../api/actions';
import { asApiError } from '../../api/client';
import { traceQuery, tracesQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/fields';
import { Loading, ProblemNotice } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { PageHead, SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { usePageId } from '../page-id';
import { EditChart } from './EditChart';
import { EditFacts } from './EditFacts';
import { StepCard } from './StepCard';
import { finished, moved, OPERATIONS, OPS, type Op, type Span, spanOf, stepsText, withSpan } from './steps';
import { useEditSketch, useSettled } from './use-edit-sketch';
import css from './edit.module.css';

const SEARCH = { steps: { codec: stepsText, initial: [] as EditStep[] } };
const NONE: readonly EditStep[] = [];

export function EditPage() {
  const id = usePageId();
  const trace = useQuery(traceQuery(id));
  const parent = { label: trace.data?.name ?? 'Trace', to: `/traces/${id}` };
  useCrumbs('Edit', parent);
  if (trace.isPending) return <Loading label="Loading the trace" rows={3} height={120} />;
  if (trace.isError)
    return <PageProblem what="This trace" parent={parent} error={trace.error} onRetry={() => void trace.refetch()} />;
  return <Editor key={trace.data.id} trace={trace.data} />;
}

/** `steps.2.to_ms` of a refusal: the step, and the parameter. */
function placeOf(error: unknown): { readonly step: number; readonly key: string; readonly text: string } | null {
  const { problem } = asApiError(error);
  const [, step, key = ''] = /^steps\.(\d+)(?:\.(\w+))?$/.exec(problem.where ?? '') ?? [];
  return step === undefined ? null : { step: Number(step), key, text: problem.detail };
}

function Editor({ trace }: { readonly trace: TraceRecord }) {
  const { search, misread, setSearch } = useSearchState(SEARCH);
  const { steps } = search;
  const [past, setPast] = useState<readonly (readonly EditStep[])[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [selected, setSelected] = useState<Span | null>(null);
  const [name, setName] = useState(`${trace.name}, edited`);
  const change = (next: readonly EditStep[], active: number | null): void => {
    setPast((before) => [...before, steps]);
    setSearch({ steps: [...next] }, { replace: true });
    setChosen(active);
  };
  const undo = (): void => {
    setSearch({ steps: [...(past.at(-1) ?? [])] }, { replace: true });
    setPast((before) => before.slice(0, -1));
    setChosen(null);
  };
  const active = Math.min(chosen ?? steps.length - 1, steps.length - 1);

  const step = steps[active];

  const settled = useSettled(steps);
  const asked = useMemo(() => finished(settled), [settled]);
  const [upTo, through] = useMemo(
    () => (active < 0 ? [NONE, NONE] : [asked.slice(0, active), asked.slice(0, active + 1)]),
    [asked, active],
  );
  const before = useEditSketch(trace.id, upTo);
  const after = useEditSketch(trace.id, through);
  const all = useEditSketch(trace.id, asked);
  const fault = all.isError ? placeOf(all.error) : null;
  const sound = useEditSketch(
    trace.id,
    useMemo(() => asked.slice(0, fault?.step ?? 0), [asked, fault?.step]),
  );
  // A step that cannot be made leaves what was there before it in sight.
  const shown = after.data ?? before.data ?? sound.data;
  const made = after.data !== undefined && step !== undefined;
  const beforeStep = before.data === undefined && fault !== null ? fault.step : active;
  const lengths = all.data?.lengths_ms ?? [trace.info.period_ms];

  const traces = useQuery(tracesQuery);
  const view = useMemo(() => new TimeView({ extent: [0, trace.info.period_ms / 1000] }), [trace]);
  const lengthMs = (before.data ?? sound.data)?.period_ms ?? trace.info.period_ms;
  const span = step === undefined ? selected : (spanOf(step) ?? selected);
  const onSpan = (next: Span | null): void => {
    setSelected(next);
    if (step !== undefined && next !== null && withSpan(step, next) !== step)
      change(steps.with(active, withSpan(step, next)), active);
  };
  const add = (op: Op): void => {
    const length = lengths.at(-1) ?? trace.info.period_ms;
    // A selection belongs to the trace it was drawn on: that of the last step.
    const fresh = OPERATIONS[op].fresh(length, active === steps.length - 1 ? selected : null);
    setSelected(null);
    change([...steps, fresh], steps.length);
  };

  const queries = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => editTrace(queries, trace.id, { name, description: '', steps }),
    onSuccess: ({ id }) => void navigate({ to: '/traces/$id', params: { id } }),
  });
  const complete = steps.length > 0 && asked.length === steps.length && !all.isError && name.trim() !== '';

  return (
    <>
      <PageHead title={`Edit ${trace.name}`}>
        Steps are made one after the other, on a copy:{' '}
        <Link to="/traces/$id" params={{ id: trace.id }}>
          the trace itself
        </Link>{' '}
        stays as it is. Select a part under the chart, or type times.
      </PageHead>
      <SearchNotice misread={misread} />
      <div className={css['editor']}>
        <form
          className={css['controls']}
          onSubmit={(event) => {
            event.preventDefault();
            if (complete) save.mutate();
          }}
        >
          <div className={css['bar']}>
            <MenuButton
              icon="plus"
              entries={OPS.map((op) => ({ id: op, label: OPERATIONS[op].label, onAction: () => add(op) }))}
            >
              Add a step
            </MenuButton>
            <Button kind="quiet" icon="retry" isDisabled={past.length === 0} onPress={undo}>
              Undo
            </Button>
          </div>
          <h2 className="visually-hidden">Steps</h2>
          {steps.length === 0 ? (
            <p className={css['hint']}>No steps yet. The chart shows the trace as it is.</p>
          ) : (
            <ol className={css['steps']} aria-label="Steps">
              {steps.map((each, place) => (
                <StepCard
                  key={place}
                  step={each}
                  place={place}
                  last={place === steps.length - 1}
                  active={place === active}
                  lengthMs={fault === null || place < fault.step ? lengths[place + 1] : undefined}
                  traces={traces.data ?? []}
                  error={fault?.step === place ? fault : null}
                  onFocus={() => setChosen(place)}
                  onChange={(next) => change(steps.with(place, next), place)}
                  onMove={(by) => change(moved(steps, place, place + by), place + by)}
                  onRemove={() => change(steps.toSpliced(place, 1), null)}
                />
              ))}
            </ol>
          )}
          <TextField label="Name" value={name} onChange={setName} />
          <div className={css['bar']}>
            <Button kind="primary" type="submit" isDisabled={!complete || save.isPending}>
              Save as a trace
            </Button>
          </div>
          {save.isError ? <ProblemNotice error={save.error} /> : null}
        </form>
        <div className={css['result']}>
          {all.isError && fault === null ? <ProblemNotice error={all.error} /> : null}
          {shown === undefined ? (
            all.isError ? null : (
              <Loading label="Making the first sketch" rows={2} height={160} />
            )
          ) : (
            <>
              <h2 className="visually-hidden">What it makes</h2>
              {steps.length > 1 ? (
                <p className={css['hint']}>
                  {made
                    ? `Before and after step ${active + 1} of ${steps.length}; the figures are those of the whole edit.`
                    : `Before step ${beforeStep + 1} of ${steps.length}, which cannot be made.`}
                </p>
              ) : null}
              <EditChart
                name={trace.name}
                before={made ? (before.data ?? null) : null}
                after={shown}
                view={view}
                lengthMs={lengthMs}
                span={span}
                onSpan={onSpan}
              />
            </>
          )}
          {all.data === undefined ? null : <EditFacts before={trace} after={all.data} />}
        </div>
      </div>
    </>
  );
}
