// What somebody types between calling the palette and its being there: its code comes after the page, and no letter may be lost.
import { useEffect } from 'react';

let typed = '';

/** What was typed ahead, once. */
export function takeTyped(): string {
  const text = typed;
  typed = '';
  return text;
}

/** `text` after a key of the given name (KeyboardEvent.key). */
export const afterKey = (text: string, key: string): string =>
  key === 'Backspace' ? Array.from(text).slice(0, -1).join('') : Array.from(key).length === 1 ? text + key : text;

/** Stands where the palette will be: keys are kept for it while it has been called (`open`). */
export function TypedAhead({ open }: { readonly open: boolean }): null {
  useEffect(() => {
    if (!open) return undefined;
    const keep = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      typed = afterKey(typed, event.key);
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, [open]);
  return null;
}
