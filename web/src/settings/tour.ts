// The tour: which of its steps is shown, and whether somebody has met it already. It offers itself once in a browser.
import { useSyncExternalStore } from 'react';

const MET_KEY = 'paceline.tour';
/** A reload in the midst of it goes on where it was. */
const STEP_KEY = 'paceline.tour.step';

export interface TourStep {
  readonly path: '/' | '/new';
  /** What it is about, on that page. */
  readonly target: string;
  readonly title: string;
  readonly text: string;
}

export const TOUR: readonly TourStep[] = [
  {
    path: '/',
    target: 'section[aria-label="Start from"]',
    title: 'Begin with something that works',
    text: 'Each of these is an experiment, ready to run: what it answers, and how many runs and seconds it takes on this machine.',
  },
  {
    path: '/new',
    target: 'section[aria-label="Traces"]',
    title: 'Choose links',
    text: 'A trace says when a cellular link could carry a packet. Take some of the library, or drop a file of your own here.',
  },
  {
    path: '/new',
    target: 'section[aria-label="Algorithms"]',
    title: 'Choose algorithms',
    text: 'Each has its marker and colour in every figure. The gear opens its parameters; kernel and QUIC stacks are further down.',
  },
  {
    path: '/new',
    target: '[role="region"][aria-label="Start"]',
    title: 'See the cost, then run',
    text: 'Every trace meets every algorithm at every queue limit. What that comes to stands here before anything runs, and what your last change added.',
  },
  {
    path: '/',
    target: 'section[aria-label="Recent experiments"]',
    title: 'Read the answer',
    text: 'An experiment opens with what came out, in sentences and figures; each point leads to its runs. Share keeps a view for others, and Ctrl K (⌘ K) finds everything.',
  },
];

let step: number | null = null;
const listeners = new Set<() => void>();

function set(next: number | null): void {
  step = next;
  if (next === null) sessionStorage.removeItem(STEP_KEY);
  else sessionStorage.setItem(STEP_KEY, String(next));
  for (const listener of listeners) listener();
}

/** Once, when the page is there. */
export function resumeTour(): void {
  const kept = Number(sessionStorage.getItem(STEP_KEY) ?? Number.NaN);
  if (Number.isInteger(kept) && TOUR[kept] !== undefined) set(kept);
}

export const hasMetTour = (): boolean => localStorage.getItem(MET_KEY) !== null;

/** Who has met it is not offered it again. */
export function meetTour(): void {
  localStorage.setItem(MET_KEY, 'met');
  for (const listener of listeners) listener();
}

export function startTour(): void {
  meetTour();
  set(0);
}

export function goTour(by: 1 | -1): void {
  const next = (step ?? 0) + by;
  set(TOUR[next] === undefined ? null : next);
}

export const endTour = (): void => set(null);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTourStep = (): number | null => useSyncExternalStore(subscribe, () => step);
export const useHasMetTour = (): boolean => useSyncExternalStore(subscribe, hasMetTour);
