// One figure of a run: live while it goes, as its page shows it.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { RunRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { enginesQuery, experimentQuery, marksQuery, runQuery, traceQuery } from '../../api/queries';
import { TimeAxis } from '../../charts/TimeAxis';
import { isOver } from '../../live/live-client';
import { useRunFeed } from '../../live/run-feed';
import type { RunPlotData, RunSamples } from '../../plots/data';
import { OVER_PLOTS } from '../../plots/over-plots';
import { RUN_PLOTS } from '../../plots/run-plots';
import { nameRun } from '../run/describe';
import { HIDE_SEARCH, useSharedVisibility } from '../run/shared-visibility';
import { REPLAY_SEARCH, useSharedReplay } from '../run/use-shared-replay';
import { TraceOwners } from '../TraceOwners';
import { useOracles } from '../use-oracles';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { Embedded, EmbedFrame, EmbedLoading, EmbedProblem } from './EmbedFrame';
import { useEmbedSearch } from './use-embed-search';

const SEARCH = { ...VIEW_SEARCH, ...HIDE_SEARCH, ...REPLAY_SEARCH };

export function EmbedRun({ id, plot }: { readonly id: string; readonly plot: string }) {
  const run = useQuery(runQuery(id));
  const engines = useQuery(enginesQuery);
  const error = run.error ?? engines.error;
  if (error !== null) return <EmbedProblem error={error} />;
  if (run.data === undefined || engines.data === undefined) return <EmbedLoading />;
  return (
    <TraceOwners of={tracesOfManifest(run.data.manifest)}>
      <Run run={run.data} listing={engines.data} plot={plot} />
    </TraceOwners>
  );
}

interface RunProps {
  readonly run: RunRecord;
  readonly listing: EngineListing;
  readonly plot: string;
}

function Run({ run, listing, plot }: RunProps) {
  const { manifest } = run;
  const { store, status } = useRunFeed(run.id);
  const state = useEmbedSearch(SEARCH);
  const over = isOver(status?.state ?? run.state);
  const runs = useMemo<readonly RunSamples[]>(() => [store], [store]);
  const { state: replaying } = useSharedReplay(runs, state, over);
  const samples = over ? (replaying.samples[0] ?? store) : store;
  const view = useSharedView(manifest.duration_s, state, replaying.whole);
  useEffect(() => {
    const head = (): void => view.setHead(samples.timeS);
    head();
    return samples.subscribe(head);
  }, [samples, view]);
  const { setSearch } = state;
  const setHide = useCallback((hide: string[]) => setSearch({ hide }), [setSearch]);
  const visibility = useSharedVisibility(state.search.hide, setHide);

  const ccas = useMemo(() => new Map(listing.ccas.map((cca) => [cca.id, cca])), [listing]);
  const home = run.experiments[0];
  const experiment = useQuery({ ...experimentQuery(home?.id ?? ''), enabled: home !== undefined });
  const { capacity } = manifest.forward;
  const traced = capacity.kind === 'trace';
  const trace = useQuery({ ...traceQuery(traced ? capacity.sha256 : ''), enabled: traced });
  const marks = useQuery({ ...marksQuery(trace.data?.id ?? ''), enabled: over && trace.data !== undefined });
  const [info, told] = [trace.data?.info, marks.data?.marks];
  const linked = useMemo(() => [{ id: run.id, label: '', manifest }], [run.id, manifest]);
  const oracle = useOracles(linked, samples, ccas, state.raw);
  const data = useMemo<RunPlotData>(
    () => ({
      id: run.id,
      manifest,
      samples,
      ccas,
      view,
      visibility,
      oracle,
      sharedAxis: true,
      ...(info === undefined ? {} : { meanCapacity: info.mean_mbps }),
      ...(info === undefined || told === undefined ? {} : { traceMarks: { marks: told, period_ms: info.period_ms } }),
    }),
    [run.id, manifest, samples, ccas, view, visibility, oracle, info, told],
  );
  const complete = useSyncExternalStore(store.subscribe, () => store.complete);
  const settled = !experiment.isLoading && !trace.isLoading && !marks.isLoading && oracle?.state !== 'asked';
  const overTime = RUN_PLOTS.some(({ id }) => id === plot);
  return (
    <EmbedFrame name={nameRun(run, ccas, experiment.data).title} ready={settled && (complete || !over)}>
      <Embedded plots={[...RUN_PLOTS, ...OVER_PLOTS]} plot={plot} data={data} raw={state.raw} setRaw={state.setRaw} />
      {overTime ? <TimeAxis view={view} /> : null}
    </EmbedFrame>
  );
}
