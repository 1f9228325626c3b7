// What only its maker and operators see: said where it stands, chosen where it is made, and ended for good.
import { useQuery } from '@tanstack/react-query';
import { callerQuery } from '../api/access';
import { cx } from '../ui/cx';
import { Icon } from '../ui/icons';
import { Badge } from '../ui/page';
import { Switch } from '../ui/toggle';
import css from './private.module.css';

/** Nobody is told apart at a server that asks nobody: nothing is private there. Null: it has not said yet. */
export function useTellsApart(): boolean | null {
  const { data } = useQuery(callerQuery);
  return data === undefined ? null : data.via !== null;
}

export const PrivateBadge = ({ of }: { readonly of: { readonly private?: true | undefined } }) =>
  of.private === true ? (
    <span className={css['badge']} title="Only its maker and the operators see it">
      <Badge>
        <Icon name="lock" /> private
      </Badge>
    </span>
  ) : null;

interface PrivateSwitchProps {
  readonly value: boolean;
  readonly onChange: (on: boolean) => void;
  /** Why it is so whatever is chosen. */
  readonly because?: string | null;
  /** In a bar: what it means is said of it, not beside it. */
  readonly compact?: boolean;
}

const WORDS = 'Only you and the operators see it, until you publish it.';

export function PrivateSwitch({ value, onChange, because = null, compact = false }: PrivateSwitchProps) {
  if (useTellsApart() !== true) return null;
  const words = because ?? (compact ? null : WORDS);
  return (
    <div className={cx(css['switch'], !compact && css['beside'])} title={WORDS} data-private="">
      <Switch value={value || because !== null} onChange={onChange} isDisabled={because !== null}>
        Private
      </Switch>
      {words === null ? null : <small>{words}</small>}
    </div>
  );
}
