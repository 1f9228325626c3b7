// What a CCA with its parameters is called.
import { queueLabel } from '#analysis/queue-label';
import type { CcaDescriptor } from '#protocol/cca';
import type { ChosenCca, TransportProfile } from '#protocol/spec';

/** Within a sentence; abbreviations stay as they are. */
const uncapitalised = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** What a weights file is named by: its beginning is enough to tell two apart. */
const CONTENT_HASH = /^[0-9a-f]{64}$/;

export const TRANSPORT_NAMES: Readonly<Record<TransportProfile, string>> = {
  tcp: 'as TCP',
  quic: 'as QUIC',
  'quic-grow-underutilised': 'as QUIC, grows when unused',
};

const windowLabel = (limit: number | 'none'): string =>
  limit === 'none' ? 'no receive window' : `receive window ${limit} B`;

/**
 * “Cubic”, or “Cubic (beta 0.8)” when parameters were changed; a switch is named by its label: “no fast convergence”. A choice that
 * another parameter goes without saying with is not said: “Orca loop (weights 4129f1c4)”. What it brings along is: “Cubic (over codel, as
 * QUIC)”.
 */
export function ccaLabel(
  cell: { readonly cca: ChosenCca },
  cca: (Pick<CcaDescriptor, 'label'> & Partial<Pick<CcaDescriptor, 'params'>>) | null,
): string {
  const implied = (cca?.params ?? []).flatMap((param) =>
    param.name in cell.cca.params ? (param.needed_with ?? []) : [],
  );
  const said = Object.entries(cell.cca.params).filter(
    ([name, value]) => !implied.some((by) => by.param === name && by.value === value),
  );
  const params = said.map(([name, value]) => {
    const label = uncapitalised(cca?.params?.find((param) => param.name === name)?.label ?? '');
    if (typeof value === 'string' && CONTENT_HASH.test(value)) return `${name} ${value.slice(0, 8)}`;
    if (typeof value !== 'boolean' || label === '') return `${name} ${value}`;
    return value ? label : `no ${label}`;
  });
  const { queue, transport, window_limit_bytes: window } = cell.cca;
  const own = [
    ...params,
    ...(window === undefined ? [] : [windowLabel(window)]),
    ...(queue === undefined ? [] : [`over ${queueLabel(queue)}`]),
    ...(transport === undefined ? [] : [TRANSPORT_NAMES[transport]]),
  ];
  return `${cca?.label ?? cell.cca.id}${own.length === 0 ? '' : ` (${own.join(', ')})`}`;
}

/** How an algorithm is called, by its id; what is no id stays as it is. */
export function ccaNamesIn(ccas: Iterable<Pick<CcaDescriptor, 'id' | 'label'>>): (id: string) => string {
  const names = new Map([...ccas].map(({ id, label }) => [id, label]));
  return (id) => names.get(id) ?? id;
}
