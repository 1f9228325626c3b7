/** What happened to a run: it changed its state, or more of it can be read. */
export type RunChange = 'state' | 'data';
export type RunListener = (run: string, change: RunChange) => void;

/** What has changed so shortly before somebody looks may have been missed by what they read before. */
const RECENT_MS = 60_000;

/** Tells those who look at runs that there is something new; what it is they read themselves, at their own pace. */
export class RunFeed {
  readonly #failed: (error: unknown) => void;
  readonly #all = new Set<RunListener>();
  readonly #byRun = new Map<string, Set<RunListener>>();
  /** When each run last changed its state, in the order of that; by a clock that nobody sets. */
  readonly #changedAt = new Map<string, number>();

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

  /** Runs that have changed their state of late. */
  recent(): string[] {
    this.#forgetOld();
    return [...this.#changedAt.keys()];
  }

  emit(run: string, change: RunChange): void {
    if (change === 'state') {
      this.#changedAt.delete(run);
      this.#changedAt.set(run, performance.now());
      this.#forgetOld();
    }
    for (const listener of this.#byRun.get(run) ?? []) this.#tell(listener, run, change);
    for (const listener of this.#all) this.#tell(listener, run, change);
  }

  #forgetOld(): void {
    const before = performance.now() - RECENT_MS;
    for (const [run, at] of this.#changedAt) {
      if (at >= before) return;
      this.#changedAt.delete(run);
    }
  }

  #tell(listener: RunListener, run: string, change: RunChange): void {
    try {
      listener(run, change);
    } catch (error) {
      this.#failed(error);
    }
  }
}
