// What is running now, on the same panels as a run's own page. Runs in virtual time may last a fraction of a second: one stays on the
// screen long enough to be seen.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useMemo, useState } from 'react';
import type { ExperimentRecord, RunRecord, RunRef } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { runQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { Visibility } from '../../charts/visibility';
import { type RunFeed, useRunFeed } from '../../live/run-feed';
import type { RunPlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { plotsFor } from '../../plots/registry';
import { formatChosen, formatDuration, formatMeasured, UNIT_SPACE } from '../../ui/format';
import { Skeleton } from '../../ui/notice';
import { ProgressBar } from '../../ui/progress';
import { nameRun } from '../run/describe';
import css from './experiment.module.css';

const SHOW_MS = 1500;
/** Capacity with throughput, and the queue: what tells most in the least room. */
const PANELS = plotsFor('run').slice(0, 2);

/** The run to show: the first that is not over, changed no more often than can be followed. */
function useShownRun(runs: readonly RunRef[]): string | undefined {
  const running = runs.find((run) => run.state === 'running') ?? runs.find((run) => run.state === 'queued');
  const wanted = running?.id;
  const [shown, setShown] = useState(wanted);
  const [since, setSince] = useState(() => performance.now());
  const current = runs.find((run) => run.id === shown);
  const stale = wanted !== undefined && wanted !== shown && current?.state !== 'running';
  useEffect(() => {
    if (!stale) return;
    const timer = setTimeout(
      () => {
        setShown(wanted);
        setSince(performance.now());
      },
      Math.max(0, SHOW_MS - (performance.now() - since)),
    );
    return () => clearTimeout(timer);
  }, [stale, wanted, since]);
  return shown ?? wanted;
}

export function LiveRun({
  record,
  ccas,
}: {
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}) {
  const id = useShownRun(record.runs);
  return id === undefined ? null : <Shown key={id} id={id} record={record} ccas={ccas} />;
}

function Shown({
  id,
  record,
  ccas,
}: {
  readonly id: string;
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}) {
  const feed = useRunFeed(id);
  const run = useQuery(runQuery(id));
  return (
    <section className={css['live']} aria-label="Live">
      {run.data === undefined ? (
        <Skeleton height={300} />
      ) : (
        <Panels run={run.data} feed={feed} record={record} ccas={ccas} />
      )}
    </section>
  );
}

interface PanelsProps {
  readonly run: RunRecord;
  readonly feed: RunFeed;
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

function Panels({ run, feed, record, ccas }: PanelsProps) {
  const { manifest, id } = run;
  const { store } = feed;
  const view = useMemo(() => new TimeView({ extent: [0, manifest.duration_s] }), [manifest.duration_s]);
  const visibility = useMemo(() => new Visibility(), []);
  const data = useMemo<RunPlotData>(
    () => ({ id, manifest, samples: store, ccas, view, visibility }),
    [id, manifest, store, ccas, view, visibility],
  );
  const name = nameRun(run, ccas, record);
  const eta = feed.status?.etaS ?? null;
  return (
    <>
      <div className={css['liveHead']}>
        <h2>
          <Link to="/r/$id" params={{ id }}>
            {name.title}
          </Link>
        </h2>
        <time>
          {formatMeasured(store.timeS)} / {formatChosen(manifest.duration_s)}
          {UNIT_SPACE}s{eta === null ? '' : ` ·${UNIT_SPACE}${formatDuration(eta)} left`}
        </time>
      </div>
      <ProgressBar label="Progress of the run" value={store.timeS / manifest.duration_s} />
      <Plots data={data} />
    </>
  );
}

/** Renders only when something else than samples changed: those go straight to the canvases. */
const Plots = memo(function Plots({ data }: { readonly data: RunPlotData }) {
  return (
    <div className={css['livePanels']}>
      {PANELS.map((plot) => (
        <PlotView key={plot.id} plot={plot} data={data} height={200} />
      ))}
    </div>
  );
});
