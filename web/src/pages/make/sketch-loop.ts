// Asks for sketches of what the sliders say, without a queue: one coarse sketch after the other, each of the latest, for as long as a
// slider moves; the exact one when it rests.

/** A slider that has not moved for so long rests. */
const SETTLE_MS = 200;

export interface SketchLoopParts<Wanted, Sketch> {
  readonly ask: (wanted: Wanted, how: 'coarse' | 'exact', signal: AbortSignal) => Promise<Sketch>;
  readonly show: (sketch: Sketch) => void;
  readonly fail: (error: Error) => void;
}

export class SketchLoop<Wanted, Sketch> {
  readonly #parts: SketchLoopParts<Wanted, Sketch>;
  #latest: { readonly wanted: Wanted } | null = null;
  #coarse: AbortController | null = null;
  #exact: AbortController | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SketchLoopParts<Wanted, Sketch>) {
    this.#parts = parts;
  }

  want(wanted: Wanted): void {
    this.#latest = { wanted };
    clearTimeout(this.#rest);
    this.#exact?.abort();
    this.#exact = null;
    // What is under way is shown, and the latest comes after it: whoever drags fast sees all but the last moment.
    if (this.#coarse === null) void this.#sketch();
  }

  stop(): void {
    clearTimeout(this.#rest);
    this.#coarse?.abort();
    this.#exact?.abort();
    this.#coarse = this.#exact = this.#latest = null;
  }

  async #sketch(): Promise<void> {
    const asked = this.#latest;
    if (asked === null) return;
    const abort = new AbortController();
    this.#coarse = abort;
    await this.#ask(asked.wanted, 'coarse', abort);
    if (abort.signal.aborted) return;
    this.#coarse = null;
    if (this.#latest !== asked) return this.#sketch();
    this.#rest = setTimeout(() => {
      this.#exact = new AbortController();
      void this.#ask(asked.wanted, 'exact', this.#exact);
    }, SETTLE_MS);
  }

  async #ask(wanted: Wanted, how: 'coarse' | 'exact', abort: AbortController): Promise<void> {
    try {
      const sketch = await this.#parts.ask(wanted, how, abort.signal);
      if (!abort.signal.aborted) this.#parts.show(sketch);
    } catch (error) {
      if (!abort.signal.aborted) this.#parts.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
