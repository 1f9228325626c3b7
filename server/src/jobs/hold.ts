import type { Logger } from 'pino';
import type { QueueHold } from '#protocol/api';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;

/** Keeps the queue from starting anything while the machine is in a state in which it would fail, and tries again by itself. */
export class Hold {
  readonly #listeners = new Set<(hold: QueueHold | null) => void>();
  readonly #log: Logger;
  readonly #tryAgain: () => void;
  #current: QueueHold | null = null;
  #timer: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;

  /** `tryAgain` calls `release` or `begin`. */
  constructor(log: Logger, tryAgain: () => void) {
    this.#log = log;
    this.#tryAgain = tryAgain;
  }

  get current(): QueueHold | null {
    return this.#current;
  }

  onChange(listener: (hold: QueueHold | null) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  begin(hold: QueueHold): void {
    // A damaged database stays so, whatever else comes to light.
    if (this.#current?.cause === 'damaged') return;
    const changed = this.#current?.reason !== hold.reason;
    this.#current = hold;
    if (changed) {
      this.#log.warn({ cause: hold.cause }, `the queue waits: ${hold.reason}`);
      this.#tell();
    }
    if (hold.cause === 'damaged' || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#tryAgain();
    }, this.#retryMs);
    this.#retryMs = Math.min(LONGEST_RETRY_MS, 2 * this.#retryMs);
  }

  release(): void {
    if (this.#current === null) return;
    this.#current = null;
    this.#log.info('the queue goes on');
    this.#tell();
  }

  /** All is well: the next time is a first time. */
  forget(): void {
    if (this.#current === null) this.#retryMs = FIRST_RETRY_MS;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#current);
  }
}
