// Which lessons somebody has answered, kept in this browser alone.
import { useSyncExternalStore } from 'react';

const KEY = 'paceline.lessons';
const listeners = new Set<() => void>();
let kept: readonly string[] | null = null;

function read(): readonly string[] {
  if (kept !== null) return kept;
  let found: unknown = null;
  try {
    found = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    // Kept by something else, or not to be had: then none are done.
  }
  kept = Array.isArray(found) ? found.filter((id): id is string => typeof id === 'string') : [];
  return kept;
}

export function markDone(id: string): void {
  if (read().includes(id)) return;
  kept = [...read(), id];
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Known until the page is closed.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useDone = (): readonly string[] => useSyncExternalStore(subscribe, read);
