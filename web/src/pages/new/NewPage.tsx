// A new experiment on one page: traces, algorithms, link and run beside each other; what it will cost at the bottom.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Plan } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { startExperiment } from '../../api/actions';
import { asApiError } from '../../api/client';
import { enginesQuery, experimentQuery, runQuery, tracesQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { runFeed } from '../../live/run-feed';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { Button } from '../../ui/button';
import { type Command, useCommands } from '../../ui/commands';
import { TextField } from '../../ui/fields';
import { formatBytes, formatCount, formatEstimate, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { cx } from '../../ui/cx';
import { CcasColumn } from './CcasColumn';
import {
  automaticName,
  checkDraft,
  firstDraft,
  keepDraft,
  keptDraft,
  sameJson,
  traceRef,
  type Checked,
  type Draft,
  type Fault,
  variedBy,
} from './draft';
import { useFullScores } from './full-scores';
import { LinkColumn } from './LinkColumn';
import { OpenBundle } from './OpenBundle';
import { SpecEditor } from './SpecEditor';
import { TracesColumn } from './TracesColumn';
import page from '../../ui/page.module.css';
import css from './new.module.css';

const SEARCH = {
  /** An experiment whose spec fills the form. */
  from: { codec: text, initial: '' },
  /** A trace that is chosen already. */
  trace: { codec: text, initial: '' },
  /** `1`: switch Full scores on. */
  full: { codec: text, initial: '' },
};

export function NewPage() {
  useCrumbs('New experiment', { label: 'Experiments', to: '/' });
  const { search, setSearch } = useSearchState(SEARCH);
  const engines = useQuery(enginesQuery);
  // What fills the form is taken out of the address again: from then on a reload brings back what was changed since.
  const [filled, setFilled] = useState(search);
  if (Object.values(search).some((value) => value !== '') && !sameJson(search, filled)) setFilled(search);
  const origin = useQuery({ ...experimentQuery(filled.from), enabled: filled.from !== '' });
  const traces = useQuery(tracesQuery);
  const error = engines.error ?? origin.error ?? (filled.trace === '' ? null : traces.error);
  if (error !== null)
    return (
      <PageProblem
        what="A new experiment"
        parent={{ label: 'Experiments', to: '/' }}
        error={error}
        onRetry={() => void Promise.all([engines.refetch(), origin.refetch(), traces.refetch()])}
      />
    );
  const waiting =
    (filled.from !== '' && origin.data === undefined) || (filled.trace !== '' && traces.data === undefined);
  if (engines.data === undefined || waiting) return <Loading label="Loading the form" rows={3} height={140} />;
  const named = traces.data?.find((trace) => trace.id === filled.trace);
  const first = origin.data?.spec ?? keptDraft() ?? firstDraft(engines.data);
  return (
    <Form
      key={JSON.stringify(filled)}
      listing={engines.data}
      first={{
        ...first,
        ...(filled.full === '1' ? { full_scores: true } : {}),
        ...(named === undefined ? {} : { traces: [traceRef(named, traces.data ?? [])] }),
      }}
      onFilled={() => setSearch({ from: '', trace: '', full: '' }, { replace: true })}
    />
  );
}

interface FormProps {
  readonly listing: EngineListing;
  readonly first: Draft;
  readonly onFilled: () => void;
}

function Form({ listing, first, onFilled }: FormProps) {
  const traces = useQuery(tracesQuery);
  const [draft, setDraft] = useState(first);
  const [editing, setEditing] = useState(false);
  const change = (next: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void =>
    setDraft((previous) => ({ ...previous, ...(typeof next === 'function' ? next(previous) : next) }));
  useEffect(() => keepDraft(draft), [draft]);
  const latest = useRef(onFilled);
  useEffect(() => latest.current(), []);

  const name = automaticName(draft, listing, traces.data ?? []);
  const asked = useMemo(() => checkDraft(draft, name), [draft, name]);
  const scores = useFullScores(useDeferredValue(asked.ok ? asked.spec : null), draft.full_scores);
  const { plan } = scores;
  const whole = useMemo(() => ({ ...draft, full_scores: scores.on, vary: variedBy(draft) }), [draft, scores.on]);
  const checked = useMemo(() => checkDraft(whole, name), [whole, name]);
  const refused: readonly Fault[] = plan.error === null ? [] : (asApiError(plan.error).problem.faults ?? []);

  return (
    <>
      <PageHead
        title="New experiment"
        actions={
          <>
            <span className={css['name']}>
              <TextField
                label="Name of the experiment"
                hideLabel
                placeholder={name}
                value={draft.name}
                onChange={(next) => change({ name: next })}
              />
            </span>
            <Button kind="quiet" icon="retry" onPress={() => setDraft(firstDraft(listing))}>
              Start over
            </Button>
            <OpenBundle onOpened={({ spec }) => setDraft(spec)} />
            <Button icon="braces" onPress={() => setEditing(true)}>
              JSON
            </Button>
          </>
        }
      >
        Every trace meets every algorithm at every queue limit, as often as it is repeated.
      </PageHead>
      <div className={page['notices']}>
        {plan.error === null ? null : <ProblemNotice error={plan.error} />}
        {plan.data === undefined || plan.data.warnings.length === 0 ? null : (
          <Notice kind="warning" title="What to mind">
            {plan.data.warnings.map((warning) => (
              <div key={warning}>{warning}</div>
            ))}
          </Notice>
        )}
      </div>
      <div className={css['form']}>
        <div className={css['columns']}>
          <TracesColumn
            draft={draft}
            change={change}
            traces={traces.data}
            error={traces.error}
            onRetry={() => void traces.refetch()}
          />
          <CcasColumn draft={draft} change={change} listing={listing} error={null} onRetry={() => undefined} />
          <LinkColumn draft={draft} change={change} traces={traces.data} listing={listing} scores={scores} />
        </div>
      </div>
      <RunBar
        draft={whole}
        checked={checked}
        deciding={scores.deciding}
        plan={plan.error === null ? plan.data : undefined}
      />
      {editing ? (
        <SpecEditor draft={whole} name={name} onDraft={setDraft} refused={refused} onClose={() => setEditing(false)} />
      ) : null}
    </>
  );
}

/** What a new form still lacks is no fault. */
const CHOOSE = ['traces', 'ccas', 'buffers', 'queues'];

/** What the axes multiply to, and each in words. */
function sumOf(draft: Draft): { readonly product: number; readonly factors: readonly string[] } {
  const swept = draft.sweep?.values ?? [];
  const transports = draft.transports?.length ?? 1;
  const axes = [draft.traces, draft.ccas, draft.buffers, draft.queues, draft.base_rtt_ms, draft.loss];
  const product = axes.reduce(
    (all, axis) => all * axis.length,
    draft.repetitions * transports * Math.max(1, swept.length),
  );
  const factors = [
    plural(draft.traces.length, 'trace'),
    plural(draft.ccas.length, 'algorithm'),
    plural(draft.buffers.length, 'limit'),
    ...(draft.queues.length > 1 ? [plural(draft.queues.length, 'discipline')] : []),
    ...(draft.base_rtt_ms.length > 1 ? [plural(draft.base_rtt_ms.length, 'base RTT')] : []),
    ...(draft.loss.length > 1 ? [plural(draft.loss.length, 'loss rate')] : []),
    ...(transports > 1 ? [plural(transports, 'transport')] : []),
    ...(swept.length > 0 ? [plural(swept.length, 'swept value')] : []),
    ...(draft.repetitions > 1 ? [plural(draft.repetitions, 'repetition')] : []),
  ];
  return { product, factors };
}

interface RunBarProps {
  readonly draft: Draft;
  readonly checked: Checked;
  /** What is to be run is not settled yet. */
  readonly deciding: boolean;
  readonly plan: Plan | undefined;
}

function RunBar({ draft, checked, deciding, plan }: RunBarProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = useMemo(
    () => async (): Promise<void> => {
      // Who is quicker with the keys than the form with its sums is not asked again.
      setWanted(checked.ok && deciding);
      if (!checked.ok || deciding) return;
      setStarting(true);
      setError(null);
      try {
        const record = await startExperiment(queries, checked.spec);
        // The first run may begin before the next page is drawn: its samples are asked for now.
        const first = record.runs.find((candidate) => !isOver(candidate.state));
        if (first !== undefined) {
          const release = runFeed(first.id).use();
          // A fault will be met, and shown, where the run is shown.
          queries.query(runQuery(first.id)).catch(() => undefined);
          release();
        }
        await navigate({ to: '/e/$id', params: { id: record.id } });
      } catch (fault) {
        setError(fault);
        setStarting(false);
      }
    },
    [checked, deciding, queries, navigate],
  );
  const commands = useMemo<readonly Command[]>(
    () => [
      { id: 'run', title: 'Run this experiment', group: 'New experiment', keys: 'mod+enter', run: () => void run() },
    ],
    [run],
  );
  useCommands(commands);
  useEffect(() => {
    if (!wanted || deciding) return undefined;
    const decided = setTimeout(() => void run());
    return () => {
      clearTimeout(decided);
    };
  }, [wanted, deciding, run]);

  const { product, factors } = sumOf(draft);
  return (
    <>
      {error === null ? null : <ProblemNotice error={error} onRetry={() => void run()} />}
      <div className={css['bar']} role="region" aria-label="Start">
        <div className={css['sum']} aria-live="polite">
          {checked.ok ? (
            <>
              {factors.join(' × ')}
              {plan === undefined ? null : (
                <>
                  {/* Not every algorithm meets every limit: the optimal needs none. */}
                  {plan.runs === product ? ' = ' : draft.full_scores ? ', with pairs → ' : ' → '}
                  <b>{plural(plan.runs, 'run')}</b> · {formatEstimate(plan.estimate_s.low, plan.estimate_s.high)}
                  <small>
                    {plan.cached === plan.runs
                      ? 'All of it is measured already.'
                      : `${formatBytes(plan.estimate_bytes)} of samples${plan.cached === 0 ? '' : `; ${formatCount(plan.cached)} measured already`}`}
                  </small>
                </>
              )}
            </>
          ) : (
            <span className={cx(checked.faults.some((fault) => !CHOOSE.includes(fault.where)) && css['bad'])}>
              {checked.faults.map((fault) => fault.detail).join(' ')}
            </span>
          )}
        </div>
        <Button
          kind="primary"
          size="large"
          icon="play"
          isDisabled={!checked.ok || deciding || starting}
          isPending={starting || wanted}
          onPress={() => void run()}
          aria-label="Run"
        >
          Run{plan === undefined || !checked.ok ? '' : ` ${formatCount(plan.runs)}`}
        </Button>
      </div>
    </>
  );
}
