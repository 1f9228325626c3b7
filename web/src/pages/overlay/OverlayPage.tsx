// Runs laid over one another on the panels of one: ours beside the kernel's, one limit beside the next.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { enginesQuery, experimentQuery, runQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { LatexButton } from '../../charts/LatexButton';
import { useRunFeeds } from '../../live/run-feed';
import type { RunSamples } from '../../plots/data';
import { namesOfFlows } from '../../plots/flows';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from '../../plots/overlay';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { nameRun, type RunName } from '../run/describe';
import { ReplayBar } from '../run/ReplayBar';
import { RunPanels } from '../run/RunPanels';
import { HIDE_SEARCH, useSharedVisibility } from '../run/shared-visibility';
import { REPLAY_SEARCH, type ReplayChange, useSharedReplay } from '../run/use-shared-replay';
import { TraceOwners } from '../TraceOwners';
import { useSharedView, VIEW_SEARCH } from '../use-shared-view';
import { overlayColumns, overlayTable } from './overlay-table';
import { ShareButton } from '../../share/ShareButton';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { Loading, Notice } from '../../ui/notice';
import { PageHead, SearchNotice, Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { listText, useSearchState, type SearchState } from '../../ui/search';
import page from '../../ui/page.module.css';
import css from './overlay.module.css';

const SEARCH = {
  ...VIEW_SEARCH,
  ...HIDE_SEARCH,
  ...REPLAY_SEARCH,
  /** Ids of runs, the first one's link behind the others. */
  runs: { codec: listText, initial: [] as string[] },
};
const HOME = { label: 'Experiments', to: '/' };
/** More lines than this are a tangle. */
const MOST_RUNS = 8;

export function OverlayPage() {
  const { search } = useSearchState(SEARCH);
  const ids = [...new Set(search.runs)].slice(0, MOST_RUNS);
  const engines = useQuery(enginesQuery);
  const runs = useQueries({ queries: ids.map((id) => runQuery(id)) });
  useCrumbs('Runs laid over one another', HOME);
  const error = engines.error ?? runs.find((run) => run.error !== null)?.error ?? null;
  if (error !== null)
    return (
      <PageProblem
        what="These runs"
        parent={HOME}
        error={error}
        onRetry={() => void Promise.all([engines.refetch(), ...runs.map((run) => run.refetch())])}
      />
    );
  const records = runs.flatMap((run) => run.data ?? []);
  if (engines.data === undefined || records.length < ids.length)
    return <Loading label="Loading the runs" rows={4} height={140} />;
  const [first, ...others] = records;
  if (first === undefined || others.length === 0)
    return (
      <Notice kind="info" title="Two runs are needed">
        Select two or more cells of an experiment, in its frontier or its table, and choose “Lay over one another”.
      </Notice>
    );
  return (
    <TraceOwners of={[...new Set(records.flatMap(({ manifest }) => tracesOfManifest(manifest)))]}>
      <Overlaid key={ids.join()} records={[first, ...others]} listing={engines.data.ccas} />
    </TraceOwners>
  );
}

interface RunLabel {
  /** What tells the run from the others: parts of their names that all share are left out. */
  readonly label: string;
  /** The same, but for its algorithms. */
  readonly apart: string;
}

function labelsOf(names: readonly RunName[]): RunLabel[] {
  const parts = names.map(({ trace, ccas, limit, role, repetition }) => [
    ccas.join(' + '),
    limit,
    trace,
    role ?? '',
    repetition ?? '',
  ]);
  const differs = (part: number): boolean => new Set(parts.map((own) => own[part])).size > 1;
  return parts.map((own, i) => {
    const again = parts.findIndex((other) => other.join() === own.join()) === i ? '' : ` (${i + 1})`;
    const told = own.filter((text, part) => text !== '' && part > 0 && differs(part));
    return { label: [own[0], ...told].join(' · ') + again, apart: told.join(' · ') + again };
  });
}

interface OverlaidProps {
  readonly records: readonly [RunRecord, ...RunRecord[]];
  readonly listing: readonly CcaDescriptor[];
}

interface NamedRuns {
  readonly records: OverlaidProps['records'];
  readonly names: readonly RunName[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

/** The runs as far as the replay shows them; before all are over, as far as they have come. */
function useReplayedRuns({ records, names, ccas }: NamedRuns, searchState: SearchState<typeof SEARCH>) {
  const feeds = useRunFeeds(records.map((record) => record.id));
  const over = records.every(({ state }) => isOver(state));
  const stores = useMemo(() => feeds.map(({ store }): RunSamples => store), [feeds]);
  const { replay, state: replaying } = useSharedReplay(stores, searchState, over);
  const played = over ? replaying.samples : stores;
  const runs = useMemo(() => {
    const labels = labelsOf(names);
    const of = ({ manifest }: RunRecord, i: number): OverlaidRun => {
      const { label = '', apart = '' } = labels[i] ?? {};
      const flows = namesOfFlows(manifest, ccas).map((name) => [name, apart.trim()].filter(Boolean).join(' · '));
      return { label, flows, manifest, samples: played[i] ?? new OverlaidSamples([]) };
    };
    const [first, ...others] = records;
    return [of(first, 0), ...others.map((record, i) => of(record, i + 1))] as const;
  }, [records, names, played, ccas]);
  return { over, replay, replaying, runs };
}

function Overlaid({ records, listing }: OverlaidProps) {
  const searchState = useSearchState(SEARCH);
  const { search, misread, raw, setSearch, setRaw } = searchState;
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const experiment = useQuery({
    ...experimentQuery(records[0].experiments[0]?.id ?? ''),
    enabled: records[0].experiments.length > 0,
  });
  const names = useMemo(
    () => records.map((record) => nameRun(record, ccas, experiment.data)),
    [records, ccas, experiment.data],
  );
  const { over, replay, replaying, runs } = useReplayedRuns({ records, names, ccas }, searchState);
  const samples = useMemo(() => new OverlaidSamples(runs), [runs]);
  const manifest = useMemo(() => overlayManifest([...runs]), [runs]);
  const overlays = useMemo(() => overlaysOf(runs), [runs]);
  const flowLabels = useMemo(() => overlayLabels(runs), [runs]);
  const flowNames = useMemo(() => runs.map(({ flows }) => flows), [runs]);
  const view = useSharedView(manifest.duration_s, searchState, replaying.whole || !replaying.playing);
  const setReplay = useCallback<ReplayChange>((change) => setSearch(change, { replace: true }), [setSearch]);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);

  return (
    <>
      <PageHead
        title={runs.map((run) => run.label).join(' and ')}
        actions={
          <ShareButton
            name={runs.map((run) => run.label).join(' and ')}
            going={records.some(({ state }) => state === 'queued' || state === 'running')}
          />
        }
      >
        {names[0]?.trace}
        {names.every((name) => name.trace === names[0]?.trace)
          ? ''
          : ' and others; the capacity shown is the first run’s'}
      </PageHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
      </div>
      {over ? (
        <ReplayBar
          replay={replay}
          state={replaying}
          view={view}
          speed={search.speed}
          loop={search.loop}
          onChange={setReplay}
          flows={flowNames}
        />
      ) : null}
      <h2 className="visually-hidden">Over time</h2>
      <RunPanels
        id={records.map((record) => record.id).join('-')}
        manifest={manifest}
        samples={samples}
        ccas={ccas}
        view={view}
        visibility={visibility}
        raw={raw}
        setRaw={setRaw}
        onPin={pin}
        overlays={overlays}
        flowLabels={flowLabels}
      />
      <Section
        title="Figures"
        note="Of the whole runs, from every packet."
        aside={
          <LatexButton
            name="runs"
            caption="Figures of whole runs, from every packet."
            table={() =>
              overlayTable(
                records,
                runs.map((run) => run.label),
              )
            }
          />
        }
      >
        <Figures records={records} labels={runs.map((run) => run.label)} ccas={ccas} />
      </Section>
    </>
  );
}

interface FiguresProps {
  readonly records: readonly RunRecord[];
  readonly labels: readonly string[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

function Figures({ records, labels, ccas }: FiguresProps) {
  const columns = overlayColumns(records);
  return (
    <WideTable label="Figures of the runs" className={page['tall']}>
      <table className={cx(page['table'], page['pinned'], css['figures'])}>
        <thead>
          <tr>
            <th scope="col">Run</th>
            {columns.map(({ title, unit }) => (
              <th key={title} scope="col" className={page['num']}>
                {unit === '' ? title : `${title}, ${unit}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            <tr key={record.id}>
              <th scope="row">
                <CcaMark cca={ccas.get(record.manifest.flows[0]?.cca.id ?? '')} size={14} />{' '}
                <Link to="/r/$id" params={{ id: record.id }}>
                  {labels[row]}
                </Link>
              </th>
              {columns.map(({ title, texts }) => (
                <td key={title} className={page['num']}>
                  {texts[row]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
