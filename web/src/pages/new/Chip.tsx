// Something that can be chosen: a click takes it or leaves it, the gear opens its parameters.
import type { ReactNode } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { Roving } from '../../ui/roving';
import css from './chip.module.css';

interface ChipProps {
  readonly label: string;
  readonly mark?: ReactNode;
  /** Of how many it is true. */
  readonly count?: number;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (on: boolean) => void;
  /** Absent: it has no parameters. */
  readonly onGear?: (() => void) | undefined;
  /** Its parameters are not those it has by itself. */
  readonly isChanged?: boolean;
}

export const Chip = ({
  label,
  mark,
  count,
  isOn,
  isDisabled = false,
  onChange,
  onGear,
  isChanged = false,
}: ChipProps) => (
  <span className={css['chip']} {...(isOn ? { 'data-on': '' } : {})}>
    <ToggleButton
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={onChange}
      aria-label={count === undefined ? label : `${label}, ${count}`}
    >
      {mark}
      {label}
      {count === undefined ? null : <small>{count}</small>}
    </ToggleButton>
    {onGear === undefined ? null : (
      <Button aria-label={`Parameters of ${label}`} onPress={onGear} className={cx(isChanged && css['changed'])}>
        <Icon name="gear" size={14} />
      </Button>
    )}
  </span>
);

interface TakenProps {
  readonly label: string;
  readonly removal: string;
  readonly onRemove: () => void;
}

/** Something that is there only because it was chosen. */
export const Taken = ({ label, removal, onRemove }: TakenProps) => (
  <span className={css['chip']} data-on="">
    <span>{label}</span>
    <Button aria-label={removal} onPress={onRemove}>
      <Icon name="close" size={14} />
    </Button>
  </span>
);

/** Chips beside one another, in as many lines as they need. */
export const Chips = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Roving label={label} className={css['chips']}>
    {children}
  </Roving>
);
