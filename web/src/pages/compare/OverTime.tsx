// The runs over time, over one another or side by side, with one replay and one cross-hair.
import { useCallback, useMemo } from 'react';
import type { CcaDescriptor } from '#protocol/cca';
import type { TimeView } from '../../charts/time-view';
import type { Visibility } from '../../charts/visibility';
import type { OracleState } from '../../plots/data';
import { ReplayBar } from '../run/ReplayBar';
import { RunPanels } from '../run/RunPanels';
import { useSharedVisibility } from '../run/shared-visibility';
import type { ReplayChange } from '../run/use-shared-replay';
import { Segmented } from '../../ui/choice';
import type { CompareState } from './compare-search';
import { SideBySide } from './SideBySide';
import type { Compared } from './use-compared';
import css from './compare.module.css';

interface OverTimeProps {
  readonly compared: Compared;
  readonly oracle: OracleState | undefined;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly view: TimeView;
  /** Of the panels over one another, and of the differences. */
  readonly visibility: Visibility;
  readonly searchState: CompareState;
}

export function OverTime({ compared, oracle, ccas, view, visibility, searchState }: OverTimeProps) {
  const { search, raw, setSearch, setRaw } = searchState;
  const { over, replay, replaying, runs, samples, manifest, overlays, flowLabels } = compared;
  const id = runs.map((run) => run.id).join('-');
  const flowNames = useMemo(() => runs.map(({ flows }) => flows), [runs]);
  const setReplay = useCallback<ReplayChange>((change) => setSearch(change, { replace: true }), [setSearch]);
  const setHidden = useCallback((hidebeside: string[]) => setSearch({ hidebeside }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const besideVisibility = useSharedVisibility(search.hidebeside, setHidden);
  return (
    <>
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
          oracle={oracle}
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
          oracle={oracle}
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
    </>
  );
}
