// One step: its name, its fields, and where it stands in the list.
import type { TraceRecord } from '#protocol/api';
import type { EditStep } from '#protocol/edit';
import { IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Segmented, Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { formatDuration } from '../../ui/format';
import { type Field, OPERATIONS, valueOf, withValue } from './steps';
import css from './edit.module.css';

interface StepCardProps {
  readonly step: EditStep;
  readonly place: number;
  readonly last: boolean;
  readonly active: boolean;
  /** Of the trace after it, if that is known. */
  readonly lengthMs: number | undefined;
  readonly traces: readonly TraceRecord[];
  /** By the name of the parameter; what is wrong with the step as a whole has none. */
  readonly error: { readonly key: string; readonly text: string } | null;
  readonly onFocus: () => void;
  readonly onChange: (step: EditStep) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

export function StepCard(props: StepCardProps) {
  const { step, place, last, active, lengthMs, traces, error, onFocus, onChange, onMove, onRemove } = props;
  const { label, fields } = OPERATIONS[step.op];
  const name = `step ${place + 1}, ${label.toLowerCase()}`;
  const loose = error !== null && !fields.some(({ key }) => key === error.key);
  return (
    <li
      className={cx(css['step'], active && css['active'])}
      aria-current={active ? 'step' : undefined}
      aria-label={name}
      onFocusCapture={onFocus}
      onPointerDown={onFocus}
    >
      <div className={css['stepHead']}>
        <span className={css['number']}>{place + 1}</span>
        <h3>{label}</h3>
        <span className={css['length']}>{lengthMs === undefined ? '' : `→ ${formatDuration(lengthMs / 1000)}`}</span>
        <IconButton
          icon="up"
          size="small"
          label={`Move up: ${name}`}
          isDisabled={place === 0}
          onPress={() => onMove(-1)}
        />
        <IconButton icon="down" size="small" label={`Move down: ${name}`} isDisabled={last} onPress={() => onMove(1)} />
        <IconButton icon="trash" size="small" label={`Remove: ${name}`} onPress={onRemove} />
      </div>
      {fields.length === 0 ? null : (
        <div className={css['fields']}>
          {fields.map((field) => (
            <div
              key={field.key}
              className={cx(field.kind === 'mode' || field.kind === 'trace' ? css['wide'] : undefined)}
            >
              <StepField
                field={field}
                value={valueOf(step, field.key) ?? ''}
                traces={traces}
                error={error?.key === field.key ? error.text : undefined}
                onChange={(value) => onChange(withValue(step, field.key, value))}
              />
            </div>
          ))}
        </div>
      )}
      {loose ? (
        <p role="alert" className={css['problem']}>
          {error.text}
        </p>
      ) : null}
    </li>
  );
}

interface StepFieldProps {
  readonly field: Field;
  readonly value: string | number;
  readonly traces: readonly TraceRecord[];
  readonly error: string | undefined;
  readonly onChange: (value: string | number) => void;
}

function StepField({ field: { label, kind, help }, value, traces, error, onChange }: StepFieldProps) {
  const about = { label, error, ...(help === undefined ? {} : { help }) };
  switch (kind) {
    case 'time':
      return (
        <NumberField
          {...about}
          value={Number(value) / 1000}
          unit="s"
          min={0}
          digits={3}
          steppers={false}
          onChange={(s) => onChange(Math.round(s * 1000))}
        />
      );
    case 'ms':
      return (
        <NumberField
          {...about}
          value={Number(value)}
          unit="ms"
          min={0}
          digits={0}
          steppers={false}
          onChange={(ms) => onChange(Math.round(ms))}
        />
      );
    case 'factor':
      return (
        <NumberField
          {...about}
          value={Number(value)}
          min={0.000001}
          max={1000}
          digits={6}
          steppers={false}
          onChange={onChange}
        />
      );
    case 'mode':
      return (
        <Segmented
          {...about}
          value={value === 'insert' ? 'insert' : 'overwrite'}
          options={[
            { id: 'overwrite', label: 'is lost' },
            { id: 'insert', label: 'moves back' },
          ]}
          onChange={onChange}
        />
      );
    case 'trace':
      return (
        <Select
          {...about}
          value={String(value)}
          options={traces.map((trace) => ({ id: trace.id, label: trace.name }))}
          onChange={onChange}
        />
      );
  }
}
