// One trace: its capacity at any zoom, its distribution, its facts, what to mind, and where it comes from.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useCallback, useMemo } from 'react';
import type { TraceRecord } from '#protocol/api';
import { TracePreview } from '#protocol/trace';
import { recipeUrl, traceFileUrl } from '../../api/actions';
import { call } from '../../api/client';
import { traceQuery } from '../../api/queries';
import type { TracePlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { plotsFor } from '../../plots/registry';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { usePageId } from '../page-id';
import { plotOptions } from '../plot-options';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { buttonClass } from '../../ui/button';
import { formatCount, formatDelay, formatDuration, formatPercent, formatRate, NO_VALUE } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Loading, Notice } from '../../ui/notice';
import { type Fact, Facts, PageHead, SearchNotice, Section } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { When } from '../../ui/when';
import page from '../../ui/page.module.css';
import css from './traces.module.css';

const TRACES = { label: 'Traces', to: '/traces' };
const PLOTS = plotsFor('trace');
const FORMS: Readonly<Record<string, string>> = {
  mahimahi: 'Mahimahi: one millisecond per line',
  'ms-count': '“ms count” text',
};

export function TracePage() {
  const id = usePageId();
  const trace = useQuery(traceQuery(id));
  useCrumbs(trace.data?.name ?? 'Trace', TRACES);
  if (trace.isPending) return <Loading label="Loading the trace" rows={3} height={120} />;
  if (trace.isError)
    return <PageProblem what="This trace" parent={TRACES} error={trace.error} onRetry={() => void trace.refetch()} />;
  return <Trace key={trace.data.id} trace={trace.data} />;
}

function Trace({ trace }: { readonly trace: TraceRecord }) {
  const { search, misread, raw, setSearch, setRaw } = useSearchState(VIEW_SEARCH);
  const { info } = trace;
  const view = useSharedView(info.period_ms / 1000, { search, setSearch });
  const loadPreview = useCallback<TracePlotData['loadPreview']>(
    ({ bins, fromMs, toMs, signal }) => {
      const query = new URLSearchParams({ bins: String(bins) });
      if (fromMs !== undefined) query.set('from_ms', String(Math.floor(fromMs)));
      if (toMs !== undefined) query.set('to_ms', String(Math.ceil(toMs)));
      return call(
        `/traces/${trace.id}/preview?${query.toString()}`,
        TracePreview,
        signal === undefined ? {} : { signal },
      );
    },
    [trace.id],
  );
  const data = useMemo<TracePlotData>(() => ({ trace, loadPreview, view }), [trace, loadPreview, view]);

  return (
    <>
      <PageHead
        title={trace.name}
        actions={
          <>
            <Link to="/new" search={{ trace: trace.id }} className={buttonClass({ kind: 'primary' })}>
              <Icon name="flask" />
              Use in experiment
            </Link>
            <a className={buttonClass({})} href={traceFileUrl(trace.id)} download>
              <Icon name="download" />
              Download
            </a>
          </>
        }
      >
        {trace.description === '' ? null : trace.description}
      </PageHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        {info.warnings.length === 0 ? null : (
          <Notice kind="warning" title="What to mind">
            {info.warnings.map((warning) => (
              <div key={warning}>{warning}</div>
            ))}
          </Notice>
        )}
      </div>
      <h2 className="visually-hidden">Capacity</h2>
      <div className={css['plots']}>
        {PLOTS.map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
        ))}
      </div>
      <Section title="Facts">
        <Facts facts={factsOf(trace)} />
      </Section>
      <Section title="Provenance">
        <dl className={css['provenance']}>
          <dt>Origin</dt>
          <dd>
            {
              {
                library: 'shipped with Paceline',
                upload: 'uploaded',
                file: 'a file named on the command line',
                recipe: 'made from a recipe on this machine',
                edit: 'an edit of another trace',
              }[trace.origin]
            }
          </dd>
          <dt>Format</dt>
          <dd>
            {FORMS[info.format] ?? info.source?.label ?? info.format}
            {info.gzip ? ', gzipped' : info.source?.packing === 'zstd' ? ', zstd' : ''}
          </dd>
          {(info.source?.options ?? []).length === 0 || info.source?.format === 'trace' ? null : (
            <>
              <dt>Read with</dt>
              <dd>{info.source?.options.map(({ label, value }) => `${label}: ${value}`).join('; ')}</dd>
            </>
          )}
          {(info.source?.notes ?? []).map((note) => (
            <Fragment key={note}>
              <dt className="visually-hidden">Note</dt>
              <dd>{note}</dd>
            </Fragment>
          ))}
          <dt>Added</dt>
          <dd>
            <When iso={trace.created_at} />
          </dd>
          {trace.origin === 'recipe' || trace.origin === 'library' ? (
            <>
              <dt>Recipe</dt>
              <dd>
                <a href={recipeUrl(trace.id)}>what it was made from, as JSON</a>
              </dd>
            </>
          ) : null}
          <dt>Content hash</dt>
          <dd className={css['hash']}>{info.sha256}</dd>
        </dl>
      </Section>
    </>
  );
}

function factsOf({ info }: TraceRecord): Fact[] {
  return [
    { label: 'Mean', value: formatRate(info.mean_mbps) },
    {
      label: 'Standard deviation',
      value: formatRate(info.std_1s_mbps),
      note: `1 s; ${formatRate(info.std_10ms_mbps)} at 10 ms`,
    },
    { label: 'Peak', value: formatRate(info.peak_1s_mbps), note: `1 s; ${formatRate(info.peak_10ms_mbps)} at 10 ms` },
    {
      label: '5 % … 95 %',
      value: `${formatRate(info.p5_1s_mbps)} … ${formatRate(info.p95_1s_mbps)}`,
      note: 'of 1 s rates',
    },
    { label: 'Longest gap', value: formatDelay(info.longest_gap_ms), note: 'without any opportunity' },
    {
      label: 'Share under 5 Mbps',
      value: formatPercent(info.share_below_5mbps_1s),
      note: `of seconds; ${formatPercent(info.share_below_5mbps_10ms)} of 10 ms`,
    },
    { label: 'Empty seconds', value: formatCount(info.empty_seconds) },
    { label: 'Length', value: formatDuration(info.period_ms / 1000), note: 'then it starts again' },
    {
      label: 'Opportunities',
      value: formatCount(info.opportunities),
      note: `at most ${formatCount(info.max_per_ms)} per ms`,
    },
    { label: 'Resolution', value: formatDelay(info.resolution_ms), note: 'constant within' },
    {
      label: 'Memory',
      value: info.acf_1e_s === null ? NO_VALUE : formatDuration(info.acf_1e_s),
      note: 'until autocorrelation is under 1/e',
    },
  ];
}
