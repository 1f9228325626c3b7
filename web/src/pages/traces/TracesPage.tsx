// The library: every trace with its shape and its figures; searched, filtered and sorted, and the address says how.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import {
  findTraces,
  FIRST_TRACE_ORDER,
  sortTraces,
  TRACE_ORDERS,
  type TraceFilter,
  type TraceOrder,
} from '#analysis/trace-library';
import { tracesQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { Button, buttonClass } from '../../ui/button';
import { Switch } from '../../ui/toggle';
import { formatCount, plural } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { BulkBar } from '../organise/BulkBar';
import { MOST_COMPARED } from './most-compared';
import { TraceFilters } from './TraceFilters';
import { TraceTable, thingOf } from './TraceTable';
import { TraceUpload } from './TraceUpload';
import page from '../../ui/page.module.css';
import css from './traces.module.css';

const SEARCH = {
  q: { codec: text, initial: '' },
  technology: { codec: text, initial: '' },
  place: { codec: text, initial: '' },
  /** `1`: also those that are put away. */
  archived: { codec: text, initial: '' },
  sort: { codec: z.enum(TRACE_ORDERS) as z.ZodType<TraceOrder, string>, initial: FIRST_TRACE_ORDER },
};

export function TracesPage() {
  useCrumbs('Traces');
  const navigate = useNavigate();
  const { search: state, misread, setSearch } = useSearchState(SEARCH);
  const { q: search, technology, place, sort } = state;
  const withArchived = state.archived === '1';
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const traces = useQuery(tracesQuery);
  const filter = useMemo<TraceFilter>(() => ({ search, technology, place }), [search, technology, place]);
  const listed = useMemo(
    () => (traces.data ?? []).filter(({ labels }) => withArchived || labels?.archived !== true),
    [traces.data, withArchived],
  );
  const archived = (traces.data ?? []).filter(({ labels }) => labels?.archived === true).length;
  const shown = useMemo(() => sortTraces(findTraces(listed, filter), sort), [listed, filter, sort]);
  const chosen = (traces.data ?? []).filter(({ id }) => ticked.includes(id));
  const change = ({ search: q, ...chosen }: Partial<TraceFilter>): void =>
    setSearch({ ...chosen, ...(q !== undefined && { q }) }, { replace: q !== undefined });

  return (
    <>
      <PageHead
        title="Traces"
        actions={
          <Link to="/traces/make" className={buttonClass({})}>
            <Icon name="gear" />
            Make one
          </Link>
        }
      >
        A trace says when a link could deliver a packet. Rates count 1500 bytes per delivery opportunity; a trace that
        ends starts again.
      </PageHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
      </div>
      <TraceUpload onDone={(trace) => void navigate({ to: '/traces/$id', params: { id: trace.id } })} />
      {traces.isPending ? (
        <Loading label="Loading traces" rows={5} height={44} />
      ) : traces.isError ? (
        <ProblemNotice error={traces.error} onRetry={() => void traces.refetch()} />
      ) : traces.data.length === 0 ? (
        <Empty title="No traces yet">Upload one above: it is checked line by line and stays on this machine.</Empty>
      ) : (
        <>
          <TraceFilters traces={listed} filter={filter} onChange={change} />
          <div className={css['tools']}>
            <output>
              {shown.length === listed.length
                ? plural(shown.length, 'trace')
                : `${formatCount(shown.length)} of ${plural(listed.length, 'trace')}`}
            </output>
            {archived === 0 && !withArchived ? null : (
              <Switch value={withArchived} onChange={(on) => setSearch({ archived: on ? '1' : '' })}>
                {`Show archived (${formatCount(archived)})`}
              </Switch>
            )}
          </div>
          {shown.length === 0 ? (
            <Empty
              title="No trace is like that"
              action={<Button onPress={() => setSearch({ q: '', technology: '', place: '' })}>Show all traces</Button>}
            >
              {`None of ${plural(listed.length, 'trace')} has ${saidOf(filter)}.`}
            </Empty>
          ) : (
            <TraceTable
              traces={shown}
              sort={sort}
              onSort={(next) => setSearch({ sort: next })}
              ticked={ticked}
              setTicked={setTicked}
            />
          )}
          <BulkBar things={chosen.map(thingOf)} onClear={() => setTicked([])}>
            {chosen.length > MOST_COMPARED ? null : (
              <Link
                to="/traces/compare"
                search={{ ids: ticked.join() }}
                className={buttonClass({ size: 'small', kind: ticked.length > 1 ? 'primary' : 'plain' })}
              >
                {ticked.length === 1 ? 'Compare with …' : `Compare ${ticked.length} traces`}
              </Link>
            )}
          </BulkBar>
        </>
      )}
    </>
  );
}

/** `“lte”, the technology 5G and the place City`. */
const saidOf = ({ search, technology, place }: TraceFilter): string =>
  new Intl.ListFormat('en').format([
    ...(search.trim() === '' ? [] : [`“${search.trim()}”`]),
    ...(technology === '' ? [] : [`the technology ${technology}`]),
    ...(place === '' ? [] : [`the place ${place}`]),
  ]);
