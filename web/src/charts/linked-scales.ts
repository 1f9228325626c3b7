// Panels beside one another that show the same of several runs share their scales: each tells what it needs, and all take the widest.
import { extremes } from './scales';
import type { LimitSpec, PanelSpec, YAxisSpec } from './types';

interface Need {
  readonly low: number;
  readonly high: number;
  /** The least value above zero, where a logarithmic axis begins. */
  readonly positive: number;
  readonly limits: readonly LimitSpec[];
}

const EVERYTHING = [-Infinity, Infinity] as const;
/** From here on small values could not be read on a linear axis. */
const DECADE = 10;

function needOf({ series, limits = [] }: PanelSpec): Need | null {
  let [low, high, positive] = [Infinity, -Infinity, Infinity];
  for (const one of series) {
    if (one.kind === 'ribbon' || one.kind === 'shade' || one.background === true) continue;
    for (const data of one.kind === 'band' ? [one.lower, one.upper] : [one.data]) {
      const found = extremes(data, EVERYTHING);
      if (found === null) continue;
      low = Math.min(low, found[0]);
      high = Math.max(high, found[1]);
      if (found[1] > 0) positive = Math.min(positive, found[0] > 0 ? found[0] : found[1] / DECADE);
    }
  }
  return high >= low ? { low, high, positive, limits } : null;
}

export class LinkedScales {
  readonly #needs = new Map<string, Map<object, Need>>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #telling = false;

  /** `owner`: whose panels they are. Returns what takes it back. */
  tell(owner: object, panels: readonly PanelSpec[]): () => void {
    const told = panels.flatMap((panel) => {
      const need = needOf(panel);
      return need === null ? [] : [{ id: panel.id, need }];
    });
    for (const { id, need } of told) {
      const needs = this.#needs.get(id) ?? new Map<object, Need>();
      this.#needs.set(id, needs.set(owner, need));
    }
    this.#changed();
    return () => {
      for (const { id } of told) this.#needs.get(id)?.delete(owner);
      this.#changed();
    };
  }

  /** The panel's own axis, over what all of its kind need. */
  axisOf({ id, y }: PanelSpec): YAxisSpec {
    const needs = [...(this.#needs.get(id)?.values() ?? [])];
    if (needs.length < 2) return y;
    const low = Math.min(...needs.map((need) => need.low));
    const data = Math.max(...needs.map((need) => need.high));
    // As of a panel alone: one that is pinned, or that the data has come half the way to. Others' limits count for all.
    const limits = needs
      .flatMap((need) => need.limits)
      .filter(({ pinned, value }) => pinned === true || data > value / 2);
    const high = Math.max(data, ...limits.map(({ value }) => 1.1 * value));
    const positive = Math.min(...needs.map((need) => need.positive));
    const scale = y.scale === 'auto' ? (high > DECADE * positive ? 'log' : 'linear') : (y.scale ?? 'linear');
    if (scale === 'log') return { ...y, scale, span: [positive, high] };
    return { ...y, scale, span: [y.min === 'auto' ? low : Math.min(0, low), high] };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getVersion = (): number => this.#version;

  /** All that is told in one go is heard of once. */
  #changed(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }
}
