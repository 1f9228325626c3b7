// Which algorithms, with which parameters. Built from what the engine lists: nothing here knows a CCA by name.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { engineOf, isCompetitor, isOffered, overTun } from '#analysis/kinds';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { ccaLabel } from '#analysis/cca-label';
import type { ChosenCca } from '#protocol/spec';
import { doctorQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { formatCount } from '../../ui/format';
import { Loading, ProblemNotice } from '../../ui/notice';
import { STACKS } from '../stacks';
import { CcaDialog } from './CcaDialog';
import { Chip, Chips } from './Chip';
import { sameJson, sortCcas } from './draft';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

/** What the doctor must find for real stacks to be used. */
export const STACKS_NEED = 'kernel-tcp';

interface Variant {
  readonly cca: CcaDescriptor;
  /** As it is chosen; null: it is not. */
  readonly ref: ChosenCca | null;
  readonly label: string;
}

interface CcasColumnProps extends ColumnProps {
  readonly listing: EngineListing | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

export function CcasColumn({ draft, change, listing, error, onRetry }: CcasColumnProps) {
  const doctor = useQuery(doctorQuery);
  const stacksFault = doctor.data?.checks.find(({ id, ok }) => id === STACKS_NEED && !ok)?.detail ?? null;
  const [open, setOpen] = useState<Variant | null>(null);
  /** The same algorithm may be chosen several times, with other parameters each. */
  const variantsOf = (cca: CcaDescriptor): readonly Variant[] => {
    const chosen = draft.ccas.filter(({ id }) => id === cca.id);
    if (chosen.length === 0) return [{ cca, ref: null, label: cca.label }];
    return chosen.map((ref) => ({ cca, ref, label: chosen.length === 1 ? cca.label : ccaLabel({ cca: ref }, cca) }));
  };
  /** Puts one in the place of another; null: in no place, or nothing. */
  const replace = (old: ChosenCca | null, next: ChosenCca | null): void =>
    change(({ ccas }) => {
      const others = ccas.filter((ref) => !sameJson(ref, old) && !sameJson(ref, next));
      const all = next === null ? others : [...others, next];
      return { ccas: listing === undefined ? all : sortCcas(all, listing) };
    });

  const chip = (variant: Variant) => {
    const { cca, ref, label } = variant;
    const runs = engineOf(cca, draft.engine) !== null && (!overTun(cca) || stacksFault === null);
    return (
      <Chip
        key={label}
        label={label}
        mark={<CcaMark cca={cca} />}
        isOn={ref !== null}
        isDisabled={!runs && ref === null}
        onChange={(on) => replace(ref, on ? { id: cca.id, params: {} } : null)}
        // An ideal is computed from the trace alone, and what cannot run here is not chosen: they bring nothing along.
        onGear={
          cca.params.length > 0 || (cca.kind !== 'ideal' && (runs || ref !== null)) ? () => setOpen(variant) : undefined
        }
        isChanged={ref !== null && !sameJson(ref, { id: ref.id, params: {} })}
      />
    );
  };
  const chips = (title: string, ccas: readonly CcaDescriptor[]) => (
    <Chips label={title}>{ccas.flatMap(variantsOf).map(chip)}</Chips>
  );

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
            {chips(
              'Competitors',
              listing.ccas.filter(
                (cca) => cca.kind === 'sender' && (isOffered(cca) || draft.ccas.some(({ id }) => id === cca.id)),
              ),
            )}
            <p>
              Each chosen algorithm runs in cells of its own; the gear opens its parameters, gives it a transport, a
              queue or a receive window of its own, and takes it twice with different ones.
            </p>
          </div>
          <div className={css['group']}>
            <h3>References</h3>
            {chips(
              'References',
              listing.ccas.filter((cca) => !isCompetitor(cca)),
            )}
            <p>They know the trace, so they show what could be reached: no real sender can be beyond them.</p>
          </div>
          {STACKS.map((stack) => (
            <StackGroup
              key={stack.kind}
              stack={stack}
              listing={listing}
              chosen={draft.ccas}
              fault={stacksFault}
              chips={(shown) => chips(stack.title, shown)}
            />
          ))}
        </>
      )}
      {open === null || listing === undefined ? null : (
        <CcaDialog
          title={`Parameters of ${open.label}`}
          cca={open.cca}
          chosen={open.ref}
          listing={listing}
          onClose={() => setOpen(null)}
          onApply={(next) => replace(open.ref, next)}
          onAdd={(next) => replace(null, next)}
        />
      )}
    </section>
  );
}

interface StackGroupProps {
  readonly stack: (typeof STACKS)[number];
  readonly listing: EngineListing;
  readonly chosen: readonly ChosenCca[];
  /** Why no real stack can be used here; null: it can. */
  readonly fault: string | null;
  readonly chips: (ccas: readonly CcaDescriptor[]) => ReactNode;
}

/** The algorithms of one real stack, and what keeps them from being used. */
function StackGroup({ stack: { kind, title, note }, listing, chosen, fault, chips }: StackGroupProps) {
  const ccas = listing.ccas.filter((cca) => cca.kind === kind);
  const missing = listing.unavailable.find((entry) => entry.kind === kind && entry.id === undefined)?.reason ?? null;
  if (ccas.length === 0 && missing === null) return null;
  const reason = missing ?? fault;
  return (
    <div className={css['group']}>
      <h3>{title}</h3>
      <LongList ccas={ccas} chosen={chosen} chips={chips} />
      <p>
        {note}
        {reason === null ? null : ` It cannot be used here: ${reason}`}
      </p>
      {ccas.map(({ id, label, unavailable }) =>
        unavailable === undefined ? null : (
          <p key={id}>
            {label} cannot be used here: {unavailable}
          </p>
        ),
      )}
    </div>
  );
}

/** More than this are not shown unasked. */
const LONG_LIST = 8;

interface LongListProps {
  readonly ccas: readonly CcaDescriptor[];
  readonly chosen: readonly ChosenCca[];
  readonly chips: (ccas: readonly CcaDescriptor[]) => ReactNode;
}

/** A stack that has most of our algorithms too: at first the chosen ones, its own, and the twin of our baseline. */
function LongList({ ccas, chosen, chips }: LongListProps) {
  const [all, setAll] = useState(false);
  const shown = ccas.filter((cca) => cca.baseline || cca.identity.hollow || chosen.some(({ id }) => id === cca.id));
  const short = ccas.length > LONG_LIST && shown.length < ccas.length;
  if (ccas.length === 0) return null;
  return (
    <>
      {chips(short && !all ? shown : ccas)}
      {short ? (
        <div>
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${ccas.length}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}
