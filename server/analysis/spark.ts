// A run at a glance: so many means over its time, however many samples it has.

/** Means of several columns over equal parts of a run's time. Rows end at their time. */
export class Spark {
  readonly #parts: number;
  readonly #duration: number;
  readonly #sums: readonly Float64Array[];
  readonly #counts: readonly Uint32Array[];

  constructor(columns: number, parts: number, duration_s: number) {
    this.#parts = parts;
    this.#duration = duration_s;
    this.#sums = Array.from({ length: columns }, () => new Float64Array(parts));
    this.#counts = Array.from({ length: columns }, () => new Uint32Array(parts));
  }

  /** Takes in rows; `columns` in the order in which `means` gives them. */
  add(time: Float64Array, columns: readonly (Float32Array | undefined)[]): void {
    const perPart = this.#duration / this.#parts;
    for (let row = 0; row < time.length; row++) {
      // A row that ends where a part ends belongs to that part.
      const part = Math.min(this.#parts, Math.max(1, Math.ceil((time[row] ?? 0) / perPart - 1e-6))) - 1;
      columns.forEach((values, c) => {
        const value = values?.[row] ?? Number.NaN;
        const [sums, counts] = [this.#sums[c], this.#counts[c]];
        if (Number.isNaN(value) || sums === undefined || counts === undefined) return;
        sums[part] = (sums[part] ?? 0) + value;
        counts[part] = (counts[part] ?? 0) + 1;
      });
    }
  }

  /** Per column, to four digits; null where there was nothing. */
  means(): (number | null)[][] {
    return this.#sums.map((sums, c) =>
      Array.from(sums, (sum, part) => {
        const count = this.#counts[c]?.[part] ?? 0;
        return count === 0 ? null : Number((sum / count).toPrecision(4));
      }),
    );
  }
}
