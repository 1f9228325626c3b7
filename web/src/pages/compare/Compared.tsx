// The page, once it has its runs.
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { differOnlyInEngine } from '#analysis/manifest-difference';
import type { CcaDescriptor } from '#protocol/cca';
import type { DifferencePlotData } from '../../plots/data';
import { ReplayBar } from '../run/ReplayBar';
import { RunPanels } from '../run/RunPanels';
import { useSharedVisibility } from '../run/shared-visibility';
import type { ReplayChange } from '../run/use-shared-replay';
import { useSharedView } from '../use-shared-view';
import { ShareButton } from '../../share/ShareButton';
import { buttonClass } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { Notice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { COMPARE_SEARCH } from './compare-search';
import { Differences } from './Differences';
import { SideBySide } from './SideBySide';
import { SummaryTable } from './SummaryTable';
import { type Records, useCompared } from './use-compared';
import { WhatDiffers } from './WhatDiffers';
import page from '../../ui/page.module.css';
import css from './compare.module.css';

interface ComparedProps {
  readonly records: Records;
  readonly listing: readonly CcaDescriptor[];
}

export function Compared({ records, listing }: ComparedProps) {
  const searchState = useSearchState(COMPARE_SEARCH);
  const { search, misread, raw, setSearch, setRaw } = searchState;
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const { names, over, replay, replaying, runs, samples, manifest, overlays, flowLabels } = useCompared(
    records,
    ccas,
    searchState,
  );
  const flowNames = useMemo(() => runs.map(({ flows }) => flows), [runs]);
  const view = useSharedView(manifest.duration_s, searchState, replaying.whole || !replaying.playing);
  const setReplay = useCallback<ReplayChange>((change) => setSearch(change, { replace: true }), [setSearch]);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const setHidden = useCallback((hidebeside: string[]) => setSearch({ hidebeside }, { replace: true }), [setSearch]);
  const setReference = useCallback((ref: string) => setSearch({ ref }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const besideVisibility = useSharedVisibility(search.hidebeside, setHidden);
  const labels = runs.map((run) => run.label);
  const reference = Math.max(
    0,
    runs.findIndex(({ id }) => id === search.ref),
  );
  const id = records.map((record) => record.id).join('-');
  const laid = useMemo<Omit<DifferencePlotData, 'reference'>>(
    () => ({ id, manifest, samples, ccas, view, visibility, overlays, flowLabels }),
    [id, manifest, samples, ccas, view, visibility, overlays, flowLabels],
  );
  const leaveOut = (run: string): void =>
    setSearch({ runs: records.flatMap((record) => (record.id === run ? [] : [record.id])) });

  return (
    <>
      <PageHead
        title={labels.join(' and ')}
        actions={
          <ShareButton
            name={labels.join(' and ')}
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
        <OtherEngine records={records} />
      </div>
      <WhatDiffers
        records={records}
        labels={labels}
        ccas={ccas}
        onLeaveOut={records.length > 2 ? leaveOut : undefined}
      />
      <div className={css['over']}>
        <h2>Over time</h2>
        <Segmented
          label="Arrangement"
          hideLabel
          value={search.view}
          options={[
            { id: 'overlay', label: 'Over one another' },
            { id: 'grid', label: 'Side by side' },
          ]}
          onChange={(next) => setSearch({ view: next })}
        />
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
      {search.view === 'grid' ? (
        <SideBySide
          runs={runs}
          samples={samples}
          ccas={ccas}
          view={view}
          visibility={besideVisibility}
          raw={raw}
          setRaw={setRaw}
        />
      ) : (
        <RunPanels
          id={id}
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
      )}
      <Differences
        data={laid}
        choices={runs}
        reference={reference}
        raw={raw}
        setRaw={setRaw}
        onReference={setReference}
      />
      <SummaryTable records={records} labels={labels} reference={reference} ccas={ccas} />
    </>
  );
}

/** The same runs by two engines: what differs is what the engine changed. */
function OtherEngine({ records }: { readonly records: Records }) {
  if (!differOnlyInEngine(records.map(({ manifest }) => manifest))) return null;
  const [before, after] = records.map(({ experiments }) => experiments[0]?.id);
  return (
    <Notice
      kind="info"
      title="The same run by different engines"
      actions={
        records.length !== 2 || before === undefined || after === undefined || before === after ? undefined : (
          <Link
            to="/compare"
            search={{ regress: [before, after].join(',') }}
            className={buttonClass({ size: 'small' })}
          >
            All cells of their experiments
          </Link>
        )
      }
    >
      Only the version of the engine differs: whatever the figures differ by, it changed.
    </Notice>
  );
}
