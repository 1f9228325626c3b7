// What panels on one time axis share: the visible range with its history, the cursor, and whether the view follows a live head.
// A plain store outside React: moving the cursor must not render components.
import { useMemo, useSyncExternalStore } from 'react';

export type Range = readonly [from: number, to: number];

/** What changed: `range` redraws series and axes, `cursor` only the cross-hair and the read-out. */
export type TimeViewChange = 'range' | 'cursor';

export interface TimeViewOptions {
  /** Everything there is, or will be: usually [0, duration]. */
  readonly extent: Range;
  /** Smallest visible span, seconds; default 5 ms: half a sampling period. */
  readonly minSpan?: number;
}

const HISTORY_LIMIT = 200;

const same = (a: Range, b: Range): boolean => a[0] === b[0] && a[1] === b[1];

export class TimeView {
  #extent: Range;
  #range: Range;
  /** Where the view was when the running gesture began; null between gestures. */
  #before: Range | null = null;
  #past: Range[] = [];
  #future: Range[] = [];
  #cursor: number | null = null;
  #follow = false;
  #head: number;
  readonly #minSpan: number;
  readonly #listeners = new Set<(change: TimeViewChange) => void>();

  constructor(options: TimeViewOptions) {
    this.#extent = options.extent;
    this.#range = options.extent;
    this.#head = options.extent[0];
    this.#minSpan = options.minSpan ?? 0.005;
  }

  get extent(): Range {
    return this.#extent;
  }
  /** The visible range. */
  get range(): Range {
    return this.#range;
  }
  get zoomed(): boolean {
    return !same(this.#range, this.#extent);
  }
  get cursor(): number | null {
    return this.#cursor;
  }
  /** Time up to which there is data, while live. */
  get head(): number {
    return this.#head;
  }
  /** While true the visible range moves along with the head. */
  get follow(): boolean {
    return this.#follow;
  }
  get canGoBack(): boolean {
    return this.#past.length > 0;
  }
  get canGoForward(): boolean {
    return this.#future.length > 0;
  }

  /** A new extent; a view that showed all keeps showing all. */
  setExtent(extent: Range): void {
    if (same(extent, this.#extent)) return;
    const showedAll = !this.zoomed;
    this.#extent = extent;
    this.#range = showedAll ? extent : this.#clamp(this.#range);
    this.#emit('range');
  }

  /** Shows a range. `gesture: true` while something is being dragged: history gets one entry per gesture, at `commit()`. */
  show(range: Range, options: { gesture?: boolean } = {}): void {
    const next = this.#clamp(range);
    if (same(next, this.#range)) return;
    if (options.gesture === true) this.#before ??= this.#range;
    else this.#remember(this.#before ?? this.#range);
    this.#follow = this.#follow && Math.abs(next[1] - this.#range[1]) < 1e-9;
    this.#range = next;
    this.#emit('range');
  }

  /** Ends a gesture. */
  commit(): void {
    const before = this.#before;
    this.#before = null;
    if (before !== null && !same(before, this.#range)) this.#remember(before);
  }

  /** Zooms by `factor` (> 1: closer) so that the time `at` stays where it is. */
  zoomAt(at: number, factor: number, options: { gesture?: boolean } = {}): void {
    const [from, to] = this.#range;
    const span = Math.min(Math.max((to - from) / factor, this.#minSpan), this.#extent[1] - this.#extent[0]);
    const share = to > from ? (at - from) / (to - from) : 0.5;
    this.show([at - share * span, at + (1 - share) * span], options);
  }

  panBy(seconds: number, options: { gesture?: boolean } = {}): void {
    this.show([this.#range[0] + seconds, this.#range[1] + seconds], options);
  }

  reset(): void {
    this.show(this.#extent);
  }

  back(): void {
    this.#travel(this.#past, this.#future);
  }

  forward(): void {
    this.#travel(this.#future, this.#past);
  }

  setCursor(time: number | null): void {
    const next = time === null ? null : Math.min(Math.max(time, this.#extent[0]), this.#extent[1]);
    if (next === this.#cursor) return;
    this.#cursor = next;
    this.#emit('cursor');
  }

  setFollow(follow: boolean): void {
    if (follow === this.#follow) return;
    this.#follow = follow;
    if (follow) this.#moveToHead();
    this.#emit('range');
  }

  setHead(head: number): void {
    if (head === this.#head) return;
    this.#head = head;
    // Without a cursor the read-out shows the values at the head.
    this.#emit(this.#follow && this.#moveToHead() ? 'range' : 'cursor');
  }

  subscribe(listener: (change: TimeViewChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A following view that shows all has nothing to move: it fills up. A zoomed one keeps the head at its right edge. */
  #moveToHead(): boolean {
    if (!this.zoomed) return false;
    const span = this.#range[1] - this.#range[0];
    const next = this.#clamp([this.#head - span, this.#head]);
    if (same(next, this.#range)) return false;
    this.#range = next;
    return true;
  }

  #clamp([from, to]: Range): Range {
    const [low, high] = this.#extent;
    const span = Math.min(Math.max(to - from, this.#minSpan), high - low);
    const start = Math.min(Math.max(from, low), high - span);
    return [start, start + span];
  }

  #remember(range: Range): void {
    this.#before = null;
    this.#past.push(range);
    if (this.#past.length > HISTORY_LIMIT) this.#past.shift();
    this.#future = [];
  }

  #travel(from: Range[], to: Range[]): void {
    const next = from.pop();
    if (next === undefined) return;
    to.push(this.#range);
    this.#range = this.#clamp(next);
    this.#follow = false;
    this.#emit('range');
  }

  #emit(change: TimeViewChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** A value of the view for a component; renders again when it changes. `read` must return a primitive or a stable object. */
export function useTimeView<T>(view: TimeView, read: (view: TimeView) => T): T {
  return useSyncExternalStore(
    (listener) => view.subscribe(listener),
    () => read(view),
  );
}

/** So often at most what is slow to draw follows a range that moves, ms. */
const CALM_MS = 150;

interface CalmRange {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => Range;
}

function calmRange(view: TimeView): CalmRange {
  let shown = view.range;
  return {
    read: () => shown,
    subscribe: (listener) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let last = -Infinity;
      const take = (): void => {
        timer = undefined;
        last = performance.now();
        shown = view.range;
        listener();
      };
      shown = view.range;
      const stop = view.subscribe((change) => {
        if (change !== 'range' || timer !== undefined) return;
        const wait = last + CALM_MS - performance.now();
        if (wait <= 0) take();
        else timer = setTimeout(take, wait);
      });
      return () => {
        stop();
        clearTimeout(timer);
      };
    },
  };
}

/** The visible range for what is slow to draw: the first change at once, then now and then while it moves, and in the end what is shown. */
export function useCalmRange(view: TimeView): Range {
  const calm = useMemo(() => calmRange(view), [view]);
  return useSyncExternalStore(calm.subscribe, calm.read);
}
