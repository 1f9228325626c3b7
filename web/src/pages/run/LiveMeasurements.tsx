// What iperf3 measured on a real connection, laid over the run: drop the report, align it, compare.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { DropZone, FileTrigger, type FileDropItem } from 'react-aria-components';
import type { CcaDescriptor } from '#protocol/cca';
import type { Measurement, MeasurementRecord } from '#protocol/measurement';
import { addMeasurement, measurementsQuery, removeMeasurement } from '../../api/measurements';
import type { LivePlotData, RunPlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { LIVE_PLOTS } from '../../plots/live-plots';
import { LiveOnly, useFrozen } from '../../share/frozen';
import { Button, IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { formatChosen, formatRate, UNIT_SPACE } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import type { RawSearch, SearchShape, SearchState } from '../../ui/search';
import { plotOptions } from '../plot-options';
import type { LiveSearch } from './live-search';
import upload from '../traces/upload.module.css';
import css from './live-measurements.module.css';

export interface LiveMeasurementsProps {
  readonly run: RunPlotData;
  readonly shown: string;
  readonly offset: number;
  readonly flow: number | null;
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
  readonly setSearch: SearchState<LiveSearch>['setSearch'];
}

export function LiveMeasurements({ run, shown, offset, flow, raw, setRaw, setSearch }: LiveMeasurementsProps) {
  const queries = useQueryClient();
  const { data: records = [], error } = useQuery(measurementsQuery(run.id));
  const [fault, setFault] = useState<unknown>(null);
  const record = records.find(({ id }) => id === shown) ?? records.at(-1);
  const add = (files: readonly File[]): void => {
    setFault(null);
    for (const file of files)
      addMeasurement(queries, run.id, file).then(({ id }) => setSearch({ live: id }, { replace: true }), setFault);
  };
  const remove = (id: string): void => {
    setFault(null);
    removeMeasurement(queries, run.id, id).then(() => setSearch({ live: '' }, { replace: true }), setFault);
  };
  const problem = fault ?? error;
  const frozen = useFrozen();
  if (frozen !== null && record === undefined) return null;
  return (
    <Section
      title="Live measurements"
      note="What iperf3 measured on a real connection, over this run: throughput, window and RTT."
      aside={record === undefined || frozen !== null ? null : <AddButton onFiles={add} />}
    >
      {problem === null ? null : (
        <div className={css['problem']}>
          <ProblemNotice
            error={problem}
            actions={
              fault === null ? null : (
                <IconButton icon="close" size="small" label="Dismiss" onPress={() => setFault(null)} />
              )
            }
          />
        </div>
      )}
      <DropZone
        isDisabled={frozen !== null}
        className={cx(record === undefined ? upload['zone'] : css['zone'])}
        aria-label="Drop a report of iperf3 here"
        onDrop={(event) => {
          const files = event.items.filter((item): item is FileDropItem => item.kind === 'file');
          void Promise.all(files.map((item) => item.getFile())).then(add);
        }}
      >
        {record === undefined ? (
          <Invitation onFiles={add} />
        ) : (
          <Shown
            key={record.id}
            {...{ run, records, record, offset, flow, raw, setRaw, setSearch }}
            onRemove={() => remove(record.id)}
          />
        )}
      </DropZone>
    </Section>
  );
}

const AddButton = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => (
  <FileTrigger acceptedFileTypes={['application/json', '.json']} onSelect={(list) => onFiles([...(list ?? [])])}>
    <Button icon="upload" size="small">
      Add a measurement
    </Button>
  </FileTrigger>
);

const Invitation = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => (
  <>
    <AddButton onFiles={onFiles} />
    <div>
      <p>…or drop the report here.</p>
      <small>
        <code>iperf3 -c HOST -J -i 0.1 {'>'} live.json</code>, TCP or UDP, of either end; only the sending end knows
        window and RTT.
      </small>
    </div>
  </>
);

/** The flow whose algorithm the kernel calls by this name; the first when there is none. */
function flowOf(cca: string | null, { manifest }: RunPlotData): number {
  const found = manifest.flows.findIndex(({ cca: { id } }) => cca !== null && named(id, cca));
  return Math.max(0, found);
}
/** `reno` is the kernel's name of `newreno`. */
const named = (id: string, kernel: string): boolean => id.endsWith(kernel);

interface ShownProps extends Omit<LiveMeasurementsProps, 'shown'> {
  readonly records: readonly MeasurementRecord[];
  readonly record: MeasurementRecord;
  readonly onRemove: () => void;
}

function Shown({ run, records, record, offset, flow: chosen, raw, setRaw, setSearch, onRemove }: ShownProps) {
  const { measurement } = record;
  const { flows } = run.manifest;
  const flow = chosen !== null && chosen < flows.length ? chosen : flowOf(measurement.cca, run);
  const id = flows[flow]?.cca.id ?? '';
  const data = useMemo<LivePlotData>(() => ({ ...run, record, offset_s: offset, flow }), [run, record, offset, flow]);
  return (
    <>
      <div className={css['bar']}>
        <div className={css['what']}>
          {records.length < 2 ? (
            <b>{record.name}</b>
          ) : (
            <div className={css['choice']}>
              <Select
                label="Measurement"
                value={record.id}
                options={records.map(({ id: key, name }) => ({ id: key, label: name }))}
                onChange={(live) => setSearch({ live }, { replace: true })}
              />
            </div>
          )}
          <span>{described(measurement)}</span>
        </div>
        {flows.length < 2 ? null : (
          <Select
            label="Compared with flow"
            value={String(flow)}
            options={flows.map(({ cca }, i) => ({ id: String(i), label: `${i + 1} · ${labelOf(cca.id, run.ccas)}` }))}
            onChange={(next) => setSearch({ flow: Number(next) }, { replace: true })}
          />
        )}
        <div className={css['offset']}>
          <NumberField
            label="Begins at"
            unit="s"
            step={0.1}
            digits={3}
            value={offset}
            onChange={(next) => setSearch({ offset: next }, { replace: true })}
          />
        </div>
        <LiveOnly>
          <IconButton icon="close" label={`Take ${record.name} away`} onPress={onRemove} />
        </LiveOnly>
      </div>
      <Notes measurement={measurement} cca={id} label={labelOf(id, run.ccas)} />
      <div className={css['figures']}>
        {LIVE_PLOTS.map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
        ))}
      </div>
    </>
  );
}

const labelOf = (id: string, ccas: ReadonlyMap<string, CcaDescriptor>): string => ccas.get(id)?.label ?? id;

function described(measurement: Measurement): string {
  const { protocol, cca, side, duration_s, interval_s, mean_mbps, streams, received = [] } = measurement;
  const seconds = (value: number): string => `${formatChosen(Number(value.toPrecision(3)))}${UNIT_SPACE}s`;
  return [
    [protocol.toUpperCase(), cca].filter((part) => part !== null).join(' '),
    ...(streams.length > 1 ? [`${streams.length} connections, added up`] : []),
    `${seconds(duration_s)} by ${seconds(interval_s)}`,
    `${formatRate(mean_mbps)} on average`,
    `told by the ${received.length > 0 ? 'sender and the receiver' : side}`,
  ].join(' · ');
}

/** What limits the comparison. */
function Notes({
  measurement,
  cca,
  label,
}: {
  readonly measurement: Measurement;
  readonly cca: string;
  readonly label: string;
}) {
  const notes = [
    ...(measurement.cca !== null && !named(cca, measurement.cca)
      ? [`The measurement is of ${measurement.cca}, this flow of ${label}.`]
      : []),
    ...(measurement.side === 'receiver' && measurement.protocol === 'tcp'
      ? ['The receiving side does not know window and RTT: add the sending side’s report to see them.']
      : []),
    ...measurement.notes,
  ];
  return notes.length === 0 ? null : (
    <ul className={css['notes']}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
