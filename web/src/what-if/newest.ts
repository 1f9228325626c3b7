// Many questions, one after the other faster than they can be answered: what is shown is the answer to the newest that there is one to.

/** Answers within this come as quickly as a hand expects them: none is given up for a newer question. */
const QUICK_MS = 100;
/** Slower ones are, unless nothing has been shown for so many times as long as one takes. */
const STARVED_TIMES = 3;

interface Running {
  readonly order: number;
  readonly abort: AbortController;
}

export interface NewestOptions<Q, A> {
  /** So many are answered at a time. */
  readonly lanes: number;
  /** null: it was given up. */
  readonly answer: (question: Q, signal: AbortSignal) => Promise<A | null>;
  readonly show: (answer: A, question: Q) => void;
  readonly now?: () => number;
}

/**
 * Of the questions that wait only the newest is kept. An answer is shown unless that to a newer question was; the older ones that are still
 * being worked on are then given up.
 */
export class Newest<Q, A> {
  readonly #options: NewestOptions<Q, A>;
  readonly #now: () => number;
  #running: Running[] = [];
  #waiting: { readonly order: number; readonly question: Q } | null = null;
  #asked = 0;
  #shown = 0;
  #shownAt = -Infinity;
  /** How long the last answer took, milliseconds. */
  #typicalMs = 0;

  constructor(options: NewestOptions<Q, A>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  ask(question: Q): void {
    this.#waiting = { order: ++this.#asked, question };
    if (this.#running.length < this.#options.lanes) this.#start();
    else if (this.#typicalMs > QUICK_MS && this.#now() - this.#shownAt < STARVED_TIMES * this.#typicalMs)
      this.#running[0]?.abort.abort();
  }

  /** Gives up all that is being worked on. */
  stop(): void {
    this.#waiting = null;
    for (const { abort } of this.#running) abort.abort();
  }

  #start(): void {
    const next = this.#waiting;
    if (next === null) return;
    this.#waiting = null;
    const { order, question } = next;
    const running = { order, abort: new AbortController() };
    this.#running.push(running);
    const began = this.#now();
    void this.#options.answer(question, running.abort.signal).then((answer) => {
      this.#running = this.#running.filter((other) => other !== running);
      if (answer !== null && !running.abort.signal.aborted) {
        this.#typicalMs = this.#now() - began;
        if (order > this.#shown) {
          this.#shown = order;
          this.#shownAt = this.#now();
          for (const older of this.#running) if (older.order < order) older.abort.abort();
          this.#options.show(answer, question);
        }
      }
      this.#start();
    });
  }
}
