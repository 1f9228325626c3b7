// Which links: traces of the library and uploads, or constant rates.
import { useState } from 'react';
import { choicesOf, findTraces, isFromRecipe, membersOf, setName } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { LIMITS, SET_LIMITS } from '#protocol/limits';
import type { LibrarySet } from '#protocol/spec';
import { Button } from '../../ui/button';
import { NumberField } from '../../ui/number-field';
import { TextField } from '../../ui/text-field';
import { Checkbox } from '../../ui/toggle';
import { formatChosen, formatCount, formatRate, UNIT_SPACE } from '../../ui/format';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Roving } from '../../ui/roving';
import { Spark } from '../../ui/spark';
import { TraceUpload } from '../traces/TraceUpload';
import { Chip, Chips, Taken } from './Chip';
import { sameJson, seedsIn, toggled, traceOf, traceRef, type Draft } from './draft';
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
  const chosen = new Set(draft.traces.map((ref) => traceOf(ref, traces ?? [])?.id));
  // Those that are put away are there while they are chosen, and for who looks for them.
  const found = findTraces(traces ?? [], { search: filter }).filter(
    ({ id, labels }) => labels?.archived !== true || filter !== '' || chosen.has(id),
  );
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
                {chosen.has(trace.id) && isFromRecipe(trace) ? (
                  <Seeds draft={draft} change={change} trace={trace} traces={traces} />
                ) : null}
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
      {traces === undefined ? null : <LibrarySets draft={draft} change={change} traces={traces} />}
      <ConstantRates draft={draft} change={change} />
    </section>
  );
}

interface SeedsProps extends ColumnProps {
  readonly trace: TraceRecord;
  readonly traces: readonly TraceRecord[];
}

/** How many traces of its network: one is the trace itself, more are seeds of its recipe. */
function Seeds({ draft, change, trace, traces }: SeedsProps) {
  const place = draft.traces.findIndex((entry) => traceOf(entry, traces)?.id === trace.id);
  const entry = draft.traces[place];
  if (entry === undefined) return null;
  return (
    <div className={css['seeds']}>
      <NumberField
        label={`Seeds of ${trace.name}`}
        hideLabel
        unit={seedsIn(entry) === 1 ? 'trace' : 'seeds'}
        {...SET_LIMITS.seeds}
        step={1}
        value={seedsIn(entry)}
        onChange={(count) => {
          const ref = traceRef(trace, traces);
          const next = count === 1 ? ref : { recipe: ref.trace, seeds: { from: 1, count } };
          change({ traces: draft.traces.map((other, i) => (i === place ? next : other)) });
        }}
      />
      <span className={css['help']}>of this network</span>
    </div>
  );
}

interface LibrarySetsProps extends ColumnProps {
  readonly traces: readonly TraceRecord[];
}

/** All traces of a kind at once. */
function LibrarySets({ draft, change, traces }: LibrarySetsProps) {
  const offered: readonly LibrarySet[] = [
    { folder: 'recordings' },
    { folder: 'own' },
    ...choicesOf(traces, 'technology').map(({ value }) => ({ technology: value })),
  ];
  const shown = offered.flatMap((set) => {
    const count = membersOf(traces, set).length;
    return count === 0 ? [] : [{ set, count }];
  });
  const label = (set: LibrarySet): string => ('technology' in set ? (set.technology ?? '') : setName(set));
  return (
    <div className={css['group']}>
      <h3>Sets</h3>
      <Chips label="Sets of traces">
        {shown.map(({ set, count }) => (
          <Chip
            key={JSON.stringify(set)}
            label={`All ${label(set)}`}
            count={count}
            isOn={draft.traces.some((entry) => sameJson(entry, set))}
            onChange={(on) => change({ traces: toggled(draft.traces, set, on) })}
          />
        ))}
      </Chips>
      <p>All that the library has of a kind when it runs; results are told for each and for all together.</p>
    </div>
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
