/** Does `work` soon after a poke, but no more often than every `intervalMs`; pokes in between are one. */
export class Pacer {
  readonly #intervalMs: number;
  readonly #work: () => void;
  #last = Number.NEGATIVE_INFINITY;
  #immediate: NodeJS.Immediate | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(intervalMs: number, work: () => void) {
    this.#intervalMs = intervalMs;
    this.#work = work;
  }

  poke(): void {
    if (this.#immediate !== null || this.#timer !== null) return;
    const wait = this.#last + this.#intervalMs - performance.now();
    // Not at once even when it may: what arrived together goes out together.
    if (wait <= 0) this.#immediate = setImmediate(this.#run);
    else this.#timer = setTimeout(this.#run, wait);
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
    this.#work();
  };
}
