// One experiment: what runs now, the frontier filling in, scores, the table behind them, and every cell of the matrix.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { isMeasured } from '#analysis/kinds';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { bundleUrl, EXPORT_FORMATS, exportUrl, reportUrl, retryExperiment, stopExperiment } from '../../api/actions';
import { enginesQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { forgetRun } from '../../live/run-feed';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { OrganiseHead } from '../organise/OrganiseHead';
import { PrivateBadge } from '../Private';
import { usePublishing } from '../use-publishing';
import { MadeBy } from '../MadeBy';
import { usePageId } from '../page-id';
import { LiveOnly } from '../../share/frozen';
import { ShareButton } from '../../share/ShareButton';
import { Button, buttonClass } from '../../ui/button';
import { formatCount, formatDuration, plural } from '../../ui/format';
import type { MenuEntry } from '../../ui/overlay';
import { Icon } from '../../ui/icons';
import { lazyPart } from '../../ui/lazy-part';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { Badge } from '../../ui/page';
import { PageSkeleton } from '../../ui/page-skeleton';
import { ProgressBar } from '../../ui/progress';
import { AnswersToCome } from './Answers';
import { goesOn } from './goes-on';
import { LiveRun } from './LiveRun';
import { fetchWeights, FiguresToCome, Results } from './Results';
import { useExperiment } from './use-experiment';
import { When } from '../../ui/when';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

/** Most experiments have runs that a page can hold. */
const LargeExperiment = lazyPart(async () => ({ default: (await import('./LargeExperiment')).LargeExperiment }));
const SaveTemplate = lazyPart(async () => ({ default: (await import('../templates/SaveTemplate')).SaveTemplate }));
const SpecDialog = lazyPart(async () => ({ default: (await import('./SpecDialog')).SpecDialog }));

const HOME = { label: 'Experiments', to: '/' };
export function ExperimentPage() {
  const id = usePageId();
  const experiment = useExperiment(id);
  const engines = useQuery(enginesQuery);
  // They come while the data does; what cannot be fetched is told where it is shown.
  useEffect(() => void Promise.allSettled([fetchWeights()]), []);
  // One that was at hand is shown in one go: who comes back to it stands where they were.
  const [awaited, setAwaited] = useState('');
  if (experiment.data === undefined && awaited !== id) setAwaited(id);
  const error = experiment.error ?? engines.error;
  if (error !== null && experiment.data === undefined)
    return (
      <PageProblem
        what="This experiment"
        parent={HOME}
        error={error}
        onRetry={() => void Promise.all([experiment.refetch(), engines.refetch()])}
        thing={{ kind: 'experiment', id }}
      />
    );
  if (experiment.data === undefined || engines.data === undefined)
    return (
      <PageSkeleton label="Loading the experiment" sub labels actions={[106, 132, 91, 82, 133, 42]}>
        <AnswersToCome />
        <FiguresToCome />
      </PageSkeleton>
    );
  return <Experiment key={id} record={experiment.data} listing={engines.data.ccas} awaited={awaited === id} />;
}

/** What else can be done with an experiment. */
const moreOf = (id: string, navigate: ReturnType<typeof useNavigate>, save: () => void): readonly MenuEntry[] => [
  {
    id: 'duplicate',
    label: 'Duplicate',
    icon: 'copy',
    onAction: () => void navigate({ to: '/new', search: { from: id, copy: '1' } }),
  },
  {
    id: 'regress',
    label: 'Hold against another engine …',
    icon: 'retry',
    onAction: () => void navigate({ to: '/compare', search: { regress: id } }),
  },
  {
    id: 'template',
    label: 'Save as template',
    icon: 'plus',
    onAction: save,
  },
];

function Experiment({
  record,
  listing,
  awaited,
}: {
  readonly record: ExperimentRecord;
  readonly listing: readonly CcaDescriptor[];
  readonly awaited: boolean;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [fault, setFault] = useState<unknown>(null);
  const [spec, setSpec] = useState(false);
  const [saving, setSaving] = useState(false);
  const running = goesOn(record.state);
  // What somebody has watched stays in its place when it is over.
  const [watched, setWatched] = useState(running);
  if (running && !watched) setWatched(true);
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const large = record.runs_next !== undefined;
  const publishing = usePublishing({ kind: 'experiment', id: record.id, name: record.name }, record);
  useCrumbs(record.name, HOME);
  const { spec: asked } = record;
  const retry = (): void => {
    const again = record.runs.filter(({ state }) => isOver(state) && state !== 'done');
    retryExperiment(queries, record.id, () => again.forEach(({ id }) => forgetRun(id))).catch(setFault);
  };
  return (
    <>
      <OrganiseHead
        thing={{ kind: 'experiment', id: record.id, name: record.name }}
        badge={
          <>
            <StateBadge record={record} /> <PrivateBadge of={record} />
          </>
        }
        menu={[...moreOf(record.id, navigate, () => setSaving(true)), ...publishing.menu]}
        deletable={{ to: '/' }}
        actions={
          <>
            <ShareButton name={record.name} going={running} />
            <Downloads id={record.id} />
            <a className={buttonClass({})} href={reportUrl(record.id)} download={`paceline-${record.id}.html`}>
              <Icon name="download" />
              Report
            </a>
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
        <MadeBy maker={record.made_by} />
        {asked.note === '' ? null : <div>{asked.note}</div>}
      </OrganiseHead>
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
        <Suspense fallback={<Loading label="Loading figures" />}>
          <LargeExperiment record={record} listing={listing} ccas={ccas} watched={watched} />
        </Suspense>
      ) : (
        <Results record={record} ccas={ccas} watched={watched} awaited={awaited} />
      )}
      {publishing.dialog}
      {saving ? (
        <Suspense fallback={null}>
          <SaveTemplate record={record} onClose={() => setSaving(false)} />
        </Suspense>
      ) : null}
      {spec ? (
        <Suspense fallback={null}>
          <SpecDialog spec={record.spec} onClose={() => setSpec(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

const Downloads = ({ id }: { readonly id: string }) => (
  <MenuButton
    icon="download"
    aria-label="Download"
    entries={[
      ...EXPORT_FORMATS.map((format) => ({
        id: format,
        label: `Results as ${format === 'parquet' ? 'Parquet' : format.toUpperCase()}`,
        href: exportUrl('experiments', id, format),
        download: true,
      })),
      {
        id: 'latex',
        label: 'Results as LaTeX table',
        href: exportUrl('experiments', id, 'latex'),
        download: true,
      },
      { id: 'bundle', label: 'All of it as a bundle (zip)', href: bundleUrl(id), download: true },
    ]}
  >
    Download
  </MenuButton>
);

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
        {goesOn(record.state) ? (
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
  const uncounted = record.runs.filter((run) => run.state === 'invalid');
  const retry = goesOn(record.state) ? undefined : (
    <LiveOnly>
      <Button size="small" icon="retry" onPress={onRetry}>
        Run again what is missing
      </Button>
    </LiveOnly>
  );
  if (record.runs_next !== undefined)
    // Of a large experiment the page holds some of the runs only.
    return goesOn(record.state) || record.state === 'done' ? null : (
      <Notice kind="warning" title={record.state === 'failed' ? 'All runs failed' : 'Stopped'} actions={retry}>
        {plural(record.runs_done, 'run')} of {formatCount(record.runs_total)} ended well,{' '}
        {formatCount(record.runs_failed)} failed.
      </Notice>
    );
  if (failed.length > 0) {
    return (
      <Notice kind="problem" title={`${plural(failed.length, 'run')} failed`} actions={retry}>
        <Reasons of={failed} />
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
  if (uncounted.length > 0)
    return (
      <Notice
        kind="warning"
        title={plural(uncounted.length, 'run does not count', 'runs do not count')}
        actions={retry}
      >
        <Reasons of={uncounted} />
      </Notice>
    );
  return null;
}

const REASONS_SHOWN = 3;

function Reasons({ of }: { readonly of: readonly RunRef[] }) {
  const reasons = [...new Set(of.map((run) => run.reason ?? 'no reason given'))];
  const more = reasons.length - REASONS_SHOWN;
  return (
    <>
      {reasons.slice(0, REASONS_SHOWN).map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      {more > 0 ? <div>and {plural(more, 'other')}</div> : null}
    </>
  );
}
