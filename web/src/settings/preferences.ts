// What a person has chosen for this browser: how numbers are written, colours, motion, notifications. The theme is in theme/theme.ts.
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { setWriting } from '#analysis/format';

export const PALETTES = ['standard', 'red-green', 'blue-yellow'] as const;
export type Palette = (typeof PALETTES)[number];

/** What is not understood is as nobody had chosen it: another version may have kept it. */
const Preferences = z.object({
  decimal: z.enum(['point', 'comma']).catch('point'),
  groups: z.enum(['space', 'mark', 'none']).catch('space'),
  rates: z.enum(['bits', 'bytes']).catch('bits'),
  palette: z.enum(PALETTES).catch('standard'),
  motion: z.enum(['system', 'reduced']).catch('system'),
  /** Tell by the desktop when an experiment ends. */
  notify: z.boolean().catch(false),
});
export type Preferences = Readonly<z.infer<typeof Preferences>>;

/** index.html reads it too, before the first paint. */
export const STORAGE_KEY = 'paceline.preferences';

export function readPreferences(text: string | null): Preferences {
  try {
    const kept: unknown = text === null ? {} : JSON.parse(text);
    return Preferences.parse(typeof kept === 'object' && kept !== null ? kept : {});
  } catch {
    return Preferences.parse({});
  }
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
