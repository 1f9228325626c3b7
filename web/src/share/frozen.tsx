// Whether a page is shown as it was frozen. Its components are those of the live page; what they could change is left out.
import { createContext, useContext, type ReactNode } from 'react';
import type { ShareRecord } from '#protocol/share';

export interface Frozen {
  readonly share: ShareRecord;
  /** Of what it shows, when that is one thing. */
  readonly id: string;
  /** Whether it has kept the answer to a path of the API. */
  readonly holds: (path: string) => boolean;
}

export const FrozenContext = createContext<Frozen | null>(null);
/** Null: the page is live. */
export const useFrozen = (): Frozen | null => useContext(FrozenContext);

/** What changes the live thing, or leads on from it. */
export const LiveOnly = ({ children }: { readonly children: ReactNode }): ReactNode =>
  useFrozen() === null ? children : null;
