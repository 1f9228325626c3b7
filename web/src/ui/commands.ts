// One object is a command: its palette entry, its key and its row in the help all come from it.
import { useEffect, useSyncExternalStore } from 'react';

export interface Command {
  /** Unique among the commands that are there at the same time. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** `n`, `?`, `mod+k` (Ctrl, or ⌘ on a Mac), `space`, `KeyW` (by place on the keyboard), `ArrowLeft`, `shift+ArrowLeft`. */
  readonly keys?: string;
  readonly run: () => void;
  /** Extra words under which the palette finds it. */
  readonly keywords?: string;
}

const SINGLE_KEYS_OFF = 'paceline.single-keys-off';
const listeners = new Set<() => void>();
let groups: readonly (readonly Command[])[] = [];
let all: readonly Command[] = [];

function changed(): void {
  all = groups.flat();
  for (const listener of listeners) listener();
}

function register(commands: readonly Command[]): () => void {
  groups = [...groups, commands];
  changed();
  return () => {
    groups = groups.filter((group) => group !== commands);
    changed();
  };
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Makes commands available while the component is mounted. The array must be stable (useMemo). */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => register(commands), [commands]);
}

export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => all);

export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_OFF) === null;
  } catch {
    // In a frame of another site browsers may refuse what is kept here.
    return true;
  }
}
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SINGLE_KEYS_OFF);
  else localStorage.setItem(SINGLE_KEYS_OFF, '1');
}

const isMac = (): boolean => navigator.userAgent.includes('Mac');

interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** True when the press is the command's key. */
export function matches(keys: string, press: KeyPress): boolean {
  if (keys.startsWith('mod+')) return (press.ctrlKey || press.metaKey) && press.key.toLowerCase() === keys.slice(4);
  if (press.ctrlKey || press.metaKey || press.altKey) return false;
  if (keys === 'space') return press.key === ' ';
  if (keys.startsWith('Key')) return press.code === keys && !press.shiftKey;
  if (keys.startsWith('shift+')) return press.shiftKey && press.key === keys.slice(6);
  // Other keys that shift changes (`?`) are another key then.
  return press.key === keys && !(press.shiftKey && keys.startsWith('Arrow'));
}

/** How keys are written in menus and in the help. */
export function keyLabel(keys: string): string {
  if (keys.startsWith('mod+')) return `${isMac() ? '⌘' : 'Ctrl '}${keys.slice(4).toUpperCase()}`;
  if (keys.startsWith('Key')) return keys.slice(3).toLowerCase();
  if (keys.startsWith('shift+')) return `Shift ${keyLabel(keys.slice(6))}`;
  return { space: 'Space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }[keys] ?? keys;
}

const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select, [contenteditable], [role="textbox"], [role="combobox"]';
/** Lists that are searched by typing: letters and digits are theirs. */
const SEEKING = '[role="listbox"], [role="menu"], [aria-haspopup="listbox"]';
/** Elements that need the space bar and arrows for themselves. */
const PRESSING =
  'button, a, input, [role="radio"], [role="checkbox"], [role="menuitem"], [role="option"], [role="switch"], [data-roving]';
/** Elements that are moved with the arrows; the space bar says nothing to them. */
const MOVING = '[role="slider"], input[type="range"]';

const isInside = (target: Element | null, selector: string): boolean =>
  target !== null && target.closest(selector) !== null;

function run(command: Command, event: KeyboardEvent): void {
  event.preventDefault();
  command.run();
}

const commandOf = (event: KeyboardEvent): Command | undefined =>
  event.isComposing ? undefined : all.findLast((c) => c.keys !== undefined && matches(c.keys, event));

/** Chords are commands wherever the focus is, so they are taken before it: a button takes any Enter for its own. */
function handleChord(event: KeyboardEvent): void {
  const command = commandOf(event);
  if (command?.keys?.startsWith('mod+') !== true) return;
  event.stopPropagation();
  run(command, event);
}

/** Single keys are commands only where they mean nothing else. */
function handleKey(event: KeyboardEvent): void {
  const command = commandOf(event);
  if (command?.keys === undefined || command.keys.startsWith('mod+') || event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : null;
  if (!singleKeysOn() || isInside(target, TYPING) || document.querySelector('[role="dialog"]') !== null) return;
  if (isInside(target, SEEKING) && /^[\p{L}\p{N}]$/u.test(event.key)) return;
  const moves = isInside(target, MOVING);
  if (/^(shift\+)?Arrow/.test(command.keys) && (moves || isInside(target, PRESSING))) return;
  if (command.keys === 'space' && !moves && isInside(target, PRESSING)) return;
  run(command, event);
}

/** Listens to the page's keys; returns how to stop. */
export function listenToKeys(): () => void {
  window.addEventListener('keydown', handleChord, { capture: true });
  window.addEventListener('keydown', handleKey);
  return () => {
    window.removeEventListener('keydown', handleChord, { capture: true });
    window.removeEventListener('keydown', handleKey);
  };
}
