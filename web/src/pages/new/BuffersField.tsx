// Queue limits: the usual ones by a click, any other by number and unit; beneath, what each means on the chosen trace.
import { useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { bufferLabel, limitUnits } from '#analysis/limits';
import { membersOf } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { BufferSpec, type TraceEntry } from '#protocol/spec';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { alignDecimals, formatBytes, formatChosen, formatDelay, formatMeasured, formatRate } from '../../ui/format';
import { Roving } from '../../ui/roving';
import { WideTable } from '../../ui/scroll';
import { sameJson, sortBuffers, toggled, traceOf, USUAL_LIMITS } from './draft';
import { useLimitMean } from './limit-mean';
import { limitIn, UNITS, type Unit } from './LimitFields';
import type { ColumnProps } from './TracesColumn';
import field from '../../ui/field.module.css';
import css from './new.module.css';

interface BuffersFieldProps extends ColumnProps {
  readonly traces: readonly TraceRecord[] | undefined;
}

interface LinkFacts {
  readonly name: string;
  readonly mean: number;
  /** undefined: a constant rate. */
  readonly trace?: TraceRecord;
}

/** A trace's name and mean rate, whether it is a trace or a constant rate. */
function linkFacts(ref: TraceEntry, traces: readonly TraceRecord[]): LinkFacts | null {
  if ('rate_mbps' in ref) return { name: `${formatChosen(ref.rate_mbps)} Mbps`, mean: ref.rate_mbps };
  // Of a set of the library the first stands for all.
  const isLibrary = !('trace' in ref) && !('recipe' in ref);
  const trace = isLibrary ? membersOf(traces, ref)[0] : traceOf(ref, traces);
  return trace === undefined ? null : { name: trace.name, mean: trace.info.mean_mbps, trace };
}

export function BuffersField({ draft, change, traces }: BuffersFieldProps) {
  const extra = draft.buffers.filter((buffer) => !USUAL_LIMITS.some((usual) => sameJson(usual, buffer)));
  return (
    <div className={css['block']}>
      <h3 id="queue-limits">Queue limit</h3>
      <div className={field['segments']} role="group" aria-labelledby="queue-limits">
        <Roving label="Limits to choose from" className={css['limitsOffered']}>
          {sortBuffers([...USUAL_LIMITS, ...extra]).map((buffer) => (
            <ToggleButton
              key={JSON.stringify(buffer)}
              className={cx(field['segment'])}
              isSelected={draft.buffers.some((other) => sameJson(other, buffer))}
              onChange={(on) => change({ buffers: sortBuffers(toggled(draft.buffers, buffer, on)) })}
              aria-label={'infinite' in buffer ? 'infinite' : bufferLabel(buffer)}
            >
              {bufferLabel(buffer)}
            </ToggleButton>
          ))}
        </Roving>
        <AddLimit onAdd={(buffer) => change({ buffers: sortBuffers(toggled(draft.buffers, buffer, true)) })} />
      </div>
      <Effects draft={draft} change={change} traces={traces} />
      <div className={css['help']}>
        How much may wait at the bottleneck before packets are refused. 1 BDP is the mean capacity times the base RTT:
        one round trip’s worth of data.
      </div>
    </div>
  );
}

function AddLimit({ onAdd }: { readonly onAdd: (buffer: BufferSpec) => void }) {
  const [open, setOpen] = useState(false);
  const [size, setSize] = useState(2);
  const [unit, setUnit] = useState<Unit>('bdp');
  const parsed = BufferSpec.safeParse(limitIn(unit, size));
  if (!open)
    return (
      <Button size="small" icon="plus" kind="quiet" onPress={() => setOpen(true)}>
        Other
      </Button>
    );
  return (
    <div className={css['add']}>
      <NumberField
        label="Size of the limit"
        hideLabel
        value={size}
        onChange={setSize}
        min={0}
        error={parsed.success ? undefined : parsed.error.issues[0]?.message}
      />
      <Select label="Unit of the limit" hideLabel value={unit} options={UNITS} onChange={setUnit} />
      <Button
        isDisabled={!parsed.success}
        onPress={() => {
          if (parsed.success) onAdd(parsed.data);
          setOpen(false);
        }}
      >
        Add limit
      </Button>
    </div>
  );
}

function Effects({ draft, change, traces }: BuffersFieldProps) {
  const [chosen, setChosen] = useState(0);
  const links = draft.traces.map((ref) => linkFacts(ref, traces ?? [])).filter((link) => link !== null);
  const link = links[Math.min(chosen, links.length - 1)];
  const rtt = draft.base_rtt_ms[0];
  const { mean, note, choice } = useLimitMean(draft, link?.mean ?? 0, link?.trace);
  if (link === undefined || rtt === undefined)
    return <div className={css['effect']}>Choose a trace to see these limits in bytes, packets and milliseconds.</div>;
  const rows = mean === null ? [] : draft.buffers.map((buffer) => ({ buffer, ...limitUnits(buffer, mean, rtt) }));
  const column = (read: (row: (typeof rows)[number]) => string): string[] => alignDecimals(rows.map(read));
  const bdp = column((row) => (row.limit_bdp === null ? '∞' : formatMeasured(row.limit_bdp)));
  const packets = column((row) => (row.limit_packets === null ? '∞' : formatMeasured(row.limit_packets)));
  const one = mean === null ? null : limitUnits({ bdp: 1 }, mean, rtt);
  return (
    <>
      <div className={css['effect']}>
        {one === null
          ? `1 BDP on ${link.name} is being measured`
          : `1 BDP on ${link.name} = ${formatMeasured(one.bdp_bytes / 1500)} packets = ${formatBytes(one.bdp_bytes)} = ${formatDelay(rtt)} at ${formatRate(mean)}`}
        {note}
        {draft.base_rtt_ms.length > 1 ? `, for the base RTT of ${formatChosen(rtt)} ms` : ''}
      </div>
      {choice && (
        <Select
          label="1 BDP is of"
          value={draft.bdp_of ?? 'trace'}
          options={[
            { id: 'trace', label: 'the whole trace' },
            { id: 'part', label: 'the part that runs' },
          ]}
          onChange={(of) => change({ bdp_of: of === 'part' ? of : undefined })}
        />
      )}
      {links.length < 2 ? null : (
        <Select
          label="Trace for which the limits are shown"
          hideLabel
          value={String(Math.min(chosen, links.length - 1))}
          options={links.map((l, i) => ({ id: String(i), label: `on ${l.name}` }))}
          onChange={(next) => setChosen(Number(next))}
        />
      )}
      {rows.length === 0 ? null : (
        <WideTable label="Limits in all units">
          <table className={css['limits']} aria-label="What the limits mean on this trace">
            <thead>
              <tr>
                <th>Limit</th>
                <th>BDP</th>
                <th>packets</th>
                <th>bytes</th>
                <th>queueing</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={JSON.stringify(row.buffer)}>
                  <td>{bufferLabel(row.buffer)}</td>
                  <td>{bdp[i]}</td>
                  <td>{packets[i]}</td>
                  <td>{row.limit_bytes === null ? '∞' : formatBytes(row.limit_bytes)}</td>
                  <td>{row.limit_ms === null ? '∞' : formatDelay(row.limit_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </>
  );
}
