// Editing a trace: steps on it, each with a small form; the capacity before and after; saved as a trace of its own that knows its source.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TraceRecord } from '#protocol/api';
import type { EditStep } from '#protocol/edit';
import { editTrace } from '../../api/actions';
import { traceQuery, tracesQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/text-field';
import { Loading, ProblemNotice } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { PageHead, SearchNotice } from '../../ui/page';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { usePageId } from '../page-id';
import { EditChart } from './EditChart';
import { EditFacts } from './EditFacts';
import { StepList } from './StepList';
import { OPERATIONS, OPS, type Op, type Span, spanOf, withSpan } from './steps';
import { useSketches, type Sketches } from './use-sketches';
import { useSteps } from './use-steps';
import css from './edit.module.css';

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

function Editor({ trace }: { readonly trace: TraceRecord }) {
  const { steps, misread, active, change, undo, choose } = useSteps();
  const [selected, setSelected] = useState<Span | null>(null);
  const [name, setName] = useState(`${trace.name}, edited`);
  const step = steps[active];

  const sketches = useSketches(trace, steps, active);
  const { all, fault, lengths } = sketches;
  const traces = useQuery(tracesQuery);
  const view = useMemo(() => new TimeView({ extent: [0, trace.info.period_ms / 1000] }), [trace]);
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
  const complete = steps.length > 0 && sketches.asked.length === steps.length && !all.isError && name.trim() !== '';

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
            <Button kind="quiet" icon="retry" isDisabled={undo === null} onPress={() => undo?.()}>
              Undo
            </Button>
          </div>
          <h2 className="visually-hidden">Steps</h2>
          <StepList
            steps={steps}
            active={active}
            fault={fault}
            lengths={lengths}
            traces={traces.data ?? []}
            onChoose={choose}
            onChange={change}
          />
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
          <Made
            trace={trace}
            steps={steps}
            active={active}
            sketches={sketches}
            view={view}
            span={span}
            onSpan={onSpan}
          />
          {all.data === undefined ? null : <EditFacts before={trace} after={all.data} />}
        </div>
      </div>
    </>
  );
}

interface MadeProps {
  readonly trace: TraceRecord;
  readonly steps: readonly EditStep[];
  readonly active: number;
  readonly sketches: Sketches;
  readonly view: TimeView;
  readonly span: Span | null;
  readonly onSpan: (span: Span | null) => void;
}

/** The capacity before and after the step that is being looked at. */
function Made({ trace, steps, active, sketches, view, span, onSpan }: MadeProps) {
  const { before, shown, made, beforeStep, lengthMs, all } = sketches;
  if (shown === undefined)
    return all.isError ? null : <Loading label="Making the first sketch" rows={2} height={160} />;
  return (
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
  );
}
