// Any runs of any experiments held against each other: what differs between them, their figures over one another or side by side, what each
// is less one of them.
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { RunRecord } from '#protocol/api';
import type { ImportedRecord } from '#protocol/imported';
import { importedQuery } from '../../api/imported';
import { enginesQuery, runQuery } from '../../api/queries';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { TraceOwners } from '../TraceOwners';
import { Loading, Notice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { COMPARE_SEARCH, MOST_RUNS } from './compare-search';
import { Compared } from './Compared';
import { RegressionPage } from './RegressionPage';
import type { Records } from './use-compared';

const RUNS = { label: 'Runs', to: '/runs' };

export function ComparePage() {
  const { search, setSearch } = useSearchState(COMPARE_SEARCH);
  return search.regress.length > 0 ? (
    <RegressionPage ids={search.regress} onChoose={(regress) => setSearch({ regress: [...regress] })} />
  ) : (
    <RunsCompared />
  );
}

/** The same function for all renders: what it gives is then the same while the answers are, and a replay over it goes on. */
function together<T>(results: readonly UseQueryResult<T>[]) {
  return {
    data: results.flatMap(({ data }) => data ?? []),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(results.map((result) => result.refetch())),
  };
}

function RunsCompared() {
  const { search } = useSearchState(COMPARE_SEARCH);
  const ids = [...new Set(search.runs)].filter(Boolean).slice(0, MOST_RUNS);
  const engines = useQuery(enginesQuery);
  const runs = useQueries({ queries: ids.map((id) => runQuery(id)), combine: together<RunRecord> });
  const wanted = [...new Set(search.files)].filter(Boolean).slice(0, MOST_RUNS - ids.length);
  const files = useQueries({ queries: wanted.map((id) => importedQuery(id)), combine: together<ImportedRecord> });
  useCrumbs('Compare', RUNS);
  const error = engines.error ?? runs.error ?? files.error;
  if (error !== null)
    return (
      <PageProblem
        what="These runs"
        parent={RUNS}
        error={error}
        onRetry={() => void Promise.all([engines, runs, files].map((one) => one.refetch()))}
      />
    );
  const records = runs.data;
  const imported = files.data;
  if (engines.data === undefined || records.length < ids.length || imported.length < wanted.length)
    return <Loading label="Loading the runs" rows={4} height={140} />;
  if (!areSome(records)) return <NothingChosen />;
  return (
    <TraceOwners of={[...new Set(records.flatMap(({ manifest }) => tracesOfManifest(manifest)))]}>
      <Compared key={[...ids, ...wanted].join()} records={records} imported={imported} listing={engines.data.ccas} />
    </TraceOwners>
  );
}

const areSome = (records: readonly RunRecord[]): records is Records => records.length > 0;

const NothingChosen = () => (
  <>
    <PageHead title="Compare">
      What differs between runs, their figures over one another or side by side, and each less one of them.
    </PageHead>
    <Notice kind="info" title="Runs are needed">
      <div>
        Select two or more in the <Link to="/runs">table of runs</Link>, or cells of an experiment in its frontier or
        its table, and choose “Compare”. One is enough to lay files of flent, qlogs or reports of iperf3 over it.
      </div>
    </Notice>
  </>
);
