// Texts that somebody writes, kept in this browser as they are typed: one entry each, so that two tabs that write two texts never meet.
import { z } from 'zod';

export interface Draft {
  readonly name: string;
  readonly text: string;
  readonly changed_ms: number;
}

/** Why what is typed is known only until the page is closed. */
export type Trouble = 'full' | 'forbidden';

export interface DraftsState {
  /** The last changed first. */
  readonly drafts: readonly Draft[];
  readonly trouble: Trouble | null;
}

/** What another tab did to a text that was here. `now` null: it was deleted there. */
export interface Elsewhere {
  readonly before: Draft;
  readonly now: Draft | null;
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'paceline.own.';
const Entry = z.object({ text: z.string(), changed_ms: z.number() });

const keyOf = (name: string): string => PREFIX + name;
const nameOf = (key: string | null): string | null =>
  key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null;

function parsed(name: string, value: string | null): Draft | null {
  try {
    const entry = Entry.safeParse(JSON.parse(value ?? ''));
    return entry.success ? { name, ...entry.data } : null;
  } catch {
    return null;
  }
}

/** `My algorithm`, or `My algorithm 2` where that is taken, …. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, '');
  for (let n = 2; ; n++) if (!taken.includes(`${stem} ${n}`)) return `${stem} ${n}`;
}

/** `storage`: throws where the browser keeps nothing for this page. */
export class Drafts {
  readonly #storage: () => Shelf;
  readonly #now: () => number;
  readonly #known = new Map<string, Draft>();
  readonly #listeners = new Set<() => void>();
  readonly #elsewhere = new Set<(change: Elsewhere) => void>();
  #state: DraftsState = { drafts: [], trouble: null };

  constructor(storage: () => Shelf, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
    let trouble: Trouble | null = null;
    try {
      const shelf = storage();
      for (let i = 0; i < shelf.length; i++) {
        const key = shelf.key(i);
        const name = nameOf(key);
        const draft = name === null || key === null ? null : parsed(name, shelf.getItem(key));
        if (draft !== null) this.#known.set(draft.name, draft);
      }
    } catch {
      trouble = 'forbidden';
    }
    this.#tell(trouble);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): DraftsState => this.#state;

  get(name: string): Draft | undefined {
    return this.#known.get(name);
  }

  /** A name that nothing has yet. */
  free(wanted: string): string {
    return freeName(wanted, [...this.#known.keys()]);
  }

  write(name: string, text: string): void {
    this.put({ name, text, changed_ms: this.#now() });
  }

  /** As it is: also what was deleted. */
  put(draft: Draft): void {
    this.#known.set(draft.name, draft);
    this.#tell(this.#keep(draft));
  }

  /** Where `to` is taken, nothing happens. */
  rename(from: string, to: string): boolean {
    const draft = this.#known.get(from);
    if (draft === undefined || to === '' || this.#known.has(to)) return false;
    this.put({ ...draft, name: to });
    this.remove(from);
    return true;
  }

  remove(name: string): Draft | undefined {
    const draft = this.#known.get(name);
    this.#known.delete(name);
    try {
      this.#storage().removeItem(keyOf(name));
    } catch {
      // What was never kept need not be taken away.
    }
    this.#tell(this.#state.trouble);
    return draft;
  }

  /** Told by the browser: another tab has kept something. `key` null: it has thrown all of it away. */
  changedElsewhere(key: string | null, value: string | null): void {
    const name = nameOf(key);
    if (name === null) return;
    const before = this.#known.get(name);
    const now = parsed(name, value);
    if (before?.text === now?.text && (before === undefined) === (now === null)) return;
    if (now === null) this.#known.delete(name);
    else this.#known.set(name, now);
    this.#tell(this.#state.trouble);
    if (before !== undefined) for (const hear of this.#elsewhere) hear({ before, now });
  }

  /** Hears of texts that were here and that another tab has changed: the newest holds. */
  onElsewhere(hear: (change: Elsewhere) => void): () => void {
    this.#elsewhere.add(hear);
    return () => this.#elsewhere.delete(hear);
  }

  #keep({ name, ...entry }: Draft): Trouble | null {
    let shelf: Shelf;
    try {
      shelf = this.#storage();
    } catch {
      return 'forbidden';
    }
    try {
      shelf.setItem(keyOf(name), JSON.stringify(entry));
      return null;
    } catch {
      return 'full';
    }
  }

  #tell(trouble: Trouble | null): void {
    const drafts = [...this.#known.values()].toSorted((a, b) => b.changed_ms - a.changed_ms);
    this.#state = { drafts, trouble };
    for (const listener of this.#listeners) listener();
  }
}
