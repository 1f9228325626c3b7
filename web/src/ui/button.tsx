// Buttons and links that look like them. A primary button is the one thing to do next; there is at most one in a view.
import type { ReactNode, Ref } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { cx } from './cx';
import { Icon, type IconName } from './icons';
import css from './button.module.css';

interface Look {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal' | 'large';
}

export const buttonClass = ({ kind = 'plain', size = 'normal' }: Look, ...more: (string | undefined)[]): string =>
  cx(css['button'], kind !== 'plain' && css[kind], size !== 'normal' && css[size], ...more);

export interface ButtonProps extends Look, Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

export function Button({ kind, size, icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={buttonClass({ ...(kind && { kind }), ...(size && { size }) })}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps
  extends Look, Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'> {
  readonly icon: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
  /** Said by the tooltip and to screen readers. */
  readonly label: string;
}

export function IconButton({ kind = 'quiet', size, icon, label, ...rest }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400}>
      <AriaButton {...rest} aria-label={label} className={buttonClass({ kind, ...(size && { size }) }, css['icon'])}>
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className={cx(css['tooltip'])} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
