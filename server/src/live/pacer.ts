/** Timers may be this early. */
const SLACK_MS = 2;

/**
 * Does `work` soon after a poke, but no more often than every `intervalMs`; pokes in between are one. All pacers of an interval keep
 * the same beat, so that what is made for one viewer serves the next. What `work` throws, `failed` is told: nobody else would hear it.
 */
export class Pacer {
  readonly #intervalMs: number;
  readonly #work: () => void;
  readonly #failed: (error: unknown) => void;
  #last = Number.NEGATIVE_INFINITY;
  #immediate: NodeJS.Immediate | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(intervalMs: number, work: () => void, failed: (error: unknown) => void) {
    this.#intervalMs = intervalMs;
    this.#work = work;
    this.#failed = failed;
  }

  poke(): void {
    if (this.#immediate !== null || this.#timer !== null) return;
    const now = performance.now();
    const beat = (Math.floor((now + SLACK_MS) / this.#intervalMs) + 1) * this.#intervalMs;
    // Not at once even when it may: what arrived together goes out together.
    if (now - this.#last >= this.#intervalMs) this.#immediate = setImmediate(this.#run);
    else this.#timer = setTimeout(this.#run, beat - now);
  }

  stop(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#immediate = null;
    this.#timer = null;
  }

  readonly #run = (): void => {
    this.stop();
    this.#last = performance.now();
    try {
      this.#work();
    } catch (error) {
      this.#failed(error);
    }
  };
}
