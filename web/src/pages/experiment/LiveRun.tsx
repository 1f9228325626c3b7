// What runs now: the newest run large, on the same panels as on its own page, and every cell small. A run is held until the next one
// has samples: no axis is ever empty once there was something to show, and nothing changes its place.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useMemo, useState } from 'react';
import type { ExperimentRecord, RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { runQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { Visibility } from '../../charts/visibility';
import { type RunFeed, useRunFeed } from '../../live/run-feed';
import type { RunPlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { plotsFor } from '../../plots/registry';
import { formatChosen, formatDuration, formatMeasured, UNIT_SPACE } from '../../ui/format';
import { ProgressBar } from '../../ui/progress';
import { useTallest } from '../../ui/use-tallest';
import { nameRun } from '../run/describe';
import { CellSparks } from './CellSparks';
import { useNewestRun } from './newest-run';
import css from './experiment.module.css';

/** Capacity with throughput, and the queue: what tells most in the least room. */
const PANELS = plotsFor('run').slice(0, 2);

interface LiveRunProps {
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

export function LiveRun({ record, ccas }: LiveRunProps) {
  const newest = useNewestRun(record);
  const [shown, setShown] = useState<string | null>(null);
  const room = useTallest<HTMLDivElement>();
  return (
    <section className={css['live']} aria-label="Live">
      {newest === null || newest === shown ? null : <Arrival key={newest} id={newest} onArrived={setShown} />}
      <div ref={room} className={css['newest']}>
        {shown === null ? (
          <p className={css['waiting']}>Waiting for the first samples …</p>
        ) : (
          <Shown id={shown} record={record} ccas={ccas} />
        )}
      </div>
      <div className={css['liveHead']}>
        <h2>Every cell</h2>
        <span>rate over capacity; below, how full the queue is</span>
      </div>
      <CellSparks record={record} ccas={ccas} />
    </section>
  );
}

/** Waits for the first samples of a run, of its link and of all its flows. */
function Arrival({ id, onArrived }: { readonly id: string; readonly onArrived: (id: string) => void }) {
  const { store } = useRunFeed(id);
  const run = useQuery(runQuery(id));
  const here =
    run.data !== undefined && store.streams.size > 0 && [...store.streams.values()].every(({ rows }) => rows > 0);
  useEffect(() => {
    if (here) onArrived(id);
  }, [here, id, onArrived]);
  return null;
}

function Shown({ id, record, ccas }: LiveRunProps & { readonly id: string }) {
  const feed = useRunFeed(id);
  const { data: run } = useQuery(runQuery(id));
  return run === undefined ? null : <Panels run={run} feed={feed} record={record} ccas={ccas} />;
}

interface PanelsProps extends LiveRunProps {
  readonly run: RunRecord;
  readonly feed: RunFeed;
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
