// The breadcrumb and the title of the tab: each page says where it is.
import { useEffect } from 'react';
import { useFrozen } from '../../share/frozen';
import { setPageTitle } from './tab-title';

export interface Crumb {
  readonly label: string;
  /** Absent: this page. */
  readonly to?: string;
}

const listeners = new Set<() => void>();
let trail: readonly Crumb[] = [];

export const crumbs = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): readonly Crumb[] => trail,
};

/** The trail of a page that has nothing to show yet, or never will. */
export function Crumbs({
  label,
  parent,
}: {
  readonly label: string;
  readonly parent: { readonly label: string; readonly to: string };
}) {
  useCrumbs(label, parent);
  return null;
}

/** A page in a share goes by the share's title. */
const SHARES = { label: 'Frozen shares', to: '/s' };

/** Sets the trail while the page is shown: `useCrumbs('Traces', { label: 'lte-drive' })` ends with the page itself. */
export function useCrumbs(own: string, ownParent?: { readonly label: string; readonly to: string }): void {
  const frozen = useFrozen();
  const [label, parent] = frozen === null ? [own, ownParent] : [frozen.share.title, SHARES];
  const parentLabel = parent?.label;
  const parentTo = parent?.to;
  useEffect(() => {
    trail =
      parentLabel === undefined || parentTo === undefined
        ? [{ label }]
        : [{ label: parentLabel, to: parentTo }, { label }];
    setPageTitle(label === 'Paceline' ? label : `${label} · Paceline`);
    for (const listener of listeners) listener();
  }, [label, parentLabel, parentTo]);
}
