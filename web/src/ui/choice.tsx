// One of several: all visible, or in a list that opens.
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  RadioButton,
  RadioField,
  RadioGroup,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { cx } from './cx';
import { Below, type FieldText } from './field';
import { Icon } from './icons';
import css from './field.module.css';
import menu from './menu.module.css';

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
