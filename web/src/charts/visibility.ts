// Which series are hidden or highlighted, shared by all panels of a page: hovering a flow in one legend lights it everywhere.
import { useSyncExternalStore } from 'react';

export interface VisibilityState {
  readonly hidden: ReadonlySet<string>;
  /** The one that stands out; the others are greyed. */
  readonly highlighted: string | null;
}

/** Under which keys something can be hidden and highlighted. */
interface Keys {
  readonly group: string;
  readonly facet?: string;
}

const FAINT = 0.18;

export class Visibility {
  #state: VisibilityState;
  readonly #listeners = new Set<() => void>();

  constructor(hidden: Iterable<string> = []) {
    this.#state = { hidden: new Set(hidden), highlighted: null };
  }

  get state(): VisibilityState {
    return this.#state;
  }

  isHidden(key: string): boolean {
    return this.#state.hidden.has(key);
  }

  /** Whether a series is to be drawn: neither its flow nor its quantity is hidden. */
  shows(series: Keys): boolean {
    return !this.isHidden(series.group) && (series.facet === undefined || !this.isHidden(series.facet));
  }

  /** Opacity factor of a series: 1, or faint while another one is highlighted. */
  emphasis(series: Keys): number {
    const { highlighted } = this.#state;
    return highlighted === null || highlighted === series.group || highlighted === series.facet ? 1 : FAINT;
  }

  toggle(key: string): void {
    const hidden = new Set(this.#state.hidden);
    if (!hidden.delete(key)) hidden.add(key);
    this.#set({ ...this.#state, hidden });
  }

  /** Shows only `key` of `all`; again: shows all. */
  solo(key: string, all: readonly string[]): void {
    const others = all.filter((other) => other !== key);
    const alone = !this.isHidden(key) && others.every((other) => this.isHidden(other));
    const hidden = new Set(this.#state.hidden);
    for (const other of others) {
      if (alone) hidden.delete(other);
      else hidden.add(other);
    }
    hidden.delete(key);
    this.#set({ ...this.#state, hidden });
  }

  highlight(key: string | null): void {
    if (key !== this.#state.highlighted) this.#set({ ...this.#state, highlighted: key });
  }

  setHidden(hidden: Iterable<string>): void {
    this.#set({ ...this.#state, hidden: new Set(hidden) });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(state: VisibilityState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export const useVisibility = (visibility: Visibility): VisibilityState =>
  useSyncExternalStore(visibility.subscribe, () => visibility.state);
