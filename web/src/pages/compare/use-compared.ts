// The compared runs as figures take them: what each is called, and its samples as far as the replay shows them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { ImportedRecord } from '#protocol/imported';
import { experimentQuery } from '../../api/queries';
import { isOver } from '../../live/live-client';
import { useRunFeeds } from '../../live/run-feed';
import type { RunSamples } from '../../plots/data';
import { namesOfFlows } from '../../plots/flows';
import { importedManifest, importedSamples } from '../../plots/imported';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from '../../plots/overlay';
import { nameRun } from '../run/describe';
import { useSharedReplay } from '../run/use-shared-replay';
import type { CompareState } from './compare-search';
import { labelsOf } from './run-labels';

export type Records = readonly [RunRecord, ...RunRecord[]];
type Ccas = ReadonlyMap<string, CcaDescriptor>;

/** A file of another program, and where in the runs it begins, seconds. */
export interface ComparedFile {
  readonly record: ImportedRecord;
  readonly shift: number;
}

export interface ComparedRun extends OverlaidRun {
  readonly id: string;
  /** null: it is a file of another program. */
  readonly record: RunRecord | null;
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
export function useCompared(records: Records, files: readonly ComparedFile[], ccas: Ccas, searchState: CompareState) {
  const names = useNames(records, ccas);
  const feeds = useRunFeeds(records.map((record) => record.id));
  const over = records.every(({ state }) => isOver(state));
  const theirs = useMemo(() => files.map(({ record, shift }) => importedSamples(record.imported, shift)), [files]);
  const stores = useMemo(() => [...feeds.map(({ store }): RunSamples => store), ...theirs], [feeds, theirs]);
  const { replay, state: replaying } = useSharedReplay(stores, searchState, over);
  const played = over ? replaying.samples : stores;
  const runs = useMemo(() => {
    const labels = labelsOf(names);
    const of = (record: RunRecord, i: number): ComparedRun => {
      const { id, manifest } = record;
      const { label = '', apart = '' } = labels[i] ?? {};
      const flows = namesOfFlows(manifest, ccas).map((name) => [name, apart.trim()].filter(Boolean).join(' · '));
      return { id, record, label, flows, manifest, samples: played[i] ?? new OverlaidSamples([]) };
    };
    const [first, ...others] = records;
    const file = ({ record: { id, name, imported }, shift }: ComparedFile, i: number): ComparedRun => ({
      id,
      record: null,
      label: name,
      flows: imported.flows.map(({ label }) => (imported.flows.length === 1 ? name : `${label} · ${name}`)),
      manifest: importedManifest(imported, first.manifest, shift, ccas),
      samples: played[records.length + i] ?? new OverlaidSamples([]),
    });
    return [of(first, 0), ...others.map((record, i) => of(record, i + 1)), ...files.map(file)] as const;
  }, [records, files, names, played, ccas]);
  const samples = useMemo(() => new OverlaidSamples(runs), [runs]);
  const manifest = useMemo(() => overlayManifest([...runs]), [runs]);
  const overlays = useMemo(() => overlaysOf(runs), [runs]);
  const flowLabels = useMemo(() => overlayLabels(runs), [runs]);
  return { names, over, replay, replaying, runs, samples, manifest, overlays, flowLabels };
}

export type Compared = ReturnType<typeof useCompared>;
