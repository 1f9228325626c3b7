// Any runs of any experiments held against each other: what differs between them, their figures over one another or side by side, what each
// is less one of them.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracesOfManifest } from '#analysis/trace-owners';
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

const RUNS = { label: 'Runs', to: '/runs' };

export function ComparePage() {
  const { search, setSearch } = useSearchState(COMPARE_SEARCH);
  return search.regress.length > 0 ? (
    <RegressionPage ids={search.regress} onChoose={(regress) => setSearch({ regress: [...regress] })} />
  ) : (
    <RunsCompared />
  );
}

function RunsCompared() {
  const { search } = useSearchState(COMPARE_SEARCH);
  const ids = [...new Set(search.runs)].filter(Boolean).slice(0, MOST_RUNS);
  const engines = useQuery(enginesQuery);
  const runs = useQueries({ queries: ids.map((id) => runQuery(id)) });
  const wanted = [...new Set(search.files)].filter(Boolean).slice(0, MOST_RUNS - ids.length);
  const files = useQueries({ queries: wanted.map((id) => importedQuery(id)) });
  useCrumbs('Compare', RUNS);
  const error = [engines, ...runs, ...files].find((one) => one.error !== null)?.error ?? null;
  if (error !== null)
    return (
      <PageProblem
        what="These runs"
        parent={RUNS}
        error={error}
        onRetry={() => void Promise.all([engines, ...runs, ...files].map((one) => one.refetch()))}
      />
    );
  const records = runs.flatMap((run) => run.data ?? []);
  const imported = files.flatMap((file) => file.data ?? []);
  if (engines.data === undefined || records.length < ids.length || imported.length < wanted.length)
    return <Loading label="Loading the runs" rows={4} height={140} />;
  const [first, ...others] = records;
  if (first === undefined) return <NothingChosen />;
  return (
    <TraceOwners of={[...new Set(records.flatMap(({ manifest }) => tracesOfManifest(manifest)))]}>
      <Compared
        key={[...ids, ...wanted].join()}
        records={[first, ...others]}
        imported={imported}
        listing={engines.data.ccas}
      />
    </TraceOwners>
  );
}

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
