// Form controls. Each explains itself in a sentence (help) and may show what its value means here (effect).
import type { ReactNode } from 'react';
import {
  Button,
  CheckboxButton,
  CheckboxField,
  type CheckboxFieldProps,
  Group,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  NumberField as AriaNumberField,
  Popover,
  RadioButton,
  RadioField,
  RadioGroup,
  Select as AriaSelect,
  SelectValue,
  SwitchButton,
  SwitchField,
  Text,
  TextField as AriaTextField,
} from 'react-aria-components';
import { cx } from './cx';
import { Icon } from './icons';
import css from './field.module.css';
import menu from './menu.module.css';

interface FieldText {
  readonly label: string;
  readonly help?: ReactNode;
  readonly effect?: ReactNode;
  readonly error?: string | undefined;
}

const Below = ({ help, effect, error }: Omit<FieldText, 'label'>) => (
  <>
    {effect === undefined ? null : <div className={css['effect']}>{effect}</div>}
    {help === undefined ? null : (
      <Text slot="description" className={cx(css['help'])}>
        {help}
      </Text>
    )}
    {error === undefined ? null : (
      <div className={css['error']} role="alert">
        {error}
      </div>
    )}
  </>
);

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

export interface TextFieldProps extends FieldText {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hideLabel?: boolean;
  readonly type?: 'text' | 'search';
  readonly id?: string;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, placeholder, hideLabel = false, type = 'text', id } = props;
  return (
    <AriaTextField
      className={cx(css['field'])}
      value={value}
      onChange={onChange}
      type={type}
      isInvalid={props.error !== undefined}
      {...(hideLabel ? { 'aria-label': label } : {})}
      {...(id === undefined ? {} : { id })}
    >
      {hideLabel ? null : <Label className={cx(css['label'])}>{label}</Label>}
      <Group className={cx(css['box'])}>
        <Input className={cx(css['input'])} {...(placeholder === undefined ? {} : { placeholder })} />
      </Group>
      <Below {...props} />
    </AriaTextField>
  );
}

export interface Option<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface ChoiceProps<T extends string> extends FieldText {
  readonly value: T;
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
  readonly hideLabel?: boolean;
}

/** One of a few, all visible. */
export function Segmented<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, onChange, hideLabel = false } = props;
  return (
    <RadioGroup
      className={cx(css['field'])}
      value={value}
      onChange={(next) => onChange(next as T)}
      orientation="horizontal"
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {hideLabel ? null : <Label className={cx(css['label'])}>{label}</Label>}
      <div className={css['segments']}>
        {options.map((option) => (
          <RadioField key={option.id} value={option.id} isDisabled={option.disabled === true}>
            <RadioButton className={cx(css['segment'])}>{option.label}</RadioButton>
          </RadioField>
        ))}
      </div>
      <Below {...props} />
    </RadioGroup>
  );
}

/** One of many, in a list that opens. */
export function Select<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, onChange, hideLabel = false } = props;
  return (
    <AriaSelect
      className={cx(css['field'])}
      value={value}
      onChange={(next) => onChange(next as T)}
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {hideLabel ? null : <Label className={cx(css['label'])}>{label}</Label>}
      <Button className={cx(css['box'], css['select'])}>
        <SelectValue />
        <Icon name="down" size={12} />
      </Button>
      <Below {...props} />
      <Popover className={cx(menu['popover'])} offset={4}>
        <ListBox className={cx(menu['list'])} items={options}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={cx(menu['item'])}>
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export interface CheckboxProps extends Omit<CheckboxFieldProps, 'className' | 'children' | 'style'> {
  readonly children?: ReactNode;
}

export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <CheckboxField {...rest}>
      <CheckboxButton className={cx(css['choice'])}>
        {({ isSelected, isIndeterminate }) => (
          <>
            <span className={css['tick']}>
              {isIndeterminate ? '–' : isSelected ? <Icon name="check" size={12} /> : null}
            </span>
            {children}
          </>
        )}
      </CheckboxButton>
    </CheckboxField>
  );
}

export interface SwitchProps {
  readonly children: ReactNode;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export const Switch = ({ children, value, onChange }: SwitchProps) => (
  <SwitchField isSelected={value} onChange={onChange}>
    <SwitchButton className={cx(css['choice'])}>
      <span className={css['track']} />
      {children}
    </SwitchButton>
  </SwitchField>
);
