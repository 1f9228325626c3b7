// An algorithm's parameters, and what it brings along: a transport, a queue discipline and a receive window of its own.
import { useState } from 'react';
import { TRANSPORT_NAMES } from '#analysis/cca-label';
import { hasOurWindow, overTun } from '#analysis/kinds';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { TransportProfile, type ChosenCca } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { sameJson } from './draft';
import { ParamsDialog } from './ParamsDialog';
import { OwnWindowFields } from './WindowLimitFields';

const AS_OTHERS = '';

type Own = Pick<ChosenCca, 'transport' | 'queue' | 'window_limit_bytes'>;

interface CcaDialogProps {
  readonly title: string;
  readonly cca: CcaDescriptor;
  /** As it is chosen; null: it is not. */
  readonly chosen: ChosenCca | null;
  readonly listing: EngineListing;
  readonly onApply: (next: ChosenCca) => void;
  readonly onAdd: (next: ChosenCca) => void;
  readonly onClose: () => void;
}

export function CcaDialog({ title, cca, chosen, listing, onApply, onAdd, onClose }: CcaDialogProps) {
  const [own, setOwn] = useState<Own>(() => ownOf(chosen));
  const made = (params: ChosenCca['params']): ChosenCca => ({ id: cca.id, params, ...own });
  return (
    <ParamsDialog
      title={title}
      about={cca.summary}
      known={cca.params}
      values={chosen?.params ?? {}}
      onClose={onClose}
      onApply={(params) => onApply(made(params))}
      {...(chosen === null ? {} : { onAdd: (params) => onAdd(made(params)) })}
      more={() => <OwnFields own={own} cca={cca} listing={listing} onChange={setOwn} />}
      moreChanged={!sameJson(own, ownOf(chosen))}
    />
  );
}

/** Without keys for what it leaves to others. */
const ownOf = (chosen: Own | null): Own => ({
  ...(chosen?.transport === undefined ? {} : { transport: chosen.transport }),
  ...(chosen?.queue === undefined ? {} : { queue: chosen.queue }),
  ...(chosen?.window_limit_bytes === undefined ? {} : { window_limit_bytes: chosen.window_limit_bytes }),
});

interface OwnFieldsProps {
  readonly own: Own;
  readonly cca: CcaDescriptor;
  readonly listing: EngineListing;
  readonly onChange: (own: Own) => void;
}

function OwnFields({ own, cca, listing, onChange }: OwnFieldsProps) {
  // It is computed from the trace alone.
  if (cca.kind === 'ideal') return null;
  return (
    <>
      {overTun(cca) ? null : (
        <Select
          label="Transport"
          value={own.transport ?? AS_OTHERS}
          options={[
            { id: AS_OTHERS, label: 'as its flows say' },
            ...TransportProfile.options.map((id) => ({ id, label: TRANSPORT_NAMES[id] })),
          ]}
          onChange={(id) => {
            const transport = TransportProfile.options.find((option) => option === id);
            onChange(ownOf({ ...own, transport }));
          }}
          help="Of this algorithm’s own flows."
        />
      )}
      <Select
        label="Queue discipline"
        value={own.queue?.id ?? AS_OTHERS}
        options={[
          { id: AS_OTHERS, label: 'as the link has' },
          ...listing.queues.map(({ id, label }) => ({ id, label: `always ${label}` })),
        ]}
        onChange={(id) => onChange(ownOf({ ...own, queue: id === AS_OTHERS ? undefined : { id, params: {} } }))}
        help="Of the link that this algorithm runs over, whatever the others have."
      />
      {hasOurWindow(cca) ? (
        <OwnWindowFields
          value={own.window_limit_bytes}
          onChange={(window_limit_bytes) => onChange(ownOf({ ...own, window_limit_bytes }))}
        />
      ) : null}
    </>
  );
}
