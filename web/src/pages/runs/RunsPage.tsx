// Every run of every experiment: found by a query, sorted, grouped, and laid over one another.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { GROUP_FIELDS, RUN_FIELD } from '#analysis/run-fields';
import { parseRunQuery } from '#analysis/run-query';
import { enginesQuery, runTableQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { formatCount, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { listText, text, useSearchState, type SearchState } from '../../ui/search';
import { RUN_COLUMNS, USUAL_COLUMNS } from './columns';
import { GroupsTable } from './GroupsTable';
import { QueryField } from './QueryField';
import { RunsTable } from './RunsTable';
import { RunTools } from './RunTools';
import { SelectedRuns } from './SelectedRuns';
import css from './runs.module.css';

const SEARCH = {
  q: { codec: text, initial: '' },
  sort: { codec: text, initial: '-made' },
  group: { codec: listText, initial: [] as string[] },
  columns: { codec: listText, initial: [...USUAL_COLUMNS] },
};
const SETTLE_MS = 250;
/** What is typed: it is asked for once the fingers rest, unless it is not understood. */
function useDraft(q: string, setSearch: SearchState<typeof SEARCH>['setSearch']) {
  const [typed, setTyped] = useState({ text: q, of: q });
  // The way back and a pressed group bring another query.
  if (typed.of !== q) setTyped({ text: q, of: q });
  const draft = typed.text;
  const { faults } = useMemo(() => parseRunQuery(draft), [draft]);
  const wrong = faults.length > 0;
  useEffect(() => {
    if (wrong || draft === q) return;
    const timer = setTimeout(() => setSearch({ q: draft }, { replace: true }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [draft, wrong, q, setSearch]);
  return { draft, faults, setDraft: (text: string) => setTyped({ text, of: q }) };
}

export function RunsPage() {
  useCrumbs('Runs');
  const { search, misread, setSearch } = useSearchState(SEARCH);
  const { draft, setDraft, faults } = useDraft(search.q, setSearch);

  const group = search.group.filter((id) => GROUP_FIELDS.includes(id));
  const columns = RUN_COLUMNS.filter(({ id }) => search.columns.includes(id));
  const figures = columns.filter(({ metric }) => metric !== undefined);
  const engines = useQuery(enginesQuery);
  const ccas = useMemo(() => new Map((engines.data?.ccas ?? []).map((cca) => [cca.id, cca])), [engines.data]);
  const asked = { q: search.q, sort: search.sort, group, figures: figures.map(({ id }) => id) };
  const found = useInfiniteQuery(runTableQuery(asked));
  const rows = useMemo(() => found.data?.pages.flatMap((one) => one.rows) ?? [], [found.data]);
  const first = found.data?.pages[0];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = (ids: readonly string[], on: boolean): void => {
    const next = new Set(selected);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setSelected(next);
  };

  return (
    <>
      <PageHead title="Runs">
        Every run of every experiment. Compare numbers (<code>util&lt;0.8</code>), name what you look for (
        <code>cca:bbr,cubic</code>), turn it round (<code>-state:failed</code>); all terms must hold.
      </PageHead>
      <SearchNotice misread={misread} />
      <QueryField
        value={draft}
        faults={faults}
        onChange={setDraft}
        onEnter={() => {
          if (faults.length === 0) setSearch({ q: draft });
        }}
      />
      <RunTools group={group} columns={search.columns} found={first} onChange={setSearch} />
      <SelectedRuns selected={selected} onClear={() => setSelected(new Set())} />
      {found.isPending || (first?.total === 0 && first.pending > 0) ? (
        <Loading label="Loading runs" rows={8} height={37} />
      ) : found.isError ? (
        <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />
      ) : first?.total === 0 ? (
        <Notice kind="info" title={search.q === '' ? 'There are no runs yet' : 'No run is like that'}>
          {search.q === ''
            ? 'Start an experiment, and its runs stand here.'
            : 'Take a term away, or look at “What can be asked”.'}
        </Notice>
      ) : first !== undefined && first.groups !== null ? (
        <GroupsTable
          groups={first.groups}
          by={group.flatMap((id) => RUN_FIELD.get(id) ?? [])}
          figures={figures}
          ccas={ccas}
          onOpen={(q) => setSearch({ q, group: [] })}
        />
      ) : (
        <RunsTable
          rows={rows}
          total={first?.total ?? 0}
          columns={columns}
          ccas={ccas}
          sort={search.sort}
          onSort={(sort) => setSearch({ sort })}
          selected={selected}
          onSelect={select}
          onMore={found.hasNextPage ? () => void found.fetchNextPage() : null}
        />
      )}
      {first !== undefined && first.total > rows.length && first.groups === null ? (
        <p className={css['count']}>
          {formatCount(rows.length)} of {plural(first.total, 'run')}
        </p>
      ) : null}
    </>
  );
}
