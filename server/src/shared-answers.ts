interface Entry<T> {
  readonly answer: Promise<T>;
  readonly abort: AbortController;
  askers: number;
  done: boolean;
}

/** Answers that never change and that many may ask for: made once, the latest kept, given up when everybody who asked has left. */
export class SharedAnswers<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #kept: number;

  constructor(kept: number) {
    this.#kept = kept;
  }

  async ask(key: string, signal: AbortSignal | undefined, make: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const entry = this.#entries.get(key) ?? this.#begin(key, make);
    entry.askers++;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        entry.askers--;
        if (entry.askers === 0 && !entry.done) {
          this.#forget(key, entry);
          entry.abort.abort();
        }
        reject(signal?.reason instanceof Error ? signal.reason : new Error('nobody waits for it'));
      };
    });
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([entry.answer, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const abort = new AbortController();
    const entry: Entry<T> = { answer: make(abort.signal), abort, askers: 0, done: false };
    this.#entries.set(key, entry);
    entry.answer.then(
      () => (entry.done = true),
      () => this.#forget(key, entry),
    );
    const [oldest] = this.#entries;
    if (this.#entries.size > this.#kept && oldest !== undefined) this.#entries.delete(oldest[0]);
    return entry;
  }

  #forget(key: string, entry: Entry<T>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}
