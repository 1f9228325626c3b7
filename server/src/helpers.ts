import type { FileLimits } from '#bridge/traces';
import { AppError } from './errors.ts';
import type { Limits } from './limits.ts';

/** Somebody who asks for what native programs do. */
export interface Asking {
  readonly helpers: Helpers;
  /** Whoever asked has left. */
  readonly gone: AbortSignal;
}

/** What the sender of a refused request is told to wait. */
const RETRY_AFTER_S = 5;

/** Places for the native programs that answer requests: so many at work, so many waiting, none for longer than its time, none for nobody. */
export class Helpers {
  /** What files of others may become; null: they are one's own. */
  readonly files: FileLimits | null;
  readonly #limits: Limits | null;
  readonly #waiting = new Set<() => void>();
  #busy = 0;

  /** `null`: a person's own commands, which nobody else waits for. */
  constructor(limits: Limits | null) {
    this.#limits = limits;
    this.files = limits && {
      unpackedBytes: limits.unpacked_bytes,
      unpackedRatio: limits.unpacked_ratio,
      storedBytes: limits.trace_bytes,
    };
  }

  /** Does the work when there is a place. `signal`: whoever asked has gone. */
  async run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    if (this.#limits === null) return work(either);
    await this.#place(this.#limits, signal);
    const timer = setTimeout(() => late.abort(), this.#limits.helper_s * 1000);
    try {
      signal?.throwIfAborted();
      return await work(either);
    } catch (error) {
      if (!late.signal.aborted) throw error;
      throw new AppError('TOOK_TOO_LONG', `it was not done within ${this.#limits.helper_s} s`, {
        hint: 'Ask for less: a shorter trace, fewer steps.',
      });
    } finally {
      clearTimeout(timer);
      this.#busy--;
      const [next] = this.#waiting;
      if (this.#busy < this.#limits.helpers) next?.();
    }
  }

  async #place({ helpers, helpers_waiting }: Limits, signal: AbortSignal | undefined): Promise<void> {
    if (this.#busy >= helpers) {
      if (this.#waiting.size >= helpers_waiting)
        throw new AppError(
          'TOO_BUSY',
          `${this.#waiting.size} requests wait for the native programs already`,
          {},
          { retryAfterS: RETRY_AFTER_S },
        );
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#waiting.delete(go);
          signal?.removeEventListener('abort', go);
          this.#busy++;
          resolve();
        };
        this.#waiting.add(go);
        signal?.addEventListener('abort', go);
      });
    } else {
      this.#busy++;
    }
  }
}
