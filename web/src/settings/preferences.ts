// What a person has chosen for this browser: how numbers are written, colours, motion, notifications. The theme is in theme/theme.ts.
import { useSyncExternalStore } from 'react';
import { setWriting } from '#analysis/format';

export const PALETTES = ['standard', 'red-green', 'blue-yellow'] as const;
export type Palette = (typeof PALETTES)[number];

/** What each may be; the first is what it is as long as nobody has chosen. */
const CHOICES = {
  decimal: ['point', 'comma'],
  groups: ['space', 'mark', 'none'],
  rates: ['bits', 'bytes'],
  palette: PALETTES,
  motion: ['system', 'reduced'],
  /** Tell by the desktop when an experiment ends. */
  notify: [false, true],
} as const;
type Key = keyof typeof CHOICES;
export type Preferences = { readonly [K in Key]: (typeof CHOICES)[K][number] };

/** index.html reads it too, before the first paint. */
export const STORAGE_KEY = 'paceline.preferences';

/** What is not understood is as nobody had chosen it: another version may have kept it. */
export function readPreferences(text: string | null): Preferences {
  let kept: Readonly<Record<string, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? '{}') ?? {}) as typeof kept;
  } catch {
    // Not ours.
  }
  const read = Object.entries(CHOICES).map(([key, may]) => [key, may.find((one) => one === kept[key]) ?? may[0]]);
  return Object.fromEntries(read) as Preferences;
}

export const USUAL: Preferences = readPreferences(null);

let current = USUAL;
/** How often another window has changed them: what is drawn here is then drawn anew. */
let fromElsewhere = 0;
const listeners = new Set<() => void>();

function apply(next: Preferences): void {
  current = next;
  setWriting(next);
  const { dataset } = document.documentElement;
  if (next.palette === 'standard') delete dataset['palette'];
  else dataset['palette'] = next.palette;
  if (next.motion === 'system') delete dataset['motion'];
  else dataset['motion'] = next.motion;
  for (const listener of listeners) listener();
}

/** At the start of the page; from then on other windows are followed. */
export function startPreferences(): void {
  apply(readPreferences(localStorage.getItem(STORAGE_KEY)));
  window.addEventListener('storage', ({ key }) => {
    if (key !== STORAGE_KEY && key !== null) return;
    fromElsewhere++;
    apply(readPreferences(localStorage.getItem(STORAGE_KEY)));
  });
}

export function changePreferences(change: Partial<Preferences>): void {
  const next = { ...current, ...change };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  apply(next);
}

export const preferences = (): Preferences => current;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);
export const useElsewhere = (): number => useSyncExternalStore(subscribe, () => fromElsewhere);

/** Whether nothing should move by itself. */
export const motionReduced = (): boolean =>
  current.motion === 'reduced' || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
