// Several traces beside one another: the same time, the same scales, the same figures.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { TraceRecord } from '#protocol/api';
import { loadPreview } from '../../api/actions';
import { dynamicsQuery, traceQuery, tracesQuery } from '../../api/queries';
import { useTheme } from '../../theme/theme';
import type { ComparisonPlotData } from '../../plots/data';
import { traceSeries } from '../../plots/comparison';
import { PlotView } from '../../plots/plot-view';
import { COMPARISON_PLOTS } from '../../plots/comparison-plots';
import { LatexButton } from '../../charts/LatexButton';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { plotOptions } from '../plot-options';
import { HIDE_SEARCH, useSharedVisibility } from '../run/shared-visibility';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { COMPARISON, comparedCells, comparisonTable } from './comparison-table';
import { LiveOnly } from '../../share/frozen';
import { ShareButton } from '../../share/ShareButton';
import { IconButton } from '../../ui/button';
import { Select } from '../../ui/choice';
import { cx } from '../../ui/cx';
import { alignDecimals } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { PageHead, SearchNotice, Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { listText, useSearchState } from '../../ui/search';
import { MOST_COMPARED } from './most-compared';
import page from '../../ui/page.module.css';
import css from './compare.module.css';

const TRACES = { label: 'Traces', to: '/traces' };
const SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  /** Content hashes. */
  ids: { codec: listText, initial: [] as string[] },
};

export function ComparePage() {
  const { search } = useSearchState(SEARCH);
  const ids = [...new Set(search.ids)].filter(Boolean).slice(0, MOST_COMPARED);
  const { records, error, refetch } = useQueries({
    queries: ids.map((id) => traceQuery(id)),
    combine: (results) => ({
      records: results.flatMap(({ data }) => data ?? []),
      error: results.find((result) => result.error !== null)?.error ?? null,
      refetch: () => void Promise.all(results.map((result) => result.refetch())),
    }),
  });
  useCrumbs('Compare', TRACES);
  if (error !== null) return <PageProblem what="One of these traces" parent={TRACES} error={error} onRetry={refetch} />;
  if (records.length < ids.length) return <Loading label="Loading the traces" rows={4} height={140} />;
  return <Compared key={ids.join()} records={records} />;
}

function Compared({ records }: { readonly records: readonly TraceRecord[] }) {
  const state = useSearchState(SEARCH);
  const { search, misread, raw, setSearch, setRaw } = state;
  const longest = Math.max(1, ...records.map(({ info }) => info.period_ms)) / 1000;
  const view = useSharedView(longest, state);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const { dynamics, failed } = useQueries({
    queries: records.map(({ id }) => dynamicsQuery(id)),
    combine: (results) => ({
      dynamics: results.map((result) => result.data ?? null),
      failed: results.find((result) => result.error !== null) ?? null,
    }),
  });
  const data = useMemo<ComparisonPlotData>(
    () => ({
      traces: records.map((trace, i) => ({
        trace,
        dynamics: dynamics[i] ?? null,
        loadPreview: (request) => loadPreview(trace.id, request),
      })),
      view,
      visibility,
    }),
    [records, dynamics, view, visibility],
  );
  const setIds = (ids: readonly string[]): void => setSearch({ ids: [...ids] });
  const ids = records.map(({ id }) => id);
  return (
    <>
      <PageHead
        title={records.length < 2 ? 'Compare traces' : `${records.length} traces compared`}
        actions={
          records.length === 0 ? undefined : <ShareButton name={records.map(({ name }) => name).join(' and ')} />
        }
      >
        Capacity over the same time on the same scale, distributions and autocorrelations over one another.
      </PageHead>
      <SearchNotice misread={misread} />
      <LiveOnly>
        <div className={css['add']}>
          <AddTrace ids={ids} onAdd={(id) => setIds([...ids, id])} />
        </div>
      </LiveOnly>
      {failed === null ? null : <ProblemNotice error={failed.error} onRetry={() => void failed.refetch()} />}
      {records.length < 2 ? (
        <Notice kind="info" title="Two traces are needed">
          {records.length === 0 ? 'Choose them above' : 'Choose another one above'}, or tick them in the{' '}
          <Link to="/traces">list of traces</Link>.
        </Notice>
      ) : null}
      {records.length === 0 ? null : (
        <>
          <h2 className="visually-hidden">Figures</h2>
          <div className={css['plots']}>
            {COMPARISON_PLOTS.map((plot, i) => (
              <div key={plot.id} className={i === 0 ? css['wide'] : undefined}>
                <PlotView plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
              </div>
            ))}
          </div>
          <Section
            title="Figures"
            note="Of the whole traces. ▲ marks what a sender would like best, ▽ what it would like least."
            aside={
              <LatexButton
                name="traces"
                caption="Figures of whole traces."
                table={() => comparisonTable(data.traces)}
              />
            }
          >
            <ComparisonTable data={data} onRemove={(id) => setIds(ids.filter((other) => other !== id))} />
          </Section>
        </>
      )}
    </>
  );
}

function AddTrace({ ids, onAdd }: { readonly ids: readonly string[]; readonly onAdd: (id: string) => void }) {
  const traces = useQuery(tracesQuery);
  if (ids.length >= MOST_COMPARED) return <small>{`More than ${MOST_COMPARED} cannot be told apart.`}</small>;
  const options = (traces.data ?? [])
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, name }) => ({ id, label: name }));
  return (
    <Select
      label="Add a trace"
      hideLabel
      value=""
      options={[{ id: '', label: 'Add a trace …', disabled: true }, ...options]}
      onChange={(id) => id !== '' && onAdd(id)}
    />
  );
}

const MARKS = { best: '▲', worst: '▽' } as const;
const RANKS: Readonly<Record<keyof typeof MARKS, string>> = { best: 'best', worst: 'worst' };

function ComparisonTable({
  data,
  onRemove,
}: {
  readonly data: ComparisonPlotData;
  readonly onRemove: (id: string) => void;
}) {
  const theme = useTheme();
  const series = traceSeries(data, theme);
  const columns = COMPARISON.map((column) => {
    const cells = comparedCells(column, data.traces);
    const aligned = alignDecimals(cells.map(({ text }) => text));
    return { column, cells: cells.map((cell, i) => ({ ...cell, text: aligned[i] ?? cell.text })) };
  });
  return (
    <WideTable label="Figures of the traces" className={page['tall']}>
      <table className={cx(page['pinned'], css['figures'])}>
        <thead>
          <tr>
            <th scope="col">Trace</th>
            {columns.map(({ column }) => (
              <th key={column.title} scope="col">
                {column.title}
                <small>{column.unit}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ id, label, look }, row) => (
            <tr key={id}>
              <th scope="row">
                <svg width="16" height="14" viewBox="-8 -7 16 14" aria-hidden="true">
                  <path d={look.path(4.5)} fill={look.colour} />
                </svg>
                <Link to="/traces/$id" params={{ id }}>
                  {label}
                </Link>
                <LiveOnly>
                  <IconButton icon="close" size="small" label={`Take ${label} out`} onPress={() => onRemove(id)} />
                </LiveOnly>
              </th>
              {columns.map(({ column, cells }) => {
                const cell = cells[row];
                const rank = cell?.rank ?? null;
                return (
                  <td key={column.title} className={rank === null ? undefined : css[rank]}>
                    {cell?.text}
                    <span className={css['rank']} title={rank === null ? undefined : RANKS[rank]}>
                      {rank === null ? '' : MARKS[rank]}
                      {rank === null ? null : <span className="visually-hidden">{RANKS[rank]}</span>}
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
