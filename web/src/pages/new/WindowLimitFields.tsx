// A flow's receive window: Linux' usual limit, none, or so many bytes.
import { LIMITS } from '#protocol/limits';
import { type FlowSpec, USUAL_WINDOW_LIMIT } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';

type WindowLimit = FlowSpec['window_limit_bytes'];

const CHOICES = ['usual', 'none', 'bytes'] as const;
type Choice = (typeof CHOICES)[number];

const LABELS: Readonly<Record<Choice, string>> = { usual: 'Linux’ 6 MiB', none: 'no limit', bytes: 'bytes' };
/** What a field of bytes begins with. */
const FIRST_BYTES = 1_000_000;

const choiceOf = (value: WindowLimit): Choice =>
  value === 'none' ? 'none' : value === USUAL_WINDOW_LIMIT ? 'usual' : 'bytes';

const chosen = (choice: Choice): WindowLimit =>
  choice === 'none' ? 'none' : choice === 'usual' ? USUAL_WINDOW_LIMIT : FIRST_BYTES;

interface BytesFieldProps {
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const BytesField = ({ value, onChange }: BytesFieldProps) => (
  <NumberField
    label="Window limit"
    unit="bytes"
    {...LIMITS.window_limit_bytes}
    step={1}
    steppers={false}
    value={value}
    onChange={onChange}
    help="Of data, without headers."
  />
);

interface WindowLimitFieldsProps {
  readonly value: WindowLimit;
  readonly onChange: (value: WindowLimit) => void;
}

export function WindowLimitFields({ value, onChange }: WindowLimitFieldsProps) {
  const choice = choiceOf(value);
  return (
    <>
      <Select
        label="Receive window"
        value={choice}
        options={CHOICES.map((id) => ({ id, label: LABELS[id] }))}
        onChange={(next) => onChange(chosen(next))}
        help="Most data on their way unacknowledged, whatever the algorithm says."
      />
      {choice === 'bytes' ? <BytesField value={Number(value)} onChange={onChange} /> : null}
    </>
  );
}

const AS_FLOWS = '';

interface OwnWindowFieldsProps {
  /** undefined: as the flows say. */
  readonly value: WindowLimit | undefined;
  readonly onChange: (value: WindowLimit | undefined) => void;
}

/** Of an algorithm that brings its own. */
export function OwnWindowFields({ value, onChange }: OwnWindowFieldsProps) {
  const choice = value === undefined ? AS_FLOWS : choiceOf(value);
  return (
    <>
      <Select
        label="Receive window"
        value={choice}
        options={[
          { id: AS_FLOWS, label: 'as its flows say' },
          ...CHOICES.map((id) => ({ id, label: `always ${LABELS[id]}` })),
        ]}
        onChange={(next) => {
          const made = CHOICES.find((one) => one === next);
          onChange(made === undefined ? undefined : chosen(made));
        }}
        help="Of this algorithm’s own flows: a program over UDP has none where TCP has one."
      />
      {choice === 'bytes' ? <BytesField value={Number(value)} onChange={onChange} /> : null}
    </>
  );
}
