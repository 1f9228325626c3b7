// One experiment: what runs now, the frontier filling in, scores, the table behind them, and every cell of the matrix.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { isMeasured } from '#analysis/kinds';
import { resultsOf } from '#analysis/results';
import { SCENARIOS } from '#analysis/scores';
import { tableOf } from '#analysis/table';
import { termTable } from '#analysis/terms';
import type { ExperimentRecord, ExperimentState } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { EXPORT_FORMATS, exportUrl, retryExperiment, stopExperiment } from '../../api/actions';
import { enginesQuery, runQuery, tracesQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { forgetRun } from '../../live/run-feed';
import type { ExperimentPlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { EXPERIMENT_PLOTS } from '../../plots/experiment-plots';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { runCommand, specJson } from '../command';
import { usePageId } from '../page-id';
import { plotOptions } from '../plot-options';
import { HIDE_SEARCH, useSharedVisibility } from '../run/RunPanels';
import { Button, buttonClass } from '../../ui/button';
import { CodeDialog } from '../../ui/code-dialog';
import { CopyButton } from '../../ui/copy-button';
import { formatCount, formatDuration, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice, Skeleton } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { Badge, PageHead, SearchNotice, Section } from '../../ui/page';
import { ProgressBar } from '../../ui/progress';
import { listText, oneOf, text, useSearchState } from '../../ui/search';
import { CellSparks } from './CellSparks';
import { GROUPINGS, type Grouping } from './grouping';
import { LargeExperiment } from './LargeExperiment';
import { LiveRun } from './LiveRun';
import { MeasureFairness, SCORES_ID } from './MeasureFairness';
import { ResultTable } from './ResultTable';
import { Selection } from './Selection';
import { useExperiment } from './use-experiment';
import { weightsText, type WeightMap } from './weights';
import { When } from '../../ui/when';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

/** Below the first screen: nobody waits for them. The table is not among these, because what suspends shows up a third of a second later. */
const fetchWeights = () => import('./ScoreWeights');
const ScoreWeights = lazy(async () => ({ default: (await fetchWeights()).ScoreWeights }));

const HOME = { label: 'Experiments', to: '/' };
const SEARCH = {
  ...HIDE_SEARCH,
  /** Selected cells. */
  cells: { codec: listText, initial: [] as string[] },
  sort: { codec: text, initial: '' },
  /** Words that rows of the table must have, and columns that it does not show. */
  find: { codec: text, initial: '' },
  without: { codec: listText, initial: [] as string[] },
  /** What rows of the table are grouped by. */
  group: { codec: oneOf(GROUPINGS), initial: 'none' as Grouping },
  scenario: { codec: oneOf(SCENARIOS.map((s) => s.id) as [string, ...string[]]), initial: SCENARIOS[0]?.id ?? '' },
  w: { codec: weightsText, initial: new Map() as WeightMap },
};

/** Stands with the weights that change it. */
const SCORE_PLOT = 'scores';
/** Tells how far a running experiment is: comes first until it is over. */
const STATE_PLOT = 'cells';

export function ExperimentPage() {
  const id = usePageId();
  const experiment = useExperiment(id);
  const engines = useQuery(enginesQuery);
  // They come while the data does; what cannot be fetched is told where it is shown.
  useEffect(() => void Promise.allSettled([fetchWeights()]), []);
  const error = experiment.error ?? engines.error;
  if (error !== null && experiment.data === undefined)
    return (
      <PageProblem
        what="This experiment"
        parent={HOME}
        error={error}
        onRetry={() => void Promise.all([experiment.refetch(), engines.refetch()])}
      />
    );
  if (experiment.data === undefined || engines.data === undefined)
    return <Loading label="Loading the experiment" rows={4} height={140} />;
  return <Experiment key={id} record={experiment.data} listing={engines.data.ccas} />;
}

const goingOn = (state: ExperimentState): boolean => state === 'queued' || state === 'running';

function Experiment({
  record,
  listing,
}: {
  readonly record: ExperimentRecord;
  readonly listing: readonly CcaDescriptor[];
}) {
  const queries = useQueryClient();
  const [fault, setFault] = useState<unknown>(null);
  const [spec, setSpec] = useState(false);
  const running = goingOn(record.state);
  // What somebody has watched stays in its place when it is over.
  const [watched, setWatched] = useState(running);
  if (running && !watched) setWatched(true);
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const large = record.runs_next !== undefined;
  useCrumbs(record.name, HOME);
  const { spec: asked } = record;
  const retry = (): void => {
    const again = record.runs.filter(({ state }) => isOver(state) && state !== 'done');
    retryExperiment(queries, record.id, () => again.forEach(({ id }) => forgetRun(id))).catch(setFault);
  };
  return (
    <>
      <PageHead
        title={
          <>
            {record.name} <StateBadge record={record} />
          </>
        }
        actions={
          <>
            <CopyButton icon="share" text={() => window.location.href}>
              Share
            </CopyButton>
            <MenuButton
              icon="download"
              aria-label="Download"
              entries={EXPORT_FORMATS.map((format) => ({
                id: format,
                label: `Results as ${format === 'parquet' ? 'Parquet' : format.toUpperCase()}`,
                href: exportUrl('experiments', record.id, format),
                download: true,
              }))}
            >
              Download
            </MenuButton>
            <Button icon="braces" onPress={() => setSpec(true)}>
              Spec
            </Button>
            <Link to="/new" search={{ from: record.id }} className={buttonClass({})}>
              Run again with …
            </Link>
          </>
        }
      >
        {plural(record.cells.length, 'cell')}, {plural(record.runs_total, 'run')} of {formatDuration(asked.duration_s)}{' '}
        in{' '}
        {asked.engine === 'realtime' ? 'real' : isMeasured(asked, { ccas: listing }) ? 'virtual and real' : 'virtual'}{' '}
        time
        {asked.full_scores ? ', with pairs for fairness' : ''} · <When iso={record.created_at} />
        {asked.note === '' ? null : <div>{asked.note}</div>}
      </PageHead>
      <div className={page['notices']}>
        {fault === null ? null : <ProblemNotice error={fault} />}
        <Failures record={record} onRetry={retry} />
      </div>
      {watched ? (
        <>
          <Progress record={record} onStop={() => stopExperiment(queries, record.id)} onFault={setFault} />
          {large ? null : <LiveRun record={record} ccas={ccas} />}
        </>
      ) : null}
      {large ? (
        <LargeExperiment record={record} />
      ) : (
        <Results record={record} listing={listing} ccas={ccas} watched={watched} />
      )}
      {spec ? (
        <CodeDialog
          title="Spec"
          text={specJson(record.spec)}
          command={runCommand(record.spec)}
          onClose={() => setSpec(false)}
        />
      ) : null}
    </>
  );
}

const StateBadge = ({ record }: { readonly record: ExperimentRecord }) => {
  switch (record.state) {
    case 'queued':
      return <Badge kind="live">waiting</Badge>;
    case 'running':
      return <Badge kind="live">running</Badge>;
    case 'failed':
      return <Badge kind="bad">failed</Badge>;
    case 'cancelled':
      return <Badge kind="warn">stopped</Badge>;
    case 'done':
      return <Badge>done</Badge>;
  }
};

interface ProgressProps {
  readonly record: ExperimentRecord;
  readonly onStop: () => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

function Progress({ record, onStop, onFault }: ProgressProps) {
  const [stopping, setStopping] = useState(false);
  return (
    <div className={css['progress']} role="group" aria-label="Progress">
      <div className={css['progressRow']}>
        {goingOn(record.state) ? (
          <Button
            icon="stop"
            kind="danger"
            isDisabled={stopping}
            onPress={() => {
              setStopping(true);
              onStop()
                .catch(onFault)
                .finally(() => setStopping(false));
            }}
          >
            {stopping ? 'Stopping …' : 'Stop'}
          </Button>
        ) : null}
        <div>
          <ProgressBar label="Runs done" value={record.runs_total === 0 ? 0 : record.runs_done / record.runs_total} />
        </div>
        <span>
          <b>{formatCount(record.runs_done)}</b> of {plural(record.runs_total, 'run')}
          {record.eta_s === null ? '' : ` · about ${formatDuration(Math.max(1, record.eta_s))} left`}
        </span>
      </div>
    </div>
  );
}

function Failures({ record, onRetry }: { readonly record: ExperimentRecord; readonly onRetry: () => void }) {
  const failed = record.runs.filter((run) => run.state === 'failed');
  const stopped = record.runs.filter((run) => run.state === 'cancelled');
  const retry = goingOn(record.state) ? undefined : (
    <Button size="small" icon="retry" onPress={onRetry}>
      Run again what is missing
    </Button>
  );
  if (record.runs_next !== undefined)
    // Of a large experiment the page holds some of the runs only.
    return goingOn(record.state) || record.state === 'done' ? null : (
      <Notice kind="warning" title={record.state === 'failed' ? 'All runs failed' : 'Stopped'} actions={retry}>
        {plural(record.runs_done, 'run')} of {formatCount(record.runs_total)} ended well,{' '}
        {formatCount(record.runs_failed)} failed.
      </Notice>
    );
  if (failed.length > 0) {
    const reasons = [...new Set(failed.map((run) => run.reason ?? 'no reason given'))];
    return (
      <Notice kind="problem" title={`${plural(failed.length, 'run')} failed`} actions={retry}>
        {reasons.slice(0, 3).map((reason) => (
          <div key={reason}>{reason}</div>
        ))}
        {failed[0] === undefined ? null : (
          <Link to="/r/$id" params={{ id: failed[0].id }}>
            See the last words of the first
          </Link>
        )}
      </Notice>
    );
  }
  if (stopped.length > 0)
    return (
      <Notice kind="warning" title="Stopped" actions={retry}>
        <div>{plural(stopped.length, 'run')} did not finish. What was measured until then is shown.</div>
      </Notice>
    );
  return null;
}

interface ResultsProps {
  readonly record: ExperimentRecord;
  readonly listing: readonly CcaDescriptor[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  /** It goes on, or did when the page was opened. */
  readonly watched: boolean;
}

function Results({ record, listing, ccas, watched }: ResultsProps) {
  const { search, misread, raw, setSearch, setRaw } = useSearchState(SEARCH);
  const traces = useQuery(tracesQuery);
  // While results pour in, the page stays responsive and shows them a moment later.
  const shown = useDeferredValue(record);
  const results = useMemo(() => resultsOf(shown, listing), [shown, listing]);
  const rows = useMemo(() => tableOf(results, SCENARIOS), [results]);
  const terms = useMemo(() => termTable(results), [results]);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const selected = useMemo(() => new Set(search.cells), [search.cells]);
  const onSelect = useCallback(
    (cells: readonly string[]) => setSearch({ cells: [...cells] }, { replace: true }),
    [setSearch],
  );
  const known = useMemo(
    () => new Map((traces.data ?? []).flatMap((trace) => [[trace.id, trace] as const, [trace.name, trace] as const])),
    [traces.data],
  );
  const weights = search.w;
  // One engine for all runs: it is part of what the experiment is named by.
  const run = shown.runs[0]?.id;
  const anyRun = useQuery({ ...runQuery(run ?? ''), enabled: run !== undefined, staleTime: Infinity });
  const engineVersion = anyRun.data?.manifest.engine_version;
  const data = useMemo<ExperimentPlotData>(
    () => ({ record: shown, engineVersion, ccas, traces: known, weights, visibility, selected, onSelect }),
    [shown, engineVersion, ccas, known, weights, visibility, selected, onSelect],
  );
  const measured = shown.runs.some((run) => run.summary !== null);
  const first = watched ? STATE_PLOT : null;
  const figures = EXPERIMENT_PLOTS.filter(({ id }) => id !== SCORE_PLOT && (measured || id === STATE_PLOT)).sort(
    (a, b) => Number(b.id === first) - Number(a.id === first),
  );
  const full = record.spec.full_scores;
  const fair = terms.ccas.every((cca) => cca.terms.intra !== null && cca.terms.inter !== null);
  const plot = (candidate: (typeof EXPERIMENT_PLOTS)[number]) => (
    <PlotView key={candidate.id} plot={candidate} data={data} {...plotOptions(candidate.id, raw, setRaw)} />
  );
  return (
    <div className={page['stack']}>
      <SearchNotice misread={misread} />
      <h2 className="visually-hidden">Results</h2>
      {figures.map(plot)}
      {watched ? null : (
        <Section title="Every cell" note="One run of each: rate over capacity; below, how full the queue was.">
          <CellSparks record={shown} ccas={ccas} />
        </Section>
      )}
      {measured ? (
        <>
          <Section
            title="Scenario scores"
            note="How good each algorithm is for a use, as a weighted sum of four terms. Drag the weights."
          >
            <div id={SCORES_ID} className={page['stack']}>
              <MeasureFairness record={record} running={goingOn(record.state)} measured={fair} />
              <Suspense fallback={<Skeleton height={260} />}>
                <ScoreWeights
                  table={terms}
                  scenario={search.scenario}
                  onScenario={(scenario) => setSearch({ scenario })}
                  changed={weights}
                  onWeights={(w, dragging) => setSearch({ w }, { replace: dragging })}
                />
              </Suspense>
              {EXPERIMENT_PLOTS.filter((candidate) => candidate.id === SCORE_PLOT).map(plot)}
            </div>
          </Section>
          <Section
            title="Table"
            note="Means over repetitions with 95 % intervals. A row lights its points and lists its runs."
          >
            <ResultTable
              rows={rows}
              sort={search.sort}
              onSort={(sort) => setSearch({ sort })}
              full={full}
              find={search.find}
              onFind={(find) => setSearch({ find }, { replace: true })}
              group={search.group}
              onGroup={(group) => setSearch({ group })}
              without={search.without}
              onWithout={(without) => setSearch({ without: [...without] })}
              selected={selected}
              onSelect={onSelect}
            />
          </Section>
        </>
      ) : null}
      <Selection
        rows={rows}
        runs={shown.runs}
        durationS={record.spec.duration_s}
        selected={selected}
        onClear={() => onSelect([])}
      />
    </div>
  );
}
