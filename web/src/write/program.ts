// A text that was read and is sound: what runs of it are made with.
import type { CcaDescriptor } from '#protocol/cca';
import { ownDescriptor, type OwnDeclaration } from '#protocol/own-algorithm';
import type { Known } from '../what-if/plan';
import { sha256 } from './sha256';

export interface Program {
  readonly text: string;
  /** The hash of the text. */
  readonly program: string;
  readonly declaration: OwnDeclaration;
}

export const programOf = (text: string, declaration: OwnDeclaration): Program => ({
  text,
  program: sha256(new TextEncoder().encode(text)),
  declaration,
});

/** While it is written it looks the same whatever its text, and like none of those that are beside it. */
const LOOK = { slot: 4, marker: 'star', hollow: true } as const satisfies CcaDescriptor['identity'];

export const descriptorOf = ({ program, declaration }: Program): CcaDescriptor => ({
  ...ownDescriptor(program, declaration, null),
  identity: LOOK,
});

/** What is known to the server, and these texts; those that are looked back at among them. */
export function knownWith(known: Known, programs: readonly Program[]): Known {
  const own = programs.map(descriptorOf);
  const ids = new Set(own.map(({ id }) => id));
  const ccas = [...own, ...known.listing.ccas.filter(({ id }) => !ids.has(id))];
  return {
    ...known,
    listing: { ...known.listing, ccas },
    programs: new Map(programs.map(({ program, text }) => [program, text])),
  };
}
