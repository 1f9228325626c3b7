// Yes or no.
import type { ReactNode } from 'react';
import {
  CheckboxButton,
  CheckboxField,
  type CheckboxFieldProps,
  SwitchButton,
  SwitchField,
} from 'react-aria-components';
import { cx } from './cx';
import { Icon } from './icons';
import css from './field.module.css';

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
  readonly isDisabled?: boolean;
}

export const Switch = ({ children, value, onChange, isDisabled = false }: SwitchProps) => (
  <SwitchField isSelected={value} onChange={onChange} isDisabled={isDisabled}>
    <SwitchButton className={cx(css['choice'])}>
      <span className={css['track']} />
      {children}
    </SwitchButton>
  </SwitchField>
);
