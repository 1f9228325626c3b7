// Short runs of one algorithm, of its old and new parameters, or of two algorithms: on the same axes, played together.
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { CcaDescriptor } from '#protocol/cca';
import type { CcaAbout } from '#protocol/cca-about';
import { useRunFeeds } from '../../live/run-feed';
import type { RunSamples } from '../../plots/data';
import { namesOfFlows } from '../../plots/flows';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from '../../plots/overlay';
import { sampleColumns } from './sample-columns';
import { ReplayBar } from '../run/ReplayBar';
import { RunPanels } from '../run/RunPanels';
import { SummaryStrip } from '../run/RunSummaryView';
import { useSharedVisibility } from '../run/shared-visibility';
import { type ReplayChange, useSharedReplay } from '../run/use-shared-replay';
import { TraceOwners } from '../TraceOwners';
import { useSharedView } from '../use-shared-view';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { WideTable } from '../../ui/scroll';
import type { CcaSearchState } from './cca-search';
import { PhaseStrip } from './PhaseStrip';
import type { SampleRun } from './use-samples';
import page from '../../ui/page.module.css';
import css from './ccas.module.css';

interface SampleFigureProps {
  readonly runs: readonly [SampleRun, ...SampleRun[]];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly about: ReadonlyMap<string, CcaAbout>;
  readonly searchState: CcaSearchState;
}

const overlaid = (
  run: SampleRun,
  samples: RunSamples,
  ccas: SampleFigureProps['ccas'],
  alone: boolean,
): OverlaidRun => {
  const { manifest } = run.record;
  const names = namesOfFlows(manifest, ccas);
  // Whom it meets is told by whose run it is in.
  const flows = names.map((name, flow) => (flow === 0 ? run.label : alone ? name : `${name}, beside ${run.label}`));
  return { label: run.label, flows, manifest, samples };
};

/** The samples as one run, as far as they are played. */
function useOverlaid({ runs, ccas, searchState }: Omit<SampleFigureProps, 'about'>) {
  const feeds = useRunFeeds(runs.map(({ record }) => record.id));
  const stores = useMemo(() => feeds.map(({ store }): RunSamples => store), [feeds]);
  const { replay, state } = useSharedReplay(stores, searchState, true);
  const alone = runs.length === 1;
  const parts = useMemo(() => {
    const of = (run: SampleRun, i: number): OverlaidRun =>
      overlaid(run, state.samples[i] ?? new OverlaidSamples([]), ccas, alone);
    const [first, ...others] = runs;
    return [of(first, 0), ...others.map((run, i) => of(run, i + 1))] as const;
  }, [runs, state.samples, ccas, alone]);
  const samples = useMemo(() => (alone ? parts[0].samples : new OverlaidSamples(parts)), [alone, parts]);
  const complete = feeds.every(({ store }) => store.complete && store.streams.size > 0);
  return { replay, state, stores, parts, samples, alone, complete };
}

/** Plays by itself when one comes to look; not to those who asked for less motion, nor from a link to one place. */
function usePlayedOnce(replay: { readonly play: () => void }, complete: boolean, wanted: boolean): void {
  const played = useRef(!wanted || window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    if (!complete || played.current) return;
    played.current = true;
    replay.play();
  }, [complete, replay]);
}

export function SampleFigure({ runs, ccas, about, searchState }: SampleFigureProps) {
  const { search, raw, setSearch, setRaw } = searchState;
  const { replay, state, stores, parts, samples, alone, complete } = useOverlaid({ runs, ccas, searchState });
  const manifest = useMemo(() => (alone ? parts[0].manifest : overlayManifest([...parts])), [alone, parts]);
  const several = useMemo(
    () => (alone ? {} : { overlays: overlaysOf(parts), flowLabels: overlayLabels(parts) }),
    [alone, parts],
  );
  const flowNames = useMemo(() => parts.map(({ flows }) => flows), [parts]);
  const view = useSharedView(manifest.duration_s, searchState, state.whole || !state.playing);
  const setReplay = useCallback<ReplayChange>((change) => setSearch(change, { replace: true }), [setSearch]);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  usePlayedOnce(replay, complete, alone && search.at === null && search.t === null && search.cursor === null);
  const traces = [...new Set(runs.flatMap(({ record }) => tracesOfManifest(record.manifest)))];

  return (
    <TraceOwners of={traces}>
      <ReplayBar
        replay={replay}
        state={state}
        view={view}
        speed={search.speed}
        loop={search.loop}
        onChange={setReplay}
        flows={flowNames}
      />
      {runs.map((run, i) =>
        // Of the same algorithm with other parameters the phases mean the same.
        runs.findIndex(({ cca }) => cca === run.cca) < i ? null : (
          <PhaseStrip
            key={run.record.id}
            title={alone ? null : run.label}
            cca={run.cca}
            states={about.get(run.cca.id)?.states ?? {}}
            samples={stores[i]}
            replay={replay}
            view={view}
          />
        ),
      )}
      <RunPanels
        id={runs.map(({ record }) => record.id).join('-')}
        manifest={manifest}
        samples={samples}
        all={alone ? stores[0] : undefined}
        ccas={ccas}
        view={view}
        visibility={visibility}
        raw={raw}
        setRaw={setRaw}
        onPin={pin}
        {...several}
      />
      <SampleSums runs={runs} />
    </TraceOwners>
  );
}

/** What the whole samples came to. */
function SampleSums({ runs }: Pick<SampleFigureProps, 'runs'>) {
  const [{ record }] = runs;
  if (runs.length === 1)
    return (
      <div className={css['sums']}>
        {record.summary === null ? null : <SummaryStrip manifest={record.manifest} summary={record.summary} />}
        <Link to="/r/$id" params={{ id: record.id }}>
          Open the run
        </Link>
      </div>
    );
  const columns = sampleColumns(runs.map((run) => run.record));
  return (
    <div className={css['sums']}>
      <WideTable label="Figures of the samples">
        <table className={cx(page['table'], page['pinned'])}>
          <thead>
            <tr>
              <th scope="col">Sample</th>
              {columns.map(({ title, unit }) => (
                <th key={title} scope="col" className={page['num']}>
                  {unit === '' ? title : `${title}, ${unit}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run, row) => (
              <tr key={run.record.id}>
                <th scope="row">
                  <CcaMark cca={run.cca} size={14} />{' '}
                  <Link to="/r/$id" params={{ id: run.record.id }}>
                    {run.label}
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
      <Link to="/compare" search={{ runs: runs.map((run) => run.record.id).join() }}>
        Compare the runs
      </Link>
    </div>
  );
}
