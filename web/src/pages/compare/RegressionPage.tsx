// One spec under two engines: what the later one moved, cell by cell.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { regressionOf, type RegressionSide } from '#analysis/regression';
import type { ExperimentRecord } from '#protocol/api';
import { enginesQuery, experimentQuery, runQuery } from '../../api/queries';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { plural } from '../../ui/format';
import { Loading, Notice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { OtherExperiment } from './OtherExperiment';
import { Movements } from './Movements';
import page from '../../ui/page.module.css';

const RUNS = { label: 'Runs', to: '/runs' };

interface RegressionPageProps {
  /** Of experiments: one, or the earlier and the later. */
  readonly ids: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

export function RegressionPage({ ids, onChoose }: RegressionPageProps) {
  useCrumbs('Regression', RUNS);
  const engines = useQuery(enginesQuery);
  const asked = ids.slice(0, 2);
  const found = useQueries({ queries: asked.map((id) => experimentQuery(id)) });
  const records = found.flatMap(({ data }) => data ?? []);
  // An experiment's record does not say by which engine its runs were made: any of them does.
  const firsts = useQueries({
    queries: records.map(({ id, runs: [first] }) => ({
      ...runQuery(first?.id ?? ''),
      enabled: first !== undefined && id !== '',
    })),
  });
  const error = [...found, ...firsts, engines].find((one) => one.error !== null)?.error ?? null;
  if (error !== null)
    return (
      <PageProblem
        what="These experiments"
        parent={RUNS}
        error={error}
        onRetry={() => void Promise.all([...found, ...firsts, engines].map((one) => one.refetch()))}
      />
    );
  if (
    records.length < asked.length ||
    engines.data === undefined ||
    firsts.some(({ isPending, isEnabled }) => isPending && isEnabled)
  )
    return <Loading label="Loading the experiments" rows={4} height={140} />;
  const [before, after] = records;
  if (before === undefined) return null;
  if (after === undefined) return <OtherExperiment of={before} onChoose={(id) => onChoose([before.id, id])} />;
  const versions = firsts.map(({ data }) => data?.manifest.engine_version ?? null);
  const ccas = new Map(engines.data.ccas.map((cca) => [cca.id, cca]));
  return <Regressed before={before} after={after} engines={[versions[0] ?? null, versions[1] ?? null]} ccas={ccas} />;
}

type Version = RegressionSide['engine_version'];

interface RegressedProps {
  readonly before: ExperimentRecord;
  readonly after: ExperimentRecord;
  readonly engines: readonly [Version, Version];
  readonly ccas: Parameters<typeof Movements>[0]['ccas'];
}

function Regressed({ before, after, engines, ccas }: RegressedProps) {
  const [was, is] = engines;
  const regression = useMemo(
    () => regressionOf({ ...before, engine_version: was }, { ...after, engine_version: is }),
    [before, after, was, is],
  );
  const { sameSpec, missing } = regression;
  const going = [before, after].some(({ state }) => state === 'queued' || state === 'running');
  const partial = [before, after].some(({ runs_next }) => runs_next !== undefined);
  return (
    <>
      <PageHead title={sameSpec ? 'The same spec under two engines' : 'Two experiments, cell by cell'}>
        <SideName of={before} engine={was} /> against <SideName of={after} engine={is} />
      </PageHead>
      <div className={page['notices']}>
        {sameSpec ? null : (
          <Notice kind="warning" title="These experiments do not have the same spec">
            Only cells that both have are compared, and what differs between them need not be the engine’s doing.
          </Notice>
        )}
        {engines[0] === engines[1] && engines[0] !== null ? (
          <Notice kind="info" title="Both were made by the same engine">
            Engine <Named engine={engines[0]} />: what differs is chance, or what differs between the specs.
          </Notice>
        ) : null}
        {going ? (
          <Notice kind="info" title="Not all runs are over">
            What is shown is of those that are.
          </Notice>
        ) : null}
        {partial ? (
          <Notice kind="warning" title="Too many runs for the page">
            <div>
              The first {plural(before.runs.length, 'run')} of each are compared; <code>paceline compare</code> takes
              all.
            </div>
          </Notice>
        ) : null}
        {missing[0] + missing[1] > 0 ? (
          <Notice kind="info" title="Cells that only one of them has">
            {plural(missing[0], 'cell')} only of the first, {plural(missing[1], 'cell')} only of the second have runs
            that count: they are left out.
          </Notice>
        ) : null}
      </div>
      <Movements regression={regression} ccas={ccas} />
    </>
  );
}

const SideName = ({ of: { id, name }, engine }: { readonly of: ExperimentRecord; readonly engine: Version }) => (
  <>
    <Link to="/e/$id" params={{ id }}>
      {name}
    </Link>{' '}
    (engine {engine === null ? 'not known' : <Named engine={engine} />})
  </>
);

const Named = ({ engine }: { readonly engine: string }) => <code data-version="">{engine}</code>;
