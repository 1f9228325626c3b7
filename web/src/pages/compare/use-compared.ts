// The compared runs as figures take them: what each is called, and its samples as far as the replay shows them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { experimentQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { useRunFeeds } from '../../live/run-feed';
import type { RunSamples } from '../../plots/data';
import { namesOfFlows } from '../../plots/flows';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from '../../plots/overlay';
import { nameRun } from '../run/describe';
import { useSharedReplay } from '../run/use-shared-replay';
import type { CompareState } from './compare-search';
import { labelsOf } from './run-labels';

export type Records = readonly [RunRecord, ...RunRecord[]];
type Ccas = ReadonlyMap<string, CcaDescriptor>;

export interface ComparedRun extends OverlaidRun {
  readonly id: string;
}

function useNames(records: Records, ccas: Ccas) {
  const [{ experiments }] = records;
  const experiment = useQuery({ ...experimentQuery(experiments[0]?.id ?? ''), enabled: experiments.length > 0 });
  return useMemo(
    () => records.map((record) => nameRun(record, ccas, experiment.data)),
    [records, ccas, experiment.data],
  );
}

/** Before all runs are over, as far as they have come. */
export function useCompared(records: Records, ccas: Ccas, searchState: CompareState) {
  const names = useNames(records, ccas);
  const feeds = useRunFeeds(records.map((record) => record.id));
  const over = records.every(({ state }) => isOver(state));
  const stores = useMemo(() => feeds.map(({ store }): RunSamples => store), [feeds]);
  const { replay, state: replaying } = useSharedReplay(stores, searchState, over);
  const played = over ? replaying.samples : stores;
  const runs = useMemo(() => {
    const labels = labelsOf(names);
    const of = ({ id, manifest }: RunRecord, i: number): ComparedRun => {
      const { label = '', apart = '' } = labels[i] ?? {};
      const flows = namesOfFlows(manifest, ccas).map((name) => [name, apart.trim()].filter(Boolean).join(' · '));
      return { id, label, flows, manifest, samples: played[i] ?? new OverlaidSamples([]) };
    };
    const [first, ...others] = records;
    return [of(first, 0), ...others.map((record, i) => of(record, i + 1))] as const;
  }, [records, names, played, ccas]);
  const samples = useMemo(() => new OverlaidSamples(runs), [runs]);
  const manifest = useMemo(() => overlayManifest([...runs]), [runs]);
  const overlays = useMemo(() => overlaysOf(runs), [runs]);
  const flowLabels = useMemo(() => overlayLabels(runs), [runs]);
  return { names, over, replay, replaying, runs, samples, manifest, overlays, flowLabels };
}
