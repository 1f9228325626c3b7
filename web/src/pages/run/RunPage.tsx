// One run: live while it goes, replayed when it is over. The same panels, the same address.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { RunRecord, RunState } from '#protocol/api';
import type { CcaDescriptor, ElementDescriptor, EngineListing } from '#protocol/cca';
import { retryRun, stopRun } from '../../api/actions';
import { enginesQuery, experimentQuery, marksQuery, runQuery, traceQuery } from '../../api/queries';
import { isOver, liveClient } from '../../live/live-client';
import { forgetRun, type RunFeed, type RunStatus, useRunFeed } from '../../live/run-feed';
import type { RunPlotData, RunSamples } from '../../plots/data';
import { namesOfFlows } from '../../plots/flows';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { cellSpec, runCommand } from '../command';
import { OrganiseHead } from '../organise/OrganiseHead';
import { usePageId } from '../page-id';
import { TraceOwners } from '../TraceOwners';
import { useOracles } from '../use-oracles';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { LiveOnly } from '../../share/frozen';
import { Button, buttonClass } from '../../ui/button';
import { cx } from '../../ui/cx';
import { lazyPart } from '../../ui/lazy-part';
import { LastWords, Notice, ProblemNotice } from '../../ui/notice';
import { Badge, SearchNotice, Section } from '../../ui/page';
import { FigureSkeleton, PageSkeleton } from '../../ui/page-skeleton';
import { useSearchState, type SearchState } from '../../ui/search';
import { whatIfSearch } from '../../what-if/address';
import { nameRun } from './describe';
import { LinkControls } from './LinkControls';
import { linkOrders } from './link-state';
import { LiveBar, ReplayBar } from './ReplayBar';
import { LIVE_SEARCH } from './live-search';
import { hasPath, PathSummary } from './PathSummary';
import { RunActions } from './RunActions';
import { PACKET_SEARCH } from './packet-search';
import { RunPanels } from './RunPanels';
import { HIDE_SEARCH, useSharedVisibility } from './shared-visibility';
import { SamplesGone } from './SamplesGone';
import { FlowTable, hasMessages, MessageTable, SummaryStrip } from './RunSummaryView';
import { REPLAY_SEARCH, type ReplayChange, useSharedReplay } from './use-shared-replay';
import page from '../../ui/page.module.css';
import css from './run.module.css';

/** At the end of the page: nobody waits for it, and nothing is below that it could move. */
const RunCourse = lazyPart(async () => ({ default: (await import('./RunCourse')).RunCourse }));
const RunPackets = lazyPart(async () => ({ default: (await import('./RunPackets')).RunPackets }));
const LiveMeasurements = lazyPart(async () => ({ default: (await import('./LiveMeasurements')).LiveMeasurements }));

const HOME = { label: 'Experiments', to: '/' };
const SEARCH = { ...VIEW_SEARCH, ...HIDE_SEARCH, ...LIVE_SEARCH, ...REPLAY_SEARCH, ...PACKET_SEARCH };

export function RunPage() {
  const id = usePageId();
  const run = useQuery(runQuery(id));
  const engines = useQuery(enginesQuery);
  const error = run.error ?? engines.error;
  if (error !== null)
    return (
      <PageProblem
        what="This run"
        parent={HOME}
        error={error}
        onRetry={() => void Promise.all([run.refetch(), engines.refetch()])}
        thing={{ kind: 'run', id }}
      />
    );
  if (run.data === undefined || engines.data === undefined) return <RunSkeleton />;
  return <Run key={id} run={run.data} listing={engines.data} />;
}

/** Its bars and columns are those of the page itself, empty. */
const RunSkeleton = () => (
  <PageSkeleton label="Loading the run" labels actions={[133, 106, 132, 104, 42]}>
    <div className={cx(css['transport'], css['replaying'])} />
    <div className={css['strip']}>
      {[78, 218, 118, 52, 110].map((width) => (
        <i key={width} className={css['numbers']} style={{ width }} />
      ))}
    </div>
    <div className={css['layout']}>
      <div className={css['stack']}>
        <FigureSkeleton height={232} />
        <FigureSkeleton height={170} rows={1} />
        <FigureSkeleton height={190} />
      </div>
      <div className={css['sideColumn']} />
    </div>
  </PageSkeleton>
);

const STATE_BADGE: Record<RunState, { readonly text: string; readonly kind?: 'bad' | 'warn' | 'live' }> = {
  queued: { text: 'waiting', kind: 'live' },
  running: { text: 'live', kind: 'live' },
  done: { text: 'done' },
  failed: { text: 'failed', kind: 'bad' },
  cancelled: { text: 'stopped', kind: 'warn' },
  invalid: { text: 'invalid', kind: 'warn' },
};

function Run({ run, listing }: { readonly run: RunRecord; readonly listing: EngineListing }) {
  const queries = useQueryClient();
  const feed = useRunFeed(run.id);
  const home = run.experiments[0];
  const experiment = useQuery({ ...experimentQuery(home?.id ?? ''), enabled: home !== undefined });
  const ccas = useMemo(() => new Map(listing.ccas.map((cca) => [cca.id, cca])), [listing]);
  const name = nameRun(run, ccas, experiment.data);
  const state = feed.status?.state ?? run.state;
  useCrumbs(name.title, home === undefined ? HOME : { label: home.name, to: `/e/${home.id}` });

  // The record (summary, reason, last words) is written when the run ends.
  useEffect(() => {
    if (state !== run.state || (feed.store.complete && run.summary === null && state === 'done'))
      void queries.invalidateQueries({ queryKey: ['runs', run.id] });
  }, [state, run.state, run.summary, run.id, feed.store.complete, queries]);

  const cell = experiment.data?.cells.find((candidate) => candidate.key === home?.cell);
  const of =
    experiment.data === undefined || cell === undefined || home === undefined
      ? null
      : cellSpec(experiment.data, cell, home.role);
  const command = of === null ? null : runCommand(of);

  const badge = STATE_BADGE[state];
  return (
    <>
      <OrganiseHead
        thing={{ kind: 'run', id: run.id, name: name.title }}
        badge={<Badge {...(badge.kind === undefined ? {} : { kind: badge.kind })}>{badge.text}</Badge>}
        actions={
          <>
            {of === null || home === undefined || run.manifest.engine !== 'virtual' ? null : (
              <Link
                to="/what-if"
                search={whatIfSearch(of, { role: home.role, repetition: run.manifest.repetition })}
                className={buttonClass({})}
              >
                What if …
              </Link>
            )}
            {home === undefined ? null : (
              <Link to="/new" search={{ from: home.id }} className={buttonClass({})}>
                Run again with …
              </Link>
            )}
            <RunActions
              id={run.id}
              name={name.title}
              state={state}
              manifest={run.manifest}
              ccas={ccas}
              watchable={isWatchable(run, ccas)}
              command={command}
            />
          </>
        }
      />
      <TraceOwners of={tracesOfManifest(run.manifest)}>
        <RunBody run={run} ccas={ccas} elements={listing.elements ?? []} feed={feed} state={state} />
      </TraceOwners>
    </>
  );
}

interface RunBodyProps {
  readonly run: RunRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly elements: readonly ElementDescriptor[];
  readonly feed: RunFeed;
  readonly state: RunState;
}

/** What changes the view without a step on the way back. */
function useChanges(setSearch: SearchState<typeof SEARCH>['setSearch']) {
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const setReplay = useCallback<ReplayChange>((change) => setSearch(change, { replace: true }), [setSearch]);
  return { setHide, pin, setReplay };
}

function RunBody({ run, ccas, elements, feed, state }: RunBodyProps) {
  const { manifest } = run;
  const { store } = feed;
  const searchState = useSearchState(SEARCH);
  const { search, misread, raw, setSearch, setRaw } = searchState;
  const over = isOver(state);
  const runs = useMemo<readonly RunSamples[]>(() => [store], [store]);
  const { replay, state: replaying } = useSharedReplay(runs, searchState, over);
  const reached = useSyncExternalStore(
    replay.subscribeHead,
    () => search.cursor !== null && replay.atS >= search.cursor,
  );
  const view = useSharedView(manifest.duration_s, searchState, replaying.whole || (!replaying.playing && reached));
  const { setHide, pin, setReplay } = useChanges(setSearch);
  const flowNames = useMemo(() => [namesOfFlows(manifest, ccas)], [manifest, ccas]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const { capacity } = manifest.forward;
  const trace = useQuery({
    ...traceQuery(capacity.kind === 'trace' ? capacity.sha256 : ''),
    enabled: capacity.kind === 'trace',
  });

  const told = useQuery({ ...marksQuery(trace.data?.id ?? ''), enabled: over && trace.data !== undefined });
  const period_ms = trace.data?.info.period_ms;
  const marks = told.data?.marks;

  const linked = useMemo(() => [{ id: run.id, label: '', manifest }], [run.id, manifest]);
  const ofWhole = useOracles(linked, store, ccas, raw);
  const whole = useMemo<RunPlotData>(() => {
    const traceMarks = marks === undefined || period_ms === undefined ? undefined : { marks, period_ms };
    return { id: run.id, manifest, samples: store, ccas, view, visibility, traceMarks, oracle: ofWhole };
  }, [run.id, manifest, store, ccas, view, visibility, marks, period_ms, ofWhole]);

  const { stopping, fault, stop, retry } = useStopAndRetry(run.id);
  const samples = over ? (replaying.samples[0] ?? store) : store;
  const summary = run.summary ?? store.summary;
  const oracle = useOracles(linked, samples, ccas, raw);

  return (
    <>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        {fault === null ? null : <ProblemNotice error={fault} />}
        {feed.refusal === null ? null : (
          <Notice kind="problem" title="The samples cannot be shown">
            {feed.refusal}
          </Notice>
        )}
        <SamplesGone run={run} />
        <Outcome run={run} state={state} reason={reasonOf(run, state, feed.status) ?? store.error} onRetry={retry} />
      </div>
      {over ? (
        <ReplayBar
          replay={replay}
          state={replaying}
          view={view}
          speed={search.speed}
          loop={search.loop}
          onChange={setReplay}
          flows={flowNames}
        />
      ) : (
        <LiveBar
          timeS={Math.max(store.timeS, feed.status?.timeS ?? 0)}
          durationS={manifest.duration_s}
          etaS={feed.status?.etaS ?? null}
          waiting={state === 'queued'}
          stopping={stopping}
          onStop={stop}
        />
      )}
      {summary === null ? (
        <div className={css['gap']} />
      ) : (
        <SummaryStrip manifest={manifest} summary={summary} worker={run.cost?.worker} />
      )}
      {state === 'running' && manifest.engine === 'realtime' ? (
        <LinkControls id={run.id} manifest={manifest} orders={linkOrders(store.events)} />
      ) : null}
      <h2 className="visually-hidden">Over time</h2>
      <RunPanels
        id={run.id}
        manifest={manifest}
        samples={samples}
        all={over ? store : undefined}
        ccas={ccas}
        view={view}
        visibility={visibility}
        meanCapacity={trace.data?.info.mean_mbps}
        oracle={oracle}
        raw={raw}
        setRaw={setRaw}
        onPin={pin}
      />
      {summary === null ? null : <Totals manifest={manifest} summary={summary} ccas={ccas} elements={elements} />}
      {over && summary !== null ? <Below run={run} whole={whole} {...searchState} /> : null}
    </>
  );
}

interface BelowProps extends Pick<SearchState<typeof SEARCH>, 'search' | 'raw' | 'setRaw' | 'setSearch'> {
  readonly run: RunRecord;
  readonly whole: RunPlotData;
}

/** What a run that is over can be asked. */
function Below({ run, whole, search, raw, setRaw, setSearch }: BelowProps) {
  const { ccas, view, visibility } = whole;
  const watchable = isWatchable(run, ccas);
  const shared = { raw, setRaw };
  return (
    <Suspense>
      {watchable ? (
        <LiveOnly>
          <RunPackets
            {...{ run, ccas, view, visibility, setSearch, ...shared }}
            at={search.at}
            shown={search.packets}
            moment={search.moment}
            slow={search.slow}
          />
        </LiveOnly>
      ) : null}
      <RunCourse run={whole} watchable={watchable} {...shared} />
      <LiveMeasurements
        run={whole}
        shown={search.live}
        offset={search.offset}
        flow={search.flow}
        setSearch={setSearch}
        {...shared}
      />
    </Suspense>
  );
}

/** It can be made again, and sends packets. */
const isWatchable = ({ manifest, state }: RunRecord, ccas: RunPlotData['ccas']): boolean =>
  manifest.engine === 'virtual' &&
  state === 'done' &&
  manifest.flows.every(({ cca }) => ccas.get(cca.id)?.kind !== 'ideal');

interface StopAndRetry {
  readonly stopping: boolean;
  /** Why stopping or retrying did not work; null: nothing failed. */
  readonly fault: unknown;
  readonly stop: () => void;
  readonly retry: () => void;
}

function useStopAndRetry(id: string): StopAndRetry {
  const queries = useQueryClient();
  const [stopping, setStopping] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  return {
    stopping,
    fault,
    stop: () => {
      setStopping(true);
      stopRun(queries, id)
        .catch(setFault)
        .finally(() => setStopping(false));
    },
    retry: () => {
      retryRun(queries, id, () => forgetRun(id)).catch(setFault);
    },
  };
}

type TotalsProps = Pick<Parameters<typeof FlowTable>[0], 'manifest' | 'summary' | 'ccas'> &
  Pick<RunBodyProps, 'elements'>;

/** What the whole run came to, flow by flow. */
const Totals = ({ elements, ...props }: TotalsProps) => (
  <>
    {hasPath(props.summary) ? (
      <Section title="Path" note="What each element did to all packets, from left to right.">
        <PathSummary summary={props.summary} elements={elements} />
      </Section>
    ) : null}
    <Section title="Flows" note="From every packet, not from samples.">
      <FlowTable {...props} />
    </Section>
    {hasMessages(props.summary) ? (
      <Section
        title="Messages"
        note="Transfers, frames and replayed writes: from birth to the last byte at the receiver."
      >
        <MessageTable {...props} />
      </Section>
    ) : null}
  </>
);

/** Of a run that is over the reason is known for good; why it waits changes, and the live connection tells. */
const reasonOf = (run: RunRecord, state: RunState, status: RunStatus | null): string | null =>
  state === 'queued' ? (status?.reason ?? run.reason) : (run.reason ?? status?.reason ?? null);

interface OutcomeProps {
  readonly run: RunRecord;
  readonly state: RunState;
  readonly reason: string | null;
  readonly onRetry: () => void;
}

/** Why a run is not simply done, and what to do about it. */
function Outcome({ run, state, reason, onRetry }: OutcomeProps) {
  const again = (
    <LiveOnly>
      <Button size="small" icon="retry" onPress={onRetry}>
        Retry
      </Button>
    </LiveOnly>
  );
  const tail =
    run.stderr_tail === null || run.stderr_tail.trim() === '' ? null : <LastWords>{run.stderr_tail}</LastWords>;
  switch (state) {
    case 'failed':
      return (
        <Notice kind="problem" title="This run failed" actions={again}>
          <div>{reason ?? 'The program ended without saying why.'}</div>
          {tail}
        </Notice>
      );
    case 'invalid':
      return (
        <Notice kind="warning" title="This run is left out of averages" actions={again}>
          <div>{reason}</div>
          {tail}
        </Notice>
      );
    case 'cancelled':
      return (
        <Notice kind="warning" title="This run was stopped" actions={again}>
          <div>What was measured until then is kept.</div>
        </Notice>
      );
    case 'queued':
      // Why nothing at all is started stands above the page.
      return reason === null || reason === `waiting: ${liveClient.hold?.reason ?? ''}` ? null : (
        <Notice title="This run waits">
          <div>{reason}</div>
        </Notice>
      );
    case 'running':
    case 'done':
      return null;
  }
}
