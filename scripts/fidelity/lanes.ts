/** Runs jobs in order, so many at a time. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(lanes: number) {
    this.#free = lanes;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((free) => this.#waiting.push(free));
    else this.#free--;
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
