import { useQueryClient } from '@tanstack/react-query';
import { ToggleButton } from 'react-aria-components';
import { changeLabels } from '../../api/labels';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { showProblem } from '../../ui/toasts';
import type { NamedThing } from './undoable';
import css from './organise.module.css';

export function Star({ thing, on }: { readonly thing: NamedThing; readonly on: boolean }) {
  const queries = useQueryClient();
  return (
    <ToggleButton
      aria-label={`Star of ${thing.name}`}
      isSelected={on}
      onChange={(starred) => void changeLabels(queries, thing, { starred }).catch(showProblem)}
      className={cx(css['star'])}
    >
      <Icon name={on ? 'starred' : 'star'} />
    </ToggleButton>
  );
}
