/** Rows of one stream, [from, to). */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

/** A viewer that has fallen behind gets so many of the newest rows first. */
const KEPT_ROWS = 512;

/** How far one viewer has come in one stream. Every row is given exactly once, in order unless it was skipped. */
export class StreamCursor {
  #next: number;
  #gaps: Rows[] = [];

  constructor(next: number) {
    this.#next = next;
  }

  /** The next rows to send, at most `most` of them; null when all rows below `head` have been given. */
  take(head: number, most: number): Rows | null {
    if (this.#next < head) {
      const rows = { from: this.#next, to: Math.min(head, this.#next + most) };
      this.#next = rows.to;
      return rows;
    }
    const [gap, ...others] = this.#gaps;
    if (gap === undefined) return null;
    const rows = { from: gap.from, to: Math.min(gap.to, gap.from + most) };
    this.#gaps = rows.to === gap.to ? others : [{ from: rows.to, to: gap.to }, ...others];
    return rows;
  }

  /** Goes on with the newest rows; what lies between is given when there is nothing newer to give. */
  skipTo(head: number): void {
    const next = head - KEPT_ROWS;
    if (next <= this.#next) return;
    this.#gaps = [...this.#gaps, { from: this.#next, to: next }];
    this.#next = next;
  }
}
