import { Group, Input, Label, TextField as AriaTextField } from 'react-aria-components';
import { cx } from './cx';
import { Below, type FieldText } from './field';
import css from './field.module.css';

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
