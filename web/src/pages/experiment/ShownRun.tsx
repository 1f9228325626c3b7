// The run that is looked at while an experiment goes on: its name, how far it is, and two of its panels.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { ExperimentRecord, RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { runQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { Visibility } from '../../charts/visibility';
import { type RunFeed, useRunFeed } from '../../live/run-feed';
import type { RunPlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { RUN_PLOTS } from '../../plots/run-plots';
import { formatChosen, formatDuration, formatMeasured, UNIT_SPACE } from '../../ui/format';
import { ProgressBar } from '../../ui/progress';
import { nameRun } from '../run/describe';
import { TraceOwners } from '../TraceOwners';
import css from './experiment.module.css';

export interface LiveRunProps {
  readonly record: ExperimentRecord;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

/** Capacity with throughput, and the queue: what tells most in the least room. */
const PANELS = RUN_PLOTS.slice(0, 2);

export function ShownRun({ id, record, ccas }: LiveRunProps & { readonly id: string }) {
  const feed = useRunFeed(id);
  const { data: run } = useQuery(runQuery(id));
  return run === undefined ? null : (
    <TraceOwners of={tracesOfManifest(run.manifest)}>
      <Panels run={run} feed={feed} record={record} ccas={ccas} />
    </TraceOwners>
  );
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
