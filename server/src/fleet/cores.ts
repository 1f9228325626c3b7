/** Cores of a machine: whoever wants some waits until they are free, first come, first served. */
export class Cores {
  readonly all: number;
  #free: number;
  readonly #waiting: { readonly want: number; readonly go: () => void }[] = [];

  constructor(all: number) {
    this.all = all;
    this.#free = all;
  }

  get busy(): number {
    return this.all - this.#free;
  }

  /** Gives what gives them back. Who wants more than there are gets all. */
  async take(cores: number): Promise<() => void> {
    const want = Math.min(cores, this.all);
    if (this.#waiting.length > 0 || this.#free < want)
      await new Promise<void>((resolve) => this.#waiting.push({ want, go: resolve }));
    else this.#free -= want;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#free += want;
      this.#next();
    };
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined && first.want <= this.#free; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= first.want;
      first.go();
    }
  }
}
