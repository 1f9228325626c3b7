// The transport as an axis: none chosen, each flow has the one that it says.
import { TRANSPORT_NAMES } from '#analysis/cca-label';
import { TransportProfile } from '#protocol/spec';
import { Chip, Chips } from './Chip';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

export function TransportsField({ draft: { transports = [] }, change }: Pick<ColumnProps, 'draft' | 'change'>) {
  return (
    <div className={css['block']}>
      <h3>Transports</h3>
      <Chips label="Transports">
        {TransportProfile.options.map((id) => (
          <Chip
            key={id}
            label={TRANSPORT_NAMES[id]}
            isOn={transports.includes(id)}
            onChange={(on) => {
              const next = TransportProfile.options.filter((each) => (each === id ? on : transports.includes(each)));
              change({ transports: next.length === 0 ? undefined : next });
            }}
          />
        ))}
      </Chips>
      <div className={css['help']}>
        Each chosen one makes cells of its own, over which the chosen algorithms’ flows go; none: as each flow says.
      </div>
    </div>
  );
}
