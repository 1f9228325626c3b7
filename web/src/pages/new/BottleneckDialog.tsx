// A further bottleneck of the path: its capacity, its queue, its limit.
import { useState } from 'react';
import { changedParams, hasEffect, withParam } from '#analysis/params';
import { findTraces } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import type { QueueDescriptor } from '#protocol/cca';
import { LIMITS } from '#protocol/limits';
import { BufferSpec, type PathElement, QueueSpec, type TraceRef } from '#protocol/spec';
import { Button } from '../../ui/button';
import { Segmented, Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { TextField } from '../../ui/text-field';
import { formatRate } from '../../ui/format';
import { Dialog } from '../../ui/overlay';
import { Spark } from '../../ui/spark';
import { traceOf, traceRef } from './draft';
import { LimitFields } from './LimitFields';
import { ParamField } from './ParamsDialog';
import css from './new.module.css';

const FIRST_RATE_MBPS = 12;

/** What one that is added begins with. */
export const newBottleneck = (element: string): PathElement => ({
  element,
  params: {},
  capacity: { rate_mbps: FIRST_RATE_MBPS },
  queue: QueueSpec.parse({}),
  buffer: { bdp: 1 },
});

interface BottleneckDialogProps {
  readonly title: string;
  readonly about: string;
  readonly element: PathElement;
  readonly queues: readonly QueueDescriptor[];
  readonly traces: readonly TraceRecord[];
  readonly onApply: (element: PathElement) => void;
  readonly onClose: () => void;
}

export function BottleneckDialog({ title, about, element, queues, traces, onApply, onClose }: BottleneckDialogProps) {
  const [capacity, setCapacity] = useState<TraceRef>(element.capacity ?? { rate_mbps: FIRST_RATE_MBPS });
  const [queue, setQueue] = useState<QueueSpec>(element.queue ?? QueueSpec.parse({}));
  const [buffer, setBuffer] = useState<BufferSpec>(element.buffer ?? { infinite: true });
  const discipline = queues.find(({ id }) => id === queue.id);
  const known = discipline?.params ?? [];
  const isLimited = discipline?.limited !== false;
  const isWhole = BufferSpec.safeParse(buffer).success && ('rate_mbps' in capacity || capacity.trace !== '');
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          isDisabled={!isWhole}
          onPress={() => {
            const meant = { ...queue, params: changedParams(queue.params, known) };
            onApply({ ...element, capacity, queue: meant, buffer: isLimited ? buffer : { infinite: true } });
            onClose();
          }}
        >
          Apply
        </Button>
      }
    >
      <p className={css['about']}>{about}</p>
      <div className={css['params']}>
        <CapacityFields value={capacity} traces={traces} onChange={setCapacity} />
        <Select
          label="Queue discipline"
          value={queue.id}
          options={queues.map(({ id, label }) => ({ id, label }))}
          onChange={(id) => setQueue({ id, params: {} })}
          help={discipline?.summary}
        />
        {isLimited ? <LimitFields value={buffer} onChange={setBuffer} /> : null}
        {known
          .filter((param) => hasEffect(param, queue.params, known))
          .map((param) => (
            <ParamField
              key={`${queue.id} ${param.name}`}
              param={param}
              value={queue.params[param.name] ?? param.default}
              onChange={(value) => setQueue({ ...queue, params: withParam(queue.params, param, value) })}
            />
          ))}
      </div>
    </Dialog>
  );
}

interface CapacityFieldsProps {
  readonly value: TraceRef;
  readonly traces: readonly TraceRecord[];
  readonly onChange: (value: TraceRef) => void;
}

/** A list of so many is read, a longer one searched. */
const READ_AT_ONCE = 8;

function CapacityFields({ value, traces, onChange }: CapacityFieldsProps) {
  const [filter, setFilter] = useState('');
  const kind = 'rate_mbps' in value ? 'rate' : 'trace';
  const chosen = traceOf(value, traces);
  const found = findTraces(traces, { search: filter });
  const offered = chosen === undefined || found.includes(chosen) ? found : [chosen, ...found];
  const first = traces[0];
  return (
    <>
      <Segmented
        label="Capacity"
        value={kind}
        options={[
          { id: 'rate', label: 'Constant rate' },
          { id: 'trace', label: 'Trace', disabled: first === undefined },
        ]}
        onChange={(next) => {
          if (next === kind) return;
          if (next === 'rate') onChange({ rate_mbps: FIRST_RATE_MBPS });
          else if (first !== undefined) onChange(traceRef(first, traces));
        }}
      />
      {'rate_mbps' in value ? (
        <NumberField
          label="Rate"
          unit="Mbps"
          {...LIMITS.rate_mbps}
          steppers={false}
          value={value.rate_mbps}
          onChange={(rate_mbps) => onChange({ rate_mbps })}
        />
      ) : (
        <>
          {traces.length > READ_AT_ONCE ? (
            <TextField
              label="Filter traces"
              type="search"
              placeholder="Name, technology, place …"
              value={filter}
              onChange={setFilter}
            />
          ) : null}
          <Select
            label="Trace"
            value={chosen?.id ?? value.trace}
            options={[
              ...(chosen === undefined ? [{ id: value.trace, label: value.trace }] : []),
              ...offered.map(({ id, name }) => ({ id, label: name })),
            ]}
            onChange={(id) => {
              const trace = traces.find((one) => one.id === id);
              if (trace !== undefined) onChange(traceRef(trace, traces));
            }}
            help={filter.trim() === '' ? undefined : `${found.length} of ${traces.length} traces`}
          />
          {chosen === undefined ? null : (
            <div className={css['block']}>
              <Spark values={chosen.spark} height={32} />
              <div className={css['help']}>Mean {formatRate(chosen.info.mean_mbps)}</div>
            </div>
          )}
        </>
      )}
    </>
  );
}
