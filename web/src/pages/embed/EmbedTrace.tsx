// One figure of a trace.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TraceRecord } from '#protocol/api';
import { loadPreview } from '../../api/actions';
import { dynamicsQuery, marksQuery, traceQuery } from '../../api/queries';
import type { TracePlotData } from '../../plots/data';
import { TRACE_PLOTS } from '../../plots/trace-plots';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { Embedded, EmbedFrame, EmbedLoading, EmbedProblem } from './EmbedFrame';
import { useEmbedSearch } from './use-embed-search';

export function EmbedTrace({ id, plot }: { readonly id: string; readonly plot: string }) {
  const trace = useQuery(traceQuery(id));
  if (trace.isPending) return <EmbedLoading />;
  if (trace.isError) return <EmbedProblem error={trace.error} />;
  return <Trace trace={trace.data} plot={plot} />;
}

function Trace({ trace, plot }: { readonly trace: TraceRecord; readonly plot: string }) {
  const state = useEmbedSearch(VIEW_SEARCH);
  const view = useSharedView(trace.info.period_ms / 1000, state);
  const dynamics = useQuery(dynamicsQuery(trace.id));
  const marks = useQuery(marksQuery(trace.id));
  const [known, told] = [dynamics.data ?? null, marks.data ?? null];
  const data = useMemo<TracePlotData>(
    () => ({ trace, loadPreview: (request) => loadPreview(trace.id, request), dynamics: known, marks: told, view }),
    [trace, known, told, view],
  );
  return (
    <EmbedFrame name={trace.name} ready={!dynamics.isPending && !marks.isPending}>
      <Embedded plots={TRACE_PLOTS} plot={plot} data={data} raw={state.raw} setRaw={state.setRaw} />
    </EmbedFrame>
  );
}
