import { Button, Group, Input, Label, NumberField as AriaNumberField } from 'react-aria-components';
import { cx } from './cx';
import { Below, type FieldText } from './field';
import css from './field.module.css';

export interface NumberFieldProps extends FieldText {
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly digits?: number;
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
  /** Buttons that add and take away a step; false where a step of one means nothing. */
  readonly steppers?: boolean;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, unit, min, max, step, digits = 6, hideLabel = false, disabled = false } = props;
  return (
    <AriaNumberField
      className={cx(css['field'])}
      value={value}
      onChange={(next) => {
        if (!Number.isNaN(next)) onChange(next);
      }}
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      {...(step === undefined ? {} : { step })}
      isDisabled={disabled}
      isInvalid={props.error !== undefined}
      formatOptions={{ maximumFractionDigits: digits, useGrouping: false }}
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {hideLabel ? null : <Label className={cx(css['label'])}>{label}</Label>}
      <Group className={cx(css['box'])}>
        <Input className={cx(css['input'], css['number'])} />
        {unit === undefined || unit === '' ? null : <span className={css['unit']}>{unit}</span>}
        {props.steppers === false ? null : (
          <>
            <Button slot="decrement" className={cx(css['step'])}>
              −
            </Button>
            <Button slot="increment" className={cx(css['step'])}>
              +
            </Button>
          </>
        )}
      </Group>
      <Below {...props} />
    </AriaNumberField>
  );
}
