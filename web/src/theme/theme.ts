// The theme as code sees it: canvas and exported figures cannot use var(), so they read the resolved tokens here.
// tokens.css is the only place where a colour is written down.
import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark';
/** What the person chose; `system` follows the operating system. */
export type SchemeChoice = Scheme | 'system';

export interface Theme {
  readonly scheme: Scheme;
  readonly surface: string;
  readonly ground: string;
  readonly sunken: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly hairline: string;
  readonly hairlineStrong: string;
  readonly grid: string;
  readonly capacity: string;
  readonly capacityEdge: string;
  readonly accent: string;
  readonly danger: string;
  readonly divergeLow: string;
  readonly divergeMid: string;
  readonly divergeHigh: string;
  /** Colours of the eight CCA slots. */
  readonly slots: readonly string[];
  /** Colours of traces that are compared: none is a CCA's. */
  readonly traces: readonly string[];
  readonly sans: string;
  readonly mono: string;
}

const STORAGE_KEY = 'paceline.theme';

function darkPreferred(): MediaQueryList | null {
  return typeof window.matchMedia === 'function' ? window.matchMedia('(prefers-color-scheme: dark)') : null;
}

function currentScheme(): Scheme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return darkPreferred()?.matches === true ? 'dark' : 'light';
}

function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    scheme: currentScheme(),
    surface: token('--surface'),
    ground: token('--ground'),
    sunken: token('--sunken'),
    ink: token('--ink'),
    ink2: token('--ink-2'),
    ink3: token('--ink-3'),
    hairline: token('--hairline'),
    hairlineStrong: token('--hairline-strong'),
    grid: token('--grid'),
    capacity: token('--capacity'),
    capacityEdge: token('--capacity-edge'),
    accent: token('--accent'),
    danger: token('--danger'),
    divergeLow: token('--diverge-low'),
    divergeMid: token('--diverge-mid'),
    divergeHigh: token('--diverge-high'),
    slots: Array.from({ length: 8 }, (_, slot) => token(`--cca-${slot}`)),
    traces: Array.from({ length: 6 }, (_, slot) => token(`--trace-${slot}`)),
    sans: token('--sans'),
    mono: token('--mono'),
  };
}

let current: Theme | null = null;
const listeners = new Set<() => void>();

function changed(): void {
  current = null;
  for (const listener of listeners) listener();
}

/** Reads the theme anew, for all who draw with it. */
export const refreshTheme = (): void => changed();

let watching = false;
function watch(): void {
  if (watching) return;
  watching = true;
  darkPreferred()?.addEventListener('change', changed);
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] });
}

export function getTheme(): Theme {
  watch();
  current ??= readTheme();
  return current;
}

export function subscribeTheme(listener: () => void): () => void {
  watch();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The resolved theme; the component renders again when it changes. */
export const useTheme = (): Theme => useSyncExternalStore(subscribeTheme, getTheme);

export function schemeChoice(): SchemeChoice {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies a choice and remembers it in this browser. Call once at start with `schemeChoice()`. */
export function applyScheme(choice: SchemeChoice): void {
  if (choice === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(STORAGE_KEY);
  } else {
    document.documentElement.dataset['theme'] = choice;
    localStorage.setItem(STORAGE_KEY, choice);
  }
}
