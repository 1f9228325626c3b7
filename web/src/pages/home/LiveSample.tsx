// The product at work before anybody has pressed anything: the sample that the server ran at its first start, replayed in a loop.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { enginesQuery, homeQuery, runQuery } from '../../api/queries';
import { anyOf } from '../../charts/any-of';
import { TimeSeriesPanel } from '../../charts/TimeSeriesPanel';
import { TimeView } from '../../charts/time-view';
import { Visibility } from '../../charts/visibility';
import { useRunFeeds } from '../../live/run-feed';
import { useReplay } from '../../live/use-replay';
import type { RunSamples } from '../../plots/data';
import { motionReduced } from '../../settings/preferences';
import { useTheme } from '../../theme/theme';
import { IconButton } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { formatDuration } from '../../ui/format';
import { ProblemNotice, Skeleton } from '../../ui/notice';
import { useWidth } from '../../ui/use-width';
import { capacityName } from '../run/describe';
import { samplePanels } from './sample-panels';
import css from './home.module.css';

const HEIGHTS = { throughput: 210, queue: 120 };

export function LiveSample() {
  const home = useQuery(homeQuery);
  const engines = useQuery(enginesQuery);
  const ids = home.data?.runs ?? [];
  const runs = useQueries({ queries: ids.map((id) => runQuery(id)) });
  const records = runs.flatMap((run) => run.data ?? []);
  const error = home.error ?? engines.error ?? runs.find((run) => run.error !== null)?.error ?? null;
  return (
    <section className={css['sample']} aria-label="Live sample">
      {error !== null ? (
        <ProblemNotice error={error} onRetry={() => void home.refetch()} />
      ) : engines.data === undefined || ids.length === 0 || records.length < ids.length ? (
        <div className={css['waiting']} role="status">
          {home.data === undefined ? <Skeleton height={300} /> : 'Running the first sample …'}
        </div>
      ) : (
        <Sample
          key={ids.join()}
          records={records}
          ccas={engines.data.ccas}
          experiment={home.data?.experiment ?? null}
        />
      )}
    </section>
  );
}

interface SampleProps {
  readonly records: readonly RunRecord[];
  readonly ccas: readonly CcaDescriptor[];
  readonly experiment: string | null;
}

function Sample({ records, ccas, experiment }: SampleProps) {
  const theme = useTheme();
  const feeds = useRunFeeds(records.map((record) => record.id));
  const stores = useMemo<readonly RunSamples[]>(() => feeds.map((feed) => feed.store), [feeds]);
  const ready = stores.every((store) => store.complete && store.streams.size > 0);
  const { replay, state } = useReplay(stores, { loop: true, speed: 2 });
  const duration = Math.max(...records.map((record) => record.manifest.duration_s));
  const view = useMemo(() => new TimeView({ extent: [0, duration] }), [duration]);
  const visibility = useMemo(() => new Visibility(), []);
  const [room, width] = useWidth<HTMLDivElement>();

  // With reduced motion the whole run is shown and nothing moves until somebody presses play.
  useEffect(() => {
    if (ready && !motionReduced()) replay.play();
  }, [ready, replay]);

  const runs = useMemo(
    () =>
      state.samples.map((samples, i) => {
        const id = records[i]?.manifest.flows[0]?.cca.id ?? '';
        const cca = ccas.find((candidate) => candidate.id === id);
        return { samples, whole: stores[i] ?? samples, cca, label: cca?.label ?? id };
      }),
    [state.samples, stores, records, ccas],
  );
  const streams = runs.map((run) => run.samples.streams.size).join();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- panels are made again when a stream appears
  const panels = useMemo(() => samplePanels(runs, theme), [runs, theme, streams]);
  const source = useMemo(() => anyOf(state.samples), [state.samples]);
  const common = { view, visibility, width, source };
  const first = records[0];
  return (
    <>
      <div className={css['sampleHead']}>
        <h2>
          {runs.map((run) => run.label).join(' and ')}
          {first === undefined ? '' : `, each alone on ${capacityName(first.manifest.forward)}`}
        </h2>
        <div className={css['legend']}>
          <span>
            <i className={css['swatch']} /> capacity
          </span>
          {runs.map((run) => (
            <span key={run.label}>
              <CcaMark cca={run.cca} size={12} /> {run.label}
            </span>
          ))}
        </div>
      </div>
      <div ref={room}>
        {width === 0 ? null : (
          <>
            <div className={css['panelTitle']}>Throughput</div>
            <TimeSeriesPanel spec={panels.throughput} height={HEIGHTS.throughput} timeAxis={false} {...common} />
            <div className={css['panelTitle']}>Queue</div>
            <TimeSeriesPanel spec={panels.queue} height={HEIGHTS.queue} {...common} />
          </>
        )}
      </div>
      <div className={css['sampleFoot']}>
        <span>
          {formatDuration(duration)} of link time, replayed at {replay.speed}× from real samples.{' '}
          {experiment === null ? null : (
            <Link to="/e/$id" params={{ id: experiment }}>
              Open the experiment
            </Link>
          )}
        </span>
        <IconButton
          size="small"
          icon={state.playing ? 'pause' : 'play'}
          label={state.playing ? 'Pause the sample' : 'Play the sample'}
          onPress={() => replay.toggle()}
        />
      </div>
    </>
  );
}
