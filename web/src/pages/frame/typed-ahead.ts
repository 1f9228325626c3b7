// What somebody types between calling the palette and its being there: its code comes after the page, and no letter may be lost.
import { useLayoutEffect, useSyncExternalStore } from 'react';

let typed = '';
const listeners = new Set<() => void>();

function keepTyped(text: string): void {
  typed = text;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What was typed ahead. It stays until it is forgotten: a busy browser begins to draw the palette more than once. */
export const useTypedAhead = (): string => useSyncExternalStore(subscribe, () => typed);

export const forgetTyped = (): void => keepTyped('');

/** `text` after a key of the given name (KeyboardEvent.key). */
export const afterKey = (text: string, key: string): string =>
  key === 'Backspace' ? Array.from(text).slice(0, -1).join('') : Array.from(key).length === 1 ? text + key : text;

/** Stands where the palette will be: keys are kept for it while it has been called (`open`). */
export function TypedAhead({ open }: { readonly open: boolean }): null {
  // Ends in the moment in which the palette is there: from then on keys are its own.
  useLayoutEffect(() => {
    if (!open) return undefined;
    const keep = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      keepTyped(afterKey(typed, event.key));
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, [open]);
  return null;
}
