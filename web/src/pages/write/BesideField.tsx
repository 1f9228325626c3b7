// Which other algorithms are drawn over the same link: those that were, the usual two, or another.
import { engineOf } from '#analysis/kinds';
import type { CcaDescriptor } from '#protocol/cca';
import { Button } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { MenuButton } from '../../ui/overlay';
import { BESIDE_SEARCH } from './write-search';
import css from './write.module.css';

interface BesideFieldProps {
  readonly value: readonly string[];
  readonly onChange: (ids: string[]) => void;
  readonly ccas: readonly CcaDescriptor[];
}

export function BesideField({ value, onChange, ccas }: BesideFieldProps) {
  const can = ccas.filter((cca) => engineOf(cca, 'virtual') === 'virtual' && cca.own === undefined);
  const shown = can.filter(({ id }) => value.includes(id) || BESIDE_SEARCH.beside.initial.includes(id));
  const entries = can
    .filter((cca) => !shown.includes(cca))
    .map(({ id, label }) => ({ id, label, onAction: () => onChange([...value, id]) }));
  return (
    <div className={css['beside']} role="group" aria-label="Beside">
      <span>Beside</span>
      {shown.map((cca) => {
        const on = value.includes(cca.id);
        return (
          <Button
            key={cca.id}
            size="small"
            kind={on ? 'plain' : 'quiet'}
            aria-pressed={on}
            onPress={() => onChange(on ? value.filter((id) => id !== cca.id) : [...value, cca.id])}
          >
            <CcaMark cca={on ? cca : undefined} size={12} />
            {cca.label}
          </Button>
        );
      })}
      <MenuButton size="small" kind="quiet" entries={entries}>
        Another
      </MenuButton>
    </div>
  );
}
