// A new experiment on one page: traces, algorithms, link and run beside each other; what it will cost at the bottom.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Doctor, Plan, TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentKind } from '#protocol/experiment-kind';
import type { Template } from '#protocol/template';
import { LABEL_LIMITS } from '#protocol/limits';
import { shortened } from '#protocol/text';
import { startExperiment } from '../../api/actions';
import { asApiError } from '../../api/client';
import { templatesQuery } from '../../api/templates';
import { doctorQuery, enginesQuery, experimentQuery, kindsQuery, runQuery, tracesQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { runFeed } from '../../live/run-feed';
import { PageProblem } from '../about/PageProblem';
import { readParams } from '../ccas/param-text';
import { useCrumbs } from '../frame/crumbs';
import { PrivateSwitch } from '../Private';
import { Button } from '../../ui/button';
import { type Command, useCommands } from '../../ui/commands';
import { TextField } from '../../ui/text-field';
import { formatBytes, formatCount, formatEstimate, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { listText, text, useSearchState } from '../../ui/search';
import { cx } from '../../ui/cx';
import { CcasColumn, STACKS_NEED } from './CcasColumn';
import {
  automaticName,
  checkDraft,
  firstDraft,
  keepDraft,
  keptDraft,
  sameJson,
  sortCcas,
  traceRef,
  type Checked,
  type Draft,
  type Fault,
  variedBy,
} from './draft';
import { useCostChange } from './cost-change';
import { useFullScores } from './full-scores';
import { usePrivateChoice } from './private-choice';
import { answerSearch, draftOfKind, keepKind, keptKind } from './kind-draft';
import { KindChooser } from './KindChooser';
import { TemplateChooser } from '../templates/TemplateChooser';
import { draftOfTemplate, noTemplate } from './template-draft';
import { LinkColumn } from './LinkColumn';
import { OpenBundle } from './OpenBundle';
import { factorsOf, factorText, productOf } from './sum';
import { SpecEditor } from './SpecEditor';
import { TracesColumn } from './TracesColumn';
import page from '../../ui/page.module.css';
import css from './new.module.css';

const SEARCH = {
  /** An experiment whose spec fills the form. */
  from: { codec: text, initial: '' },
  /** `1`: under another name. */
  copy: { codec: text, initial: '' },
  /** A trace that is chosen already. */
  trace: { codec: text, initial: '' },
  /** `1`: switch Full scores on. */
  full: { codec: text, initial: '' },
  /** Algorithms that are chosen already, and parameters of the first. */
  cca: { codec: listText, initial: [] as string[] },
  p: { codec: listText, initial: [] as string[] },
  /** A kind of experiment that fills the form. */
  kind: { codec: text, initial: '' },
  /** The id of a template that fills it. */
  template: { codec: text, initial: '' },
};

export function NewPage() {
  useCrumbs('New experiment', { label: 'Experiments', to: '/' });
  const { search, setSearch } = useSearchState(SEARCH);
  const engines = useQuery(enginesQuery);
  // What fills the form is taken out of the address again: from then on a reload brings back what was changed since.
  const [filled, setFilled] = useState(search);
  if (Object.values(search).some((value) => value.length > 0) && !sameJson(search, filled)) setFilled(search);
  const kinds = useQuery(kindsQuery);
  const templates = useQuery(templatesQuery);
  const doctor = useQuery({ ...doctorQuery, enabled: filled.kind !== '' });
  const origin = useQuery({ ...experimentQuery(filled.from), enabled: filled.from !== '' });
  const traces = useQuery(tracesQuery);
  const error =
    engines.error ?? kinds.error ?? templates.error ?? origin.error ?? (filled.trace === '' ? null : traces.error);
  if (error !== null)
    return (
      <PageProblem
        what="A new experiment"
        parent={{ label: 'Experiments', to: '/' }}
        error={error}
        onRetry={() =>
          void Promise.all([
            engines.refetch(),
            kinds.refetch(),
            templates.refetch(),
            origin.refetch(),
            traces.refetch(),
          ])
        }
      />
    );
  const waiting =
    (filled.from !== '' && origin.data === undefined) ||
    (filled.trace !== '' && traces.data === undefined) ||
    (filled.kind !== '' && doctor.data === undefined && doctor.error === null);
  if (engines.data === undefined || kinds.data === undefined || templates.data === undefined || waiting)
    return <Loading label="Loading the form" rows={3} height={140} />;
  const named = traces.data?.find((trace) => trace.id === filled.trace);
  const chosen = chosenCcas(filled.cca, filled.p, engines.data);
  const kind = kinds.data.find(({ id }) => id === filled.kind) ?? null;
  const template = templates.data.find(({ id }) => id === filled.template);
  if (filled.template !== '' && template === undefined)
    return (
      <PageProblem
        what="A new experiment"
        parent={{ label: 'Experiments', to: '/' }}
        error={noTemplate(filled.template)}
        onRetry={() => void templates.refetch()}
      />
    );
  const kept = origin.data?.spec ?? keptDraft() ?? firstDraft(engines.data);
  const first: Draft = {
    ...(template === undefined ? kept : draftOfTemplate(template, kept, engines.data)),
    ...(filled.copy === '1' && origin.data !== undefined ? { name: copyName(origin.data.name) } : {}),
    ...(filled.full === '1' ? { full_scores: true } : {}),
    ...(chosen.length === 0 ? {} : { ccas: chosen }),
    ...(named === undefined ? {} : { traces: [traceRef(named, traces.data ?? [])] }),
  };
  return (
    <Form
      key={JSON.stringify(filled)}
      listing={engines.data}
      kinds={kinds.data}
      first={kind === null ? first : draftOfKind(kind, first, engines.data, stacksRun(doctor.data))}
      asks={kind?.id ?? (origin.data === undefined && template === undefined ? keptKind() : null)}
      templates={templates.data}
      wasPrivate={origin.data?.private === true}
      onFilled={() =>
        setSearch(
          { from: '', copy: '', trace: '', full: '', cca: [], p: [], kind: '', template: '' },
          { replace: true },
        )
      }
    />
  );
}

/** Those that the engine has: a link to one that it has not fills in nothing. */
const chosenCcas = (ids: readonly string[], params: readonly string[], listing: EngineListing): Draft['ccas'] =>
  sortCcas(
    [...new Set(ids)].flatMap((id) => {
      const cca = listing.ccas.find((one) => one.id === id);
      return cca === undefined ? [] : [{ id, params: id === ids[0] ? readParams(params, cca.params).values : {} }];
    }),
    listing,
  );

/** As long as a name may be. */
const copyName = (name: string): string => `${shortened(name, LABEL_LIMITS.name.max - COPY.length)}${COPY}`;
const COPY = ' copy';

const stacksRun = (doctor: Doctor | undefined): boolean =>
  doctor?.checks.some(({ id, ok }) => id === STACKS_NEED && ok) ?? false;

interface FormProps {
  readonly listing: EngineListing;
  readonly kinds: readonly ExperimentKind[];
  readonly templates: readonly Template[];
  readonly first: Draft;
  /** The id of the kind that has filled it; null: none has. */
  readonly asks: string | null;
  /** What has filled it is private. */
  readonly wasPrivate: boolean;
  readonly onFilled: () => void;
}

function Form({ listing, kinds, templates, first, asks, wasPrivate, onFilled }: FormProps) {
  const traces = useQuery(tracesQuery);
  const [draft, setDraft] = useState(first);
  const [editing, setEditing] = useState(false);
  const change = (next: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void =>
    setDraft((previous) => ({ ...previous, ...(typeof next === 'function' ? next(previous) : next) }));
  useEffect(() => keepDraft(draft), [draft]);
  const { kind, choose } = useKind({ kinds, asks, listing, draft, setDraft });
  const latest = useRef(onFilled);
  useEffect(() => latest.current(), []);

  const name = automaticName(draft, listing, traces.data ?? []);
  const asked = useMemo(() => checkDraft(draft, name), [draft, name]);
  const spec = asked.ok ? asked.spec : null;
  const planned = useDeferredValue(spec);
  const scores = useFullScores(planned, draft.full_scores);
  const { plan } = scores;
  // What has just become complete is not even asked about yet: a press would run it undecided, or be lost when it is asked.
  const isNew = spec !== null && planned === null && draft.full_scores === null;
  const deciding = scores.deciding || isNew;
  const isSettled = spec === planned && plan.isSuccess && !plan.isPlaceholderData && !deciding;
  const whole = useMemo(() => ({ ...draft, full_scores: scores.on, vary: variedBy(draft) }), [draft, scores.on]);
  const checked = useMemo(() => checkDraft(whole, name), [whole, name]);
  const refused: readonly Fault[] = plan.error === null ? [] : (asApiError(plan.error).problem.faults ?? []);

  return (
    <>
      <PageHead
        title="New experiment"
        actions={
          <FormActions
            draft={draft}
            name={name}
            onName={(next) => change({ name: next })}
            onStartOver={() => {
              choose(null);
              setDraft(firstDraft(listing));
            }}
            onOpened={setDraft}
            onJson={() => setEditing(true)}
          />
        }
      >
        Every trace meets every algorithm at every queue limit, as often as it is repeated.
      </PageHead>
      <TemplateChooser
        templates={templates}
        onChoose={(template) => {
          choose(null);
          setDraft(draftOfTemplate(template, draft, listing));
        }}
      />
      <KindChooser kinds={kinds} chosen={kind} onChoose={choose} />
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
          <LinkColumn
            draft={draft}
            change={change}
            traces={traces.data}
            listing={listing}
            scores={scores}
            front={kind?.front}
          />
        </div>
      </div>
      <RunBar
        draft={whole}
        wasPrivate={wasPrivate}
        traces={traces.data ?? []}
        kind={kind}
        checked={checked}
        deciding={deciding}
        plan={plan.error === null ? plan.data : undefined}
        settled={isSettled ? spec : null}
      />
      {editing ? (
        <SpecEditor draft={whole} name={name} onDraft={setDraft} refused={refused} onClose={() => setEditing(false)} />
      ) : null}
    </>
  );
}

interface FormActionsProps {
  readonly draft: Draft;
  /** What it is called if nobody names it. */
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onStartOver: () => void;
  readonly onOpened: (draft: Draft) => void;
  readonly onJson: () => void;
}

const FormActions = ({ draft, name, onName, onStartOver, onOpened, onJson }: FormActionsProps) => (
  <>
    <span className={css['name']}>
      <TextField label="Name of the experiment" hideLabel placeholder={name} value={draft.name} onChange={onName} />
    </span>
    <Button kind="quiet" icon="retry" onPress={onStartOver}>
      Start over
    </Button>
    <OpenBundle onOpened={({ spec }) => onOpened(spec)} />
    <Button icon="braces" onPress={onJson}>
      JSON
    </Button>
  </>
);

interface KindState {
  readonly kinds: readonly ExperimentKind[];
  readonly asks: string | null;
  readonly listing: EngineListing;
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
}

/** The kind that fills the form; what it added to the algorithms goes with it. */
function useKind({ kinds, asks, listing, draft, setDraft }: KindState) {
  const doctor = useQuery(doctorQuery);
  const [id, setId] = useState(asks);
  const [added, setAdded] = useState<Draft['ccas']>([]);
  useEffect(() => keepKind(id), [id]);
  const choose = (kind: ExperimentKind | null): void => {
    setId(kind?.id ?? null);
    const own = { ...draft, ccas: draft.ccas.filter((ref) => !added.some((other) => sameJson(other, ref))) };
    const next = kind === null ? own : draftOfKind(kind, own, listing, stacksRun(doctor.data));
    setAdded(next.ccas.filter((ref) => !own.ccas.some((other) => sameJson(other, ref))));
    if (kind !== null || added.length > 0) setDraft(next);
  };
  return { kind: kinds.find((candidate) => candidate.id === id) ?? null, choose };
}

/** What a new form still lacks is no fault. */
const CHOOSE = ['traces', 'ccas', 'buffers', 'queues'];

interface RunBarProps {
  readonly draft: Draft;
  /** What fills the form is private. */
  readonly wasPrivate: boolean;
  readonly traces: readonly TraceRecord[];
  /** Says which figure answers. */
  readonly kind: ExperimentKind | null;
  readonly checked: Checked;
  /** What is to be run is not settled yet. */
  readonly deciding: boolean;
  readonly plan: Plan | undefined;
  /** The spec that the plan is of; null: it is of one before. */
  readonly settled: object | null;
}

function RunBar({ draft, wasPrivate, traces, kind, checked, deciding, plan, settled }: RunBarProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { asked: isPrivate, ...privacy } = usePrivateChoice(wasPrivate, draft, traces);
  const run = useMemo(
    () => async (): Promise<void> => {
      // Who is quicker with the keys than the form with its sums is not asked again.
      setWanted(checked.ok && deciding);
      if (!checked.ok || deciding) return;
      setStarting(true);
      setError(null);
      try {
        const record = await startExperiment(queries, checked.spec, { isPrivate });
        // The first run may begin before the next page is drawn: its samples are asked for now.
        const first = record.runs.find((candidate) => !isOver(candidate.state));
        if (first !== undefined) {
          const release = runFeed(first.id).use();
          // A fault will be met, and shown, where the run is shown.
          queries.query(runQuery(first.id)).catch(() => undefined);
          release();
        }
        await navigate({ to: '/e/$id', params: { id: record.id }, search: kind === null ? {} : answerSearch(kind) });
      } catch (fault) {
        setError(fault);
        setStarting(false);
      }
    },
    [checked, deciding, queries, navigate, kind, isPrivate],
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

  const factors = factorsOf(draft, traces);
  const product = productOf(factors);
  const change = useCostChange(
    settled === null || plan === undefined
      ? null
      : { spec: settled, plan, factors, duration_s: draft.duration_s, pairs: draft.full_scores === true },
  );
  return (
    <>
      {error === null ? null : <ProblemNotice error={error} onRetry={() => void run()} />}
      <div className={css['bar']} role="region" aria-label="Start">
        <div className={css['sum']} aria-live="polite" data-estimate="">
          {checked.ok ? (
            <>
              {factors.map(factorText).join(' × ')}
              {plan === undefined ? null : (
                <>
                  {/* Not every algorithm meets every limit: the optimal needs none. */}
                  {plan.runs === product ? ' = ' : draft.full_scores ? ', with pairs → ' : ' → '}
                  <b>{plural(plan.runs, 'run')}</b> · {formatEstimate(plan.estimate_s.low, plan.estimate_s.high)}
                  <small>
                    {plan.cached === plan.runs
                      ? 'All of it is measured already.'
                      : `${formatBytes(plan.estimate_bytes)} of samples${plan.cached === 0 ? '' : `; ${formatCount(plan.cached)} measured already`}`}
                    {change === null ? null : <span className={css['change']}>{change}</span>}
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
        <PrivateSwitch {...privacy} compact />
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
