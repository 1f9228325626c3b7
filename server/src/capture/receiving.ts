// What a receiver over TCP has and selectively acknowledges, from the packets that came: by the rules of the engine's transport/receiver.cc.

/** Segments [begin, end). */
export interface Run {
  readonly begin: number;
  end: number;
}

/** So many fit beside timestamps in a TCP header. */
const MOST_BLOCKS = 3;

export class Receiving {
  /** Every segment below it has arrived. */
  cumulative = 0;
  /** Above the first hole, in order; they do not touch. */
  readonly #runs: Run[] = [];
  /** Those that changed last, newest first. */
  #newest: Run[] = [];
  /** What the next acknowledgement says came again. */
  again: number | null = null;

  receive(sequence: number): void {
    const next = this.#firstBehind(sequence);
    const left = this.#runs[next - 1];
    if (sequence < this.cumulative || (left !== undefined && sequence < left.end)) {
      this.again = sequence;
      return;
    }
    if (sequence === this.cumulative) this.#advance(sequence + 1);
    else this.#keepNewest(this.#join(sequence, next));
  }

  /** What an acknowledgement says now, a segment that came again first (RFC 2883); the next one does not repeat that. */
  blocks(): Run[] {
    const again = this.again;
    this.again = null;
    if (again === null) return [...this.#newest];
    return [{ begin: again, end: again + 1 }, ...this.#newest.slice(0, MOST_BLOCKS - 1)];
  }

  /** Place of the first run that begins behind the segment. */
  #firstBehind(sequence: number): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.begin ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A hole at the very front is filled. */
  #advance(to: number): void {
    this.cumulative = to;
    const [first] = this.#runs;
    if (first?.begin === to) {
      this.cumulative = first.end;
      this.#runs.shift();
    }
    this.#newest = this.#newest.filter(({ begin }) => begin >= this.cumulative);
  }

  #join(sequence: number, next: number): Run {
    const left = this.#runs[next - 1];
    const right = this.#runs[next];
    const end = right?.begin === sequence + 1 ? right.end : sequence + 1;
    const touchesRight = end > sequence + 1;
    if (left?.end === sequence) {
      left.end = end;
      if (touchesRight) this.#drop(next);
      return left;
    }
    const run: Run = { begin: sequence, end };
    if (touchesRight) this.#drop(next);
    this.#runs.splice(next, 0, run);
    return run;
  }

  #drop(place: number): void {
    const [gone] = this.#runs.splice(place, 1);
    this.#newest = this.#newest.filter((run) => run !== gone);
  }

  #keepNewest(run: Run): void {
    this.#newest = [run, ...this.#newest.filter((other) => other !== run)].slice(0, MOST_BLOCKS);
  }
}
