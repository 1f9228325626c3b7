// Which links: traces of the library and uploads, or constant rates.
import { useMemo, useState } from 'react';
import { findTraces } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { LIMITS } from '#protocol/limits';
import { Button } from '../../ui/button';
import { Checkbox, NumberField, TextField } from '../../ui/fields';
import { formatChosen, formatCount, formatRate, UNIT_SPACE } from '../../ui/format';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Roving } from '../../ui/roving';
import { Spark } from '../../ui/spark';
import { TraceUpload } from '../traces/TraceUpload';
import { Chips, Taken } from './Chip';
import { sameJson, toggled, traceOf, traceRef, type Draft } from './draft';
import css from './new.module.css';

export interface ColumnProps {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;
}

interface TracesColumnProps extends ColumnProps {
  readonly traces: readonly TraceRecord[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** More are shown when they are asked for: a list of hundreds is searched, not read. */
const MOST_AT_ONCE = 100;

export function TracesColumn({ draft, change, traces, error, onRetry }: TracesColumnProps) {
  const [filter, setFilter] = useState('');
  const [most, setMost] = useState(MOST_AT_ONCE);
  const found = useMemo(() => findTraces(traces ?? [], { search: filter }), [traces, filter]);
  const chosen = new Set(draft.traces.map((ref) => traceOf(ref, traces ?? [])?.id));
  const shown = found.slice(0, most);
  const set = (trace: TraceRecord, on: boolean): void =>
    change(({ traces: refs }) => ({
      traces: on
        ? toggled(refs, traceRef(trace, traces ?? [trace]), true)
        : refs.filter((ref) => traceOf(ref, traces ?? [trace])?.id !== trace.id),
    }));
  return (
    <section className={css['column']} aria-label="Traces">
      <header>
        <h2>Traces</h2>
        <span>{draft.traces.length === 0 ? 'none chosen' : `${formatCount(draft.traces.length)} chosen`}</span>
      </header>
      <TraceUpload compact onDone={(trace) => set(trace, true)} />
      {(traces?.length ?? 0) > 8 ? (
        <TextField
          label="Filter traces"
          hideLabel
          type="search"
          placeholder="Name, technology, place …"
          value={filter}
          onChange={setFilter}
        />
      ) : null}
      {error !== null ? (
        <ProblemNotice error={error} onRetry={onRetry} />
      ) : traces === undefined ? (
        <Loading label="Loading traces" rows={5} />
      ) : shown.length === 0 ? (
        <Empty
          title={traces.length === 0 ? 'No traces yet' : `No trace has “${filter.trim()}”`}
          action={traces.length === 0 ? undefined : <Button onPress={() => setFilter('')}>Clear the search</Button>}
        />
      ) : (
        <Roving label="Traces to choose from" className={css['list']}>
          <ul className={css['traces']}>
            {shown.map((trace) => (
              <li key={trace.id} className={css['trace']}>
                <Checkbox isSelected={chosen.has(trace.id)} onChange={(on) => set(trace, on)}>
                  {trace.name}
                </Checkbox>
                <Spark values={trace.spark} height={24} />
                <span className={css['rate']}>{formatRate(trace.info.mean_mbps)}</span>
              </li>
            ))}
            {found.length > most ? (
              <li>
                <Button size="small" kind="quiet" onPress={() => setMost(most + MOST_AT_ONCE)}>
                  {`Show more of ${formatCount(found.length)} traces`}
                </Button>
              </li>
            ) : null}
          </ul>
        </Roving>
      )}
      <ConstantRates draft={draft} change={change} />
    </section>
  );
}

function ConstantRates({ draft, change }: ColumnProps) {
  const [rate, setRate] = useState(12);
  const rates = draft.traces.filter((ref) => 'rate_mbps' in ref);
  return (
    <div className={css['group']}>
      {rates.length === 0 ? null : (
        <Chips label="Constant rates">
          {rates.map((ref) => (
            <Taken
              key={ref.rate_mbps}
              label={`${formatChosen(ref.rate_mbps)}${UNIT_SPACE}Mbps, constant`}
              removal={`Remove the constant rate of ${ref.rate_mbps} Mbps`}
              onRemove={() => change({ traces: draft.traces.filter((other) => !sameJson(other, ref)) })}
            />
          ))}
        </Chips>
      )}
      <div className={css['constant']}>
        <NumberField label="Constant rate" unit="Mbps" {...LIMITS.rate_mbps} value={rate} onChange={setRate} />
        <Button icon="plus" onPress={() => change({ traces: toggled(draft.traces, { rate_mbps: rate }, true) })}>
          Add rate
        </Button>
      </div>
      <p>A link that never changes: for checking results by hand.</p>
    </div>
  );
}
