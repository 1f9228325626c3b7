// The tour: which of its steps is shown, and whether somebody has met it already. It offers itself once in a browser.
import { useSyncExternalStore } from 'react';

const MET_KEY = 'paceline.tour';
/** A reload in the midst of it goes on where it was. */
export const STEP_KEY = 'paceline.tour.step';

let step: number | null = null;
const listeners = new Set<() => void>();

export function setTourStep(next: number | null): void {
  step = next;
  if (next === null) sessionStorage.removeItem(STEP_KEY);
  else sessionStorage.setItem(STEP_KEY, String(next));
  for (const listener of listeners) listener();
}

export const hasMetTour = (): boolean => localStorage.getItem(MET_KEY) !== null;

/** Who has met it is not offered it again. */
export function meetTour(): void {
  localStorage.setItem(MET_KEY, 'met');
  for (const listener of listeners) listener();
}

export function startTour(): void {
  meetTour();
  setTourStep(0);
}

export const endTour = (): void => setTourStep(null);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTourStep = (): number | null => useSyncExternalStore(subscribe, () => step);
export const useHasMetTour = (): boolean => useSyncExternalStore(subscribe, hasMetTour);
