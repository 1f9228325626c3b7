import { EventEmitter, once } from 'node:events';
import { z } from 'zod';

/** What `npm start` tells of each step of its setup (scripts/setup/steps.mjs). */
const Step = z.object({
  title: z.string(),
  /** The server begins without it. */
  later: z.boolean(),
  state: z.enum(['waiting', 'working', 'done', 'failed']),
  done: z.number().optional(),
  of: z.number().optional(),
  why: z.string().optional(),
});
export type Step = z.infer<typeof Step>;
const Steps = z.array(Step);

/** How far the setup is; whoever shows it waits for what is new. */
export class Progress {
  #steps: readonly Step[] = [];
  /** Also why the server itself could not begin. */
  #trouble: string | null = null;
  // Never the number of another process: a page may have waited for the one before.
  #version = Date.now();
  readonly #news = new EventEmitter().setMaxListeners(0);

  get version(): number {
    return this.#version;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** What went wrong, in the words of the terminal; null while nothing did. */
  get trouble(): string | null {
    return this.#trouble ?? this.#steps.find(({ state, later }) => state === 'failed' && !later)?.why ?? null;
  }

  hear(message: unknown): void {
    this.#steps = Steps.parse(message);
    this.stir();
  }

  fail(why: string): void {
    this.#trouble = why;
    this.stir();
  }

  /** Whoever waits looks again. */
  stir(): void {
    this.#version += 1;
    this.#news.emit('news');
  }

  /** Resolves when there is something newer than `seen`, or after a while. */
  async newerThan(seen: number, patienceMs: number): Promise<void> {
    if (seen === this.#version)
      await once(this.#news, 'news', { signal: AbortSignal.timeout(patienceMs) }).catch(() => 0);
  }

  /** Resolves with whether the server can begin, as soon as that is known: when nothing goes on that it waits for. */
  async settled(): Promise<boolean> {
    for (;;) {
      const needed = this.#steps.filter(({ later }) => !later);
      const isOver = needed.every(({ state }) => state === 'done' || state === 'failed');
      if (needed.length > 0 && isOver) return needed.every(({ state }) => state === 'done');
      await once(this.#news, 'news');
    }
  }
}
