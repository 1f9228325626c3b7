// The page, once it has its runs.
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { differOnlyInEngine } from '#analysis/manifest-difference';
import type { CcaDescriptor } from '#protocol/cca';
import type { ImportedRecord } from '#protocol/imported';
import type { DifferencePlotData } from '../../plots/data';
import { useSharedVisibility } from '../run/shared-visibility';
import { useOracles } from '../use-oracles';
import { useSharedView } from '../use-shared-view';
import { ShareButton } from '../../share/ShareButton';
import { buttonClass } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { COMPARE_SEARCH, MOST_RUNS } from './compare-search';
import { Differences } from './Differences';
import { FilesOfOthers } from './FilesOfOthers';
import { OverTime } from './OverTime';
import { SummaryTable } from './SummaryTable';
import { type Records, useCompared } from './use-compared';
import { WhatDiffers } from './WhatDiffers';
import page from '../../ui/page.module.css';

interface ComparedProps {
  readonly records: Records;
  /** Files of other programs. */
  readonly imported: readonly ImportedRecord[];
  readonly listing: readonly CcaDescriptor[];
}

export function Compared({ records, imported, listing }: ComparedProps) {
  const searchState = useSearchState(COMPARE_SEARCH);
  const { search, misread, raw, setSearch, setRaw } = searchState;
  const ccas = useMemo(() => new Map(listing.map((cca) => [cca.id, cca])), [listing]);
  const shifts = search.shift.join();
  const files = useMemo(() => {
    const begins = shifts.split(',').map(Number);
    return imported.map((record, i) => ({ record, shift: begins[i] ?? 0 }));
  }, [imported, shifts]);
  const compared = useCompared(records, files, ccas, searchState);
  const { names, replaying, runs, samples, manifest, overlays, flowLabels } = compared;
  const view = useSharedView(manifest.duration_s, searchState, replaying.whole || !replaying.playing);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const setReference = useCallback((ref: string) => setSearch({ ref }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const labels = runs.map((run) => run.label);
  const reference = Math.max(
    0,
    runs.findIndex(({ id }) => id === search.ref),
  );
  const id = runs.map((run) => run.id).join('-');
  const linked = useMemo(
    () => runs.map(({ record, ...run }) => (record === null ? { ...run, manifest: null } : run)),
    [runs],
  );
  const oracle = useOracles(linked, samples, ccas, raw);
  const laid = useMemo<Omit<DifferencePlotData, 'reference'>>(
    () => ({ id, manifest, samples, ccas, view, visibility, oracle, overlays, flowLabels }),
    [id, manifest, samples, ccas, view, visibility, oracle, overlays, flowLabels],
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
      {records.length > 1 ? (
        <WhatDiffers
          records={records}
          labels={labels}
          ccas={ccas}
          onLeaveOut={records.length > 2 ? leaveOut : undefined}
        />
      ) : null}
      <FilesOfOthers files={files} search={search} setSearch={setSearch} room={MOST_RUNS - runs.length} />
      <OverTime {...{ compared, oracle, ccas, view, visibility, searchState }} />
      {runs.length > 1 ? (
        <Differences
          data={laid}
          choices={runs}
          reference={reference}
          raw={raw}
          setRaw={setRaw}
          onReference={setReference}
        />
      ) : null}
      <SummaryTable
        records={records}
        labels={labels}
        reference={reference < records.length ? reference : 0}
        ccas={ccas}
      />
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
