// Which algorithms, with which parameters. Built from what the engine lists: nothing here knows a CCA by name.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { engineOf, isCompetitor, overTun } from '#analysis/kinds';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { CcaRef, ParamValues } from '#protocol/spec';
import { doctorQuery } from '../../api/queries';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatCount } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Loading, ProblemNotice } from '../../ui/notice';
import { STACKS } from '../stacks';
import { sortCcas } from './draft';
import { ParamsDialog } from './ParamsDialog';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

/** What the doctor must find for real stacks to be used. */
const STACKS_NEED = 'kernel-tcp';

interface CcasColumnProps extends ColumnProps {
  readonly listing: EngineListing | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

export function CcasColumn({ draft, change, listing, error, onRetry }: CcasColumnProps) {
  const doctor = useQuery(doctorQuery);
  const stacksFault = doctor.data?.checks.find(({ id, ok }) => id === STACKS_NEED && !ok)?.detail ?? null;
  const [open, setOpen] = useState<CcaDescriptor | null>(null);
  const ref = (cca: CcaDescriptor): CcaRef | undefined => draft.ccas.find((other) => other.id === cca.id);
  const set = (cca: CcaDescriptor, params: ParamValues | null): void =>
    change(({ ccas }) => {
      const others = ccas.filter((other) => other.id !== cca.id);
      const next = params === null ? others : [...others, { id: cca.id, params }];
      return { ccas: listing === undefined ? next : sortCcas(next, listing) };
    });

  const chip = (cca: CcaDescriptor) => {
    const chosen = ref(cca);
    const runs = engineOf(cca, draft.engine) !== null && (!overTun(cca) || stacksFault === null);
    return (
      <span key={cca.id} className={css['chip']} {...(chosen === undefined ? {} : { 'data-on': '' })}>
        <ToggleButton
          isSelected={chosen !== undefined}
          isDisabled={!runs && chosen === undefined}
          onChange={(on) => set(cca, on ? {} : null)}
          aria-label={cca.label}
        >
          <CcaMark cca={cca} />
          {cca.label}
        </ToggleButton>
        {cca.params.length === 0 ? null : (
          <AriaButton
            aria-label={`Parameters of ${cca.label}`}
            onPress={() => setOpen(cca)}
            className={cx(chosen !== undefined && Object.keys(chosen.params).length > 0 && css['changed'])}
          >
            <Icon name="gear" size={14} />
          </AriaButton>
        )}
      </span>
    );
  };

  return (
    <section className={css['column']} aria-label="Algorithms">
      <header>
        <h2>Algorithms</h2>
        <span>{draft.ccas.length === 0 ? 'none chosen' : `${formatCount(draft.ccas.length)} chosen`}</span>
      </header>
      {error !== null ? (
        <ProblemNotice error={error} onRetry={onRetry} />
      ) : listing === undefined ? (
        <Loading label="Loading algorithms" rows={3} />
      ) : (
        <>
          <div className={css['group']}>
            <h3>Competitors</h3>
            <div className={css['chips']}>{listing.ccas.filter((cca) => cca.kind === 'sender').map(chip)}</div>
            <p>Each chosen algorithm runs in cells of its own; the gear opens its parameters.</p>
          </div>
          <div className={css['group']}>
            <h3>References</h3>
            <div className={css['chips']}>{listing.ccas.filter((cca) => !isCompetitor(cca)).map(chip)}</div>
            <p>They know the trace, so they show what could be reached: no real sender can be beyond them.</p>
          </div>
          {STACKS.map(({ kind, title, note }) => {
            const ccas = listing.ccas.filter((cca) => cca.kind === kind);
            const missing = listing.unavailable.find((entry) => entry.kind === kind)?.reason ?? null;
            if (ccas.length === 0 && missing === null) return null;
            const fault = missing ?? stacksFault;
            return (
              <div key={kind} className={css['group']}>
                <h3>{title}</h3>
                {ccas.length === 0 ? null : <div className={css['chips']}>{ccas.map(chip)}</div>}
                <p>
                  {note}
                  {fault === null ? null : ` It cannot be used here: ${fault}`}
                </p>
              </div>
            );
          })}
        </>
      )}
      {open === null ? null : (
        <ParamsDialog
          title={`Parameters of ${open.label}`}
          about={open.summary}
          known={open.params}
          values={ref(open)?.params ?? {}}
          onClose={() => setOpen(null)}
          onApply={(params) => set(open, params)}
        />
      )}
    </section>
  );
}
