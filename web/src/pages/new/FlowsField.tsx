// Who shares the link, and when: one row per flow with its time line.
import { Slider } from 'react-aria-components';
import { turnsIn } from '#analysis/kind-spec';
import { engineOf, isCompetitor, isOffered } from '#analysis/kinds';
import type { EngineListing } from '#protocol/cca';
import { FlowSpec } from '#protocol/spec';
import { LIMITS } from '#protocol/limits';
import { Button, IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { formatDuration } from '../../ui/format';
import { SliderRail } from '../../ui/slider';
import { AckFields } from './AckFields';
import { SourceFields } from './SourceFields';
import { WindowLimitFields } from './WindowLimitFields';
import { newFlow, takingTurns, type Draft } from './draft';
import { pathOf } from './path-draft';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

const CELL = '$cca';

interface FlowsFieldProps extends ColumnProps {
  readonly listing: EngineListing | undefined;
}

export function FlowsField({ draft, change, listing }: FlowsFieldProps) {
  const flows = draft.flows;
  const turns = turnsIn(flows, draft.duration_s);
  const set = (index: number, next: Partial<FlowSpec>): void =>
    change({ flows: flows.map((flow, i) => (i === index ? FlowSpec.parse({ ...flow, ...next }) : flow)) });
  const options = [
    { id: CELL, label: 'each algorithm' },
    ...(listing?.ccas ?? [])
      .filter(
        (cca) =>
          isCompetitor(cca) &&
          engineOf(cca, draft.engine) !== null &&
          (isOffered(cca) || flows.some((flow) => flow.cca !== CELL && flow.cca.id === cca.id)),
      )
      .map((cca) => ({ id: cca.id, label: `always ${cca.label}` })),
  ];
  return (
    <div className={css['block']}>
      <h3>Flows</h3>
      {turns === null ? null : (
        <NumberField
          label="Flows that take turns"
          min={2}
          max={LIMITS.flows.max}
          step={1}
          value={turns}
          onChange={(next) => change({ flows: takingTurns(next, draft.duration_s) })}
          help="They join one after the other and leave in the same order, each for as long as any other."
        />
      )}
      {flows.map((flow, i) => (
        // Flows have no identity of their own but their place.
        <div key={i} className={css['flow']}>
          <Select
            label={`Algorithm of flow ${i + 1}`}
            hideLabel
            value={flow.cca === CELL ? CELL : flow.cca.id}
            options={options}
            onChange={(id) => set(i, { cca: id === CELL ? CELL : { id, params: {} } })}
          />
          <TimeLine flow={flow} index={i} duration={draft.duration_s} onChange={(times) => set(i, times)} />
          <IconButton
            icon="trash"
            size="small"
            label={`Remove flow ${i + 1}`}
            isDisabled={flows.length === 1}
            onPress={() => change({ flows: flows.filter((_, other) => other !== i) })}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          isDisabled={flows.length >= 64}
          onPress={() => change({ flows: [...flows, { ...newFlow(), handshake: flows.at(-1)?.handshake }] })}
        >
          Add a flow
        </Button>
      </div>
      <div className={css['help']}>
        Flows share one queue. “Each algorithm” stands for the algorithm of the cell; drag the ends to set when a flow
        starts and stops.
      </div>
    </div>
  );
}

interface TimeLineProps {
  readonly flow: FlowSpec;
  readonly index: number;
  readonly duration: number;
  readonly onChange: (times: { start_s: number; stop_s: number | undefined }) => void;
}

function TimeLine({ flow, index, duration, onChange }: TimeLineProps) {
  const stop = flow.stop_s ?? duration;
  const step = duration >= 20 ? 0.5 : duration / 40;
  return (
    <Slider
      className={cx(css['slider'])}
      aria-label={`Flow ${index + 1}: start and stop`}
      minValue={0}
      maxValue={duration}
      step={step}
      value={[flow.start_s, Math.min(stop, duration)]}
      onChange={([from = 0, to = duration]) => {
        if (from < to) onChange({ start_s: from, stop_s: to >= duration ? undefined : to });
      }}
    >
      <SliderRail thumbs={[`Start of flow ${index + 1}`, `Stop of flow ${index + 1}`]} />
      <div className={css['times']}>
        <span>{formatDuration(flow.start_s)}</span>
        <span>{flow.stop_s === undefined ? 'to the end' : formatDuration(flow.stop_s)}</span>
      </div>
    </Slider>
  );
}

/** Where flows may enter the path, by the number of the box in the row; nothing where the path is the usual one. */
function placesOf(draft: Draft, listing: EngineListing | undefined): { id: string; label: string }[] {
  const given = draft.elements?.forward ?? [];
  const first = pathOf(draft, 'forward').length - given.length + 1;
  const label = (id: string): string => listing?.elements?.find((known) => known.id === id)?.label ?? id;
  return given.map(({ element }, i) => ({
    id: String(i),
    label: i === 0 ? 'the beginning' : `${first + i}: ${label(element)}`,
  }));
}

export function FlowDetails({ draft, change, listing }: FlowsFieldProps) {
  const places = placesOf(draft, listing);
  const set = (index: number, next: Partial<FlowSpec>): void =>
    change({ flows: draft.flows.map((flow, i) => (i === index ? { ...flow, ...next } : flow)) });
  return draft.flows.map((flow, i) => (
    <div key={i} className={css['block']} role="group" aria-label={`Flow ${i + 1}`}>
      {draft.flows.length === 1 ? null : <h3>Flow {i + 1}</h3>}
      <div className={css['pair']}>
        <NumberField
          label="Extra RTT"
          unit="ms"
          {...LIMITS.extra_rtt_ms}
          value={flow.extra_rtt_ms}
          onChange={(extra_rtt_ms) => set(i, { extra_rtt_ms })}
          help="Added to the base RTT of this flow only."
        />
        {places.length === 0 ? null : (
          <Select
            label="Enters the path at"
            value={String(flow.joins ?? 0)}
            options={places}
            onChange={(place) => set(i, { joins: place === '0' ? undefined : Number(place) })}
            help="Its data do not meet what comes before."
          />
        )}
        <AckFields flow={flow} onChange={(next) => set(i, next)} />
        <WindowLimitFields
          value={flow.window_limit_bytes}
          onChange={(window_limit_bytes) => set(i, { window_limit_bytes })}
        />
        <Select
          label="Transport"
          value={flow.transport}
          options={[
            { id: 'tcp', label: 'as TCP' },
            { id: 'quic', label: 'as QUIC' },
            { id: 'quic-grow-underutilised', label: 'as QUIC, grows when unused' },
          ]}
          onChange={(transport) => set(i, { transport, ack: undefined })}
          help="How losses are found and when the window may grow."
        />
        <Select
          label="Handshake"
          value={flow.handshake ?? 'none'}
          options={[
            { id: 'none', label: 'none' },
            { id: 'full', label: 'full' },
            { id: 'early_data', label: flow.transport === 'tcp' ? 'Fast Open' : '0-RTT' },
          ]}
          onChange={(handshake) => set(i, { handshake })}
          help="Packets that open the connection. Real stacks send their own."
        />
        <Select
          label="Congestion marks"
          value={flow.ecn ? 'answered' : 'none'}
          options={[
            { id: 'none', label: 'none (drops)' },
            { id: 'answered', label: 'answered as losses' },
          ]}
          onChange={(choice) => set(i, { ecn: choice === 'answered' })}
          help="Needs a queue that marks; for window-based CCAs."
        />
        <SourceFields source={flow.source} onChange={(source) => set(i, { source })} />
      </div>
    </div>
  ));
}
