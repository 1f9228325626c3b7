// Sketches of recipes by children that stay: starting one takes longer than a sketch, and a slider asks for many.
import { z } from 'zod';
import { RecipeSketch, type Recipe } from '#protocol/recipe';
import { ProcessGroup } from './group.ts';
import { ProgramFailed } from './one-shot.ts';
import { programPath } from './programs.ts';
import { RecipeRefused } from './recipes.ts';

const PROGRAM = 'paceline-trace';
/** An hour of 0.125 ms steps with several stations takes less. */
const TIMEOUT_MS = 180_000;
/** Idle children that are kept, and for how long: one sketches while a slider moves, the other what stands when it rests. */
const SPARE = 2;
const IDLE_MS = 120_000;

const Answer = z.union([z.strictObject({ sketch: RecipeSketch }), z.strictObject({ refused: z.string() })]);

interface Asked {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** One child, which answers one line after the other. */
class Child {
  readonly ended: Promise<void>;
  readonly #group = new ProcessGroup(programPath(PROGRAM), ['sketches', '-']);
  #text = '';
  #asked: Asked | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#group.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      if (!text.endsWith('\n')) return;
      this.#asked?.resolve(this.#text);
      this.#text = '';
      this.#asked = null;
    });
    this.ended = this.#group.exit.then(
      ({ code, signal }) =>
        this.#asked?.reject(
          new ProgramFailed(`${PROGRAM} ended with ${signal ?? `exit code ${code ?? '?'}`}: ${this.#group.stderrTail}`),
        ),
      (error: unknown) => this.#asked?.reject(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** The next line; throws when the child ends instead. */
  ask(line: string): Promise<string> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#group.stdin.write(`${line}\n`);
    });
  }

  /** Ends by itself when nobody asks for long. */
  rest(): void {
    this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#group.stop().catch(() => undefined);
  }
}

/** Statistics, a preview and the plan of what recipes make. */
export class Sketcher {
  readonly #children = new Set<Child>();
  readonly #idle: Child[] = [];

  /** Throws RecipeRefused. A child that is asked for what nobody wants any more is ended, as it cannot be interrupted. */
  async sketch(recipe: Recipe, bins: number, signal?: AbortSignal): Promise<RecipeSketch> {
    if (signal?.aborted === true) throw new ProgramFailed(`${PROGRAM} was stopped`);
    const child = this.#idle.pop() ?? this.#start();
    const stopped: { because: string | null } = { because: null };
    const stop = (reason: string) => (): void => {
      stopped.because ??= reason;
      void child.stop();
    };
    const timer = setTimeout(stop(`did not answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
    const aborted = stop('was stopped');
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      const answer = Answer.parse(JSON.parse(await child.ask(JSON.stringify({ bins, recipe }))));
      if (stopped.because === null) this.#keep(child);
      if ('refused' in answer) throw new RecipeRefused(answer.refused);
      return answer.sketch;
    } catch (error) {
      throw stopped.because === null ? error : new ProgramFailed(`${PROGRAM} ${stopped.because}`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    }
  }

  /** Ends every child. */
  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => child.stop()));
  }

  #start(): Child {
    const child = new Child();
    this.#children.add(child);
    void child.ended.then(() => {
      this.#children.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return child;
  }

  #keep(child: Child): void {
    if (this.#idle.length >= SPARE || !this.#children.has(child)) return void child.stop();
    this.#idle.push(child);
    child.rest();
  }
}
