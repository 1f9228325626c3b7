// The texts of this browser, the same for the whole page; other tabs tell what they change.
import { useSyncExternalStore } from 'react';
import { Drafts, type DraftsState } from './drafts';

export const drafts = new Drafts(() => localStorage);

addEventListener('storage', ({ key, newValue, storageArea }) => {
  if (storageArea !== localStorage) return;
  if (key !== null) drafts.changedElsewhere(key, newValue);
});

export const useDrafts = (): DraftsState => useSyncExternalStore(drafts.subscribe, drafts.state);
