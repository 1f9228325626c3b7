import type { FinalState } from '../store/runs.ts';

/** What happened to a run: it changed its state, or more of it can be read. */
export type RunChange = 'state' | 'data';
/** `ended`: how it has ended, when that is what changed. */
export type RunListener = (run: string, change: RunChange, ended: FinalState | undefined) => void;

/** What has changed so shortly before somebody looks may have been missed by what they read before. */
const RECENT_MS = 60_000;
/** Of so many at most: more is read anew. */
export const MOST_RECENT = 2000;

/** Tells those who look at runs that there is something new; what it is they read themselves, at their own pace. */
export class RunFeed {
  readonly #failed: (error: unknown) => void;
  readonly #all = new Set<RunListener>();
  readonly #byRun = new Map<string, Set<RunListener>>();
  /** When each run last changed its state, in the order of that; by a clock that nobody sets. */
  #changedAt = new Map<string, number>();

  /** `failed` is told what a listener throws: who looks at a run may not harm it. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Every change of every run. */
  onAny(listener: RunListener): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  on(run: string, listener: RunListener): () => void {
    const listeners = this.#byRun.get(run) ?? new Set();
    listeners.add(listener);
    this.#byRun.set(run, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byRun.get(run) === listeners) this.#byRun.delete(run);
    };
  }

  /** Runs that have changed their state of late: the newest of them, if there were many. */
  recent(): string[] {
    const after = performance.now() - RECENT_MS;
    return [...this.#changedAt].slice(-MOST_RECENT).flatMap(([run, at]) => (at < after ? [] : [run]));
  }

  emit(run: string, change: RunChange, ended?: FinalState): void {
    if (change === 'state') {
      this.#changedAt.delete(run);
      this.#changedAt.set(run, performance.now());
      // Not one by one: looking for the oldest in a map that is written all the time takes longer each time.
      if (this.#changedAt.size > 2 * MOST_RECENT) this.#changedAt = new Map([...this.#changedAt].slice(-MOST_RECENT));
    }
    for (const listener of this.#byRun.get(run) ?? []) this.#tell(listener, run, change, ended);
    for (const listener of this.#all) this.#tell(listener, run, change, ended);
  }

  #tell(listener: RunListener, run: string, change: RunChange, ended: FinalState | undefined): void {
    try {
      listener(run, change, ended);
    } catch (error) {
      this.#failed(error);
    }
  }
}
