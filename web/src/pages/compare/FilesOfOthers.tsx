// Files of other programs on the axes of the runs: dropped anywhere on the page, or chosen.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { importedMean } from '#analysis/imported-series';
import { IMPORTED_FORMS } from '#protocol/imported';
import { importFile } from '../../api/imported';
import { LiveOnly, useFrozen } from '../../share/frozen';
import { Button, IconButton } from '../../ui/button';
import { formatDelay, formatDuration, formatRate, plural } from '../../ui/format';
import { NumberField } from '../../ui/number-field';
import { ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import type { CompareState } from './compare-search';
import type { ComparedFile } from './use-compared';
import css from './compare.module.css';

interface FilesOfOthersProps {
  readonly files: readonly ComparedFile[];
  readonly search: CompareState['search'];
  readonly setSearch: CompareState['setSearch'];
  /** So many more can be shown. */
  readonly room: number;
}

export function FilesOfOthers({ files, search, setSearch, room }: FilesOfOthersProps) {
  const queries = useQueryClient();
  const frozen = useFrozen();
  const [fault, setFault] = useState<unknown>(null);
  const [reading, setReading] = useState(0);
  const now = useRef({ ids: search.files, room });
  useEffect(() => {
    now.current = { ids: search.files, room };
  });
  const add = useCallback(
    async (chosen: readonly File[]): Promise<void> => {
      setFault(null);
      setReading((before) => before + chosen.length);
      const added: string[] = [];
      for (const file of chosen.slice(0, now.current.room)) {
        try {
          added.push((await importFile(queries, file)).id);
        } catch (error) {
          setFault(error);
        }
      }
      setReading((before) => before - chosen.length);
      if (added.length > 0) setSearch({ files: [...new Set([...now.current.ids, ...added])] });
    },
    [queries, setSearch],
  );
  useFileDrop(frozen === null && room > 0, add);
  const leaveOut = (place: number): void => {
    const others = <T,>(all: readonly T[]): T[] => all.filter((_, i) => i !== place);
    setSearch({ files: others(files.map(({ record }) => record.id)), shift: others(files.map(({ shift }) => shift)) });
  };
  const begin = (place: number, next: number): void =>
    setSearch({ shift: files.map(({ shift }, i) => (i === place ? next : shift)) }, { replace: true });
  if (frozen !== null && files.length === 0) return null;
  return (
    <Section
      title="Files of other programs"
      note={`flent, qlog, iperf3, ns-3 or OMNeT++ on the same axes: throughput, RTT and window, as far as they tell them.${frozen === null ? ' Drop them anywhere on this page.' : ''}`}
      aside={
        <LiveOnly>
          <FileTrigger allowsMultiple onSelect={(list) => void add([...(list ?? [])])}>
            <Button icon="upload" size="small" isDisabled={room <= 0 || reading > 0}>
              {reading > 0 ? 'Reading …' : 'Add files'}
            </Button>
          </FileTrigger>
        </LiveOnly>
      }
    >
      {fault === null ? null : (
        <ProblemNotice
          error={fault}
          actions={<IconButton icon="close" size="small" label="Dismiss" onPress={() => setFault(null)} />}
        />
      )}
      {files.length === 0 ? null : (
        <ul className={css['files']} aria-label="Files of other programs">
          {files.map(({ record, shift }, i) => (
            <li key={record.id}>
              <FileLine record={record} />
              <LiveOnly>
                <div className={css['shift']}>
                  <NumberField
                    label="Begins at"
                    unit="s"
                    step={0.1}
                    digits={3}
                    value={shift}
                    onChange={(next) => begin(i, next)}
                  />
                </div>
                <IconButton icon="close" label={`Leave out ${record.name}`} onPress={() => leaveOut(i)} />
              </LiveOnly>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function FileLine({ record: { name, imported } }: Pick<ComparedFile, 'record'>) {
  const { form, version, flows, duration_s, notes } = imported;
  const told = flows.length === 1 ? flows[0] : undefined;
  const [rate, rtt] = (['throughput_mbps', 'rtt_ms'] as const).map((quantity) =>
    told === undefined ? null : importedMean(told, quantity),
  );
  const about = [
    [IMPORTED_FORMS[form], version].filter((part) => part !== null).join(' '),
    plural(flows.length, 'flow'),
    formatDuration(duration_s),
    ...(rate === null || rate === undefined ? [] : [`${formatRate(rate)} on average`]),
    ...(rtt === null || rtt === undefined ? [] : [`RTT ${formatDelay(rtt)} on average`]),
  ];
  return (
    <div className={css['file']}>
      <b>{name}</b>
      <span>{about.join(' · ')}</span>
      {notes.map((note) => (
        <small key={note}>{note}</small>
      ))}
    </div>
  );
}

/** Files that are dropped anywhere on the page. */
function useFileDrop(on: boolean, add: (files: readonly File[]) => Promise<void>): void {
  useEffect(() => {
    if (!on) return;
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void add(files);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, [on, add]);
}
