// Where the segments of a flow begin among its bytes. They need not be of one size: an application's message ends where it ends.

/** So many forgotten ones are worth moving the others. */
const SLACK = 4096;

export class Segments {
  /** The first that is known … */
  #first = 0;
  /** … and where it, and each that follows, begins; the last entry is where the next will. */
  #begins = [0];

  /** A segment is sent; another time it is where it was. */
  place(sequence: number, bytes: number): number {
    if (sequence === this.#first + this.#begins.length - 1) this.#begins.push(this.begin(sequence) + bytes);
    return this.begin(sequence);
  }

  /** Also of the one that has not been sent yet. */
  begin(sequence: number): number {
    const begin = this.#begins[sequence - this.#first];
    if (begin === undefined) throw new RangeError(`segment ${sequence} is not known`);
    return begin;
  }

  /** The sender knows that all below have arrived: none of them is sent again. `needed`: the least that is to be told of all the same. */
  forget(below: number, needed: () => number): void {
    if (below - this.#first < SLACK) return;
    const first = Math.min(below, needed());
    const gone = first - this.#first;
    if (gone <= 0 || gone >= this.#begins.length) return;
    this.#begins = this.#begins.slice(gone);
    this.#first = first;
  }
}
