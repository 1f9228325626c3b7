// The switch between light, dark and whatever the system has.
import { applyScheme, type SchemeChoice, schemeChoice } from '../../theme/theme';

const NEXT: Record<SchemeChoice, SchemeChoice> = { system: 'light', light: 'dark', dark: 'system' };
const listeners = new Set<() => void>();

export function nextScheme(): void {
  applyScheme(NEXT[schemeChoice()]);
  for (const listener of listeners) listener();
}

export const subscribeChoice = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
