// The switch between light, dark and whatever the system has.
import { applyScheme, type SchemeChoice, schemeChoice } from '../../theme/theme';

const NEXT: Record<SchemeChoice, SchemeChoice> = { system: 'light', light: 'dark', dark: 'system' };
const listeners = new Set<() => void>();

export function chooseScheme(choice: SchemeChoice): void {
  applyScheme(choice);
  for (const listener of listeners) listener();
}

export const nextScheme = (): void => chooseScheme(NEXT[schemeChoice()]);

export const subscribeChoice = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
