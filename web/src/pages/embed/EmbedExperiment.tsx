// One figure of an experiment, filling in while it goes on.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ExperimentRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { drawnOf, figuresQuery } from '../../api/figures';
import { enginesQuery } from '../../api/queries';
import { sampledQuery } from '../../api/sampled';
import type { ExperimentPlotData } from '../../plots/data';
import { EXPERIMENT_PLOTS } from '../../plots/experiment-plots';
import { POOLED_PLOTS } from '../../plots/pooled-plots';
import { goesOn } from '../experiment/goes-on';
import { useExperiment } from '../experiment/use-experiment';
import { DATA_SEARCH, useExperimentData } from '../experiment/use-experiment-data';
import { SpecOwners } from '../TraceOwners';
import { Embedded, EmbedFrame, EmbedLoading, EmbedProblem } from './EmbedFrame';
import { useEmbedSearch } from './use-embed-search';

const PLOTS = [...EXPERIMENT_PLOTS, ...POOLED_PLOTS];

export function EmbedExperiment({ id, plot }: { readonly id: string; readonly plot: string }) {
  const experiment = useExperiment(id);
  const engines = useQuery(enginesQuery);
  const record = experiment.data;
  const large = record?.runs_next !== undefined;
  const figures = useQuery({ ...figuresQuery(id, record !== undefined && goesOn(record.state)), enabled: large });
  const error = experiment.error ?? engines.error ?? figures.error;
  const listing = engines.data?.ccas;
  const drawn = useMemo(
    () => (figures.data === undefined || listing === undefined ? undefined : drawnOf(figures.data, listing)),
    [figures.data, listing],
  );
  if (error !== null && record === undefined) return <EmbedProblem error={error} />;
  if (record === undefined || listing === undefined || (large && drawn === undefined)) return <EmbedLoading />;
  return (
    <SpecOwners spec={record.spec}>
      <Experiment record={record} figures={drawn} listing={listing} plot={plot} />
    </SpecOwners>
  );
}

interface ExperimentProps {
  readonly record: ExperimentRecord;
  readonly figures: ExperimentPlotData['figures'];
  readonly listing: readonly CcaDescriptor[];
  readonly plot: string;
}

function Experiment({ record, figures, listing, plot }: ExperimentProps) {
  const state = useEmbedSearch(DATA_SEARCH);
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const { data, settled } = useExperimentData({ record, figures, ccas }, state);
  // Who asks for one that there is not is told of all that there are.
  const pooled = !EXPERIMENT_PLOTS.some(({ id }) => id === plot);
  const sampled = useQuery({ ...sampledQuery(record.id, record.runs_done), enabled: pooled });
  const all = useMemo(() => ({ ...data, sampled: sampled.data }), [data, sampled.data]);
  const waits = pooled && sampled.isPending;
  if (sampled.error !== null) return <EmbedProblem error={sampled.error} />;
  return (
    <EmbedFrame name={record.name} ready={settled && !waits}>
      {waits ? null : <Embedded plots={PLOTS} plot={plot} data={all} raw={state.raw} setRaw={state.setRaw} />}
    </EmbedFrame>
  );
}
