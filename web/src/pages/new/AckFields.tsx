// How a flow's receiver acknowledges: as Linux' does, or each so many packets.
import { LIMITS } from '#protocol/limits';
import { ackPolicy, type AckPolicy, type FlowSpec } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';

const LABELS: Readonly<Record<AckPolicy, string>> = { linux: 'as Linux', plain: 'by count' };

interface AckFieldsProps {
  readonly flow: FlowSpec;
  readonly onChange: (next: Partial<FlowSpec>) => void;
}

export function AckFields({ flow, onChange }: AckFieldsProps) {
  const policies: AckPolicy[] = flow.transport === 'tcp' ? ['linux', 'plain'] : ['plain'];
  const policy = ackPolicy(flow);
  return (
    <>
      {policies.length === 1 ? null : (
        <Select
          label="Acknowledgements"
          value={policy}
          options={policies.map((id) => ({ id, label: LABELS[id] }))}
          onChange={(ack) => onChange(ack === 'linux' ? { ack: undefined, ack_every: 2 } : { ack })}
          help="Linux: every second packet, each one at the start."
        />
      )}
      {policy === 'linux' ? null : (
        <NumberField
          label="ACK every"
          unit="pkts"
          {...LIMITS.ack_every}
          step={1}
          value={flow.ack_every}
          onChange={(ack_every) => onChange({ ack_every, ...(flow.transport === 'tcp' ? { ack: 'plain' } : {}) })}
          help="The receiver waits for so many packets, or for its timer."
        />
      )}
    </>
  );
}
