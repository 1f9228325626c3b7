// One trace: its capacity at any zoom, its distribution, its facts, what to mind, and where it comes from.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { TraceRecord } from '#protocol/api';
import { loadPreview } from '../../api/actions';
import { dynamicsQuery, marksQuery, traceQuery } from '../../api/queries';
import type { TracePlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { TRACE_PLOTS } from '../../plots/trace-plots';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { OrganiseHead } from '../organise/OrganiseHead';
import { PrivateBadge } from '../Private';
import { usePublishing } from '../use-publishing';
import { usePageId } from '../page-id';
import { plotOptions } from '../plot-options';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { DownloadAs } from './DownloadAs';
import { EditLink } from './EditLink';
import { factsOf } from './trace-facts';
import { TraceFlags } from './TraceFlags';
import { TraceProvenance } from './TraceProvenance';
import { ShareButton } from '../../share/ShareButton';
import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icons';
import { Loading, ProblemNotice } from '../../ui/notice';
import { Facts, SearchNotice, Section } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import page from '../../ui/page.module.css';
import look from './look.module.css';

const TRACES = { label: 'Traces', to: '/traces' };
export function TracePage() {
  const id = usePageId();
  const trace = useQuery(traceQuery(id));
  useCrumbs(trace.data?.name ?? 'Trace', TRACES);
  if (trace.isPending) return <Loading label="Loading the trace" rows={3} height={120} />;
  if (trace.isError)
    return (
      <PageProblem
        what="This trace"
        parent={TRACES}
        error={trace.error}
        onRetry={() => void trace.refetch()}
        thing={{ kind: 'trace', id }}
      />
    );
  return <Trace key={trace.data.id} trace={trace.data} />;
}

function Trace({ trace }: { readonly trace: TraceRecord }) {
  const { search, misread, raw, setSearch, setRaw } = useSearchState(VIEW_SEARCH);
  const { info } = trace;
  const publishing = usePublishing({ kind: 'trace', id: trace.id, name: trace.name }, trace);
  const view = useSharedView(info.period_ms / 1000, { search, setSearch });
  const dynamics = useQuery(dynamicsQuery(trace.id));
  const known = dynamics.data ?? null;
  const marks = useQuery(marksQuery(trace.id));
  const told = marks.data ?? null;
  const data = useMemo<TracePlotData>(
    () => ({ trace, loadPreview: (request) => loadPreview(trace.id, request), dynamics: known, marks: told, view }),
    [trace, known, told, view],
  );

  return (
    <>
      <OrganiseHead
        thing={{ kind: 'trace', id: trace.id, name: trace.name }}
        fixed={trace.origin === 'library'}
        badge={<PrivateBadge of={trace} />}
        menu={publishing.menu}
        {...(trace.origin === 'library' ? {} : { deletable: { to: '/traces' as const } })}
        actions={
          <>
            <Link to="/new" search={{ trace: trace.id }} className={buttonClass({ kind: 'primary' })}>
              <Icon name="flask" />
              Use in experiment
            </Link>
            <Link to="/traces/compare" search={{ ids: trace.id }} className={buttonClass({})}>
              Compare
            </Link>
            <EditLink id={trace.id} />
            <ShareButton name={trace.name} />
            <DownloadAs trace={trace} />
          </>
        }
      >
        {trace.description === '' ? null : trace.description}
      </OrganiseHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        <TraceFlags info={info} view={view} />
        {marks.isError ? <ProblemNotice error={marks.error} onRetry={() => void marks.refetch()} /> : null}
        {dynamics.isError ? <ProblemNotice error={dynamics.error} onRetry={() => void dynamics.refetch()} /> : null}
      </div>
      <h2 className="visually-hidden">Figures</h2>
      <div className={look['side']}>
        {TRACE_PLOTS.map((plot, i) => (
          <div key={plot.id} className={i === 0 ? look['wide'] : undefined}>
            <PlotView plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
          </div>
        ))}
      </div>
      <Section title="Facts">
        <Facts facts={factsOf(trace, dynamics.data ?? null)} />
      </Section>
      <TraceProvenance trace={trace} />
      {publishing.dialog}
    </>
  );
}
