// What the tour shows, step by step. It comes with what shows it.
import { endTour, setTourStep, STEP_KEY } from './tour';

export interface TourStep {
  readonly path: '/' | '/new';
  /** What it is about, on that page. */
  readonly target: string;
  /** Where the card stands, off what it is about: it stays there, so that nobody presses where it was. */
  readonly side: 'top' | 'bottom';
  readonly title: string;
  readonly text: string;
}

export const TOUR: readonly TourStep[] = [
  {
    path: '/',
    target: 'section[aria-label="Start from"]',
    side: 'top',
    title: 'Begin with something that works',
    text: 'Each of these is an experiment, ready to run: what it answers, and how many runs and seconds it takes on this machine.',
  },
  {
    path: '/new',
    target: 'section[aria-label="Traces"]',
    side: 'bottom',
    title: 'Choose links',
    text: 'A trace says when a cellular link could carry a packet. Take some of the library, or drop a file of your own here.',
  },
  {
    path: '/new',
    target: 'section[aria-label="Algorithms"]',
    side: 'bottom',
    title: 'Choose algorithms',
    text: 'Each has its marker and colour in every figure. The gear opens its parameters; kernel and QUIC stacks are further down.',
  },
  {
    path: '/new',
    target: '[role="region"][aria-label="Start"]',
    side: 'top',
    title: 'See the cost, then run',
    text: 'Every trace meets every algorithm at every queue limit. What that comes to stands here before anything runs, and what your last change added.',
  },
  {
    path: '/',
    target: 'section[aria-label="Recent experiments"]',
    side: 'top',
    title: 'Read the answer',
    text: 'An experiment opens with what came out, in sentences and figures; each point leads to its runs. Share keeps a view for others, and Ctrl K (⌘ K) finds everything.',
  },
];

/** Once, when the page is there. */
export function resumeTour(): void {
  const kept = Number(sessionStorage.getItem(STEP_KEY) ?? Number.NaN);
  if (Number.isInteger(kept) && TOUR[kept] !== undefined) setTourStep(kept);
}

/** To the step after this one, or before it; after the last it is over. */
export function goTour(from: number, by: 1 | -1): void {
  if (TOUR[from + by] === undefined) endTour();
  else setTourStep(from + by);
}
