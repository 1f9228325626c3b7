// An engine as WebAssembly in a thread of Node (engine-worker.ts): a port for a pool, that can be ended from outside whatever it does.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Answer, Port, Question } from '#engine/messages';
import { ProgramMissing } from './programs.ts';

/** Made of engine-worker.ts: a thread has no loader of TypeScript. */
const SCRIPT = fileURLToPath(new URL('../../build/server/engine-worker.js', import.meta.url));

/** Frames on their way; the thread stands still until one of them is taken. */
export const MOST_FRAMES = 256;
/** Of JavaScript around the engine, whose own memory is bounded by itself. */
const HEAP_MIB = 256;

/** Frames that were taken, which the thread counts its own against. */
export type Taken = Int32Array<SharedArrayBuffer>;

type Hears = Exclude<Port['onerror'], undefined>;

export class EngineThread implements Port {
  onmessage: Port['onmessage'] = null;
  onerror: Hears = null;
  readonly #worker: Worker;
  readonly #taken: Taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #broken: string | null = null;

  constructor() {
    if (!existsSync(SCRIPT))
      throw new ProgramMissing(`${SCRIPT} is missing; build it with \`npm run setup -- --only server\``);
    this.#worker = new Worker(SCRIPT, {
      workerData: this.#taken,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.on('message', (answer: Answer) => this.onmessage?.({ data: answer } as MessageEvent));
    this.#worker.on('error', (error) => this.#break(error.message));
    this.#worker.on('exit', () => this.#break('its thread ended'));
  }

  /** Whether it can be asked anything more. */
  get sound(): boolean {
    return this.#broken === null;
  }

  postMessage(question: Question): void {
    if (this.sound) this.#worker.postMessage(question);
    // Whoever asks listens by then.
    else setTimeout(() => this.#tell());
  }

  /** One frame more may come. */
  took(): void {
    Atomics.add(this.#taken, 0, 1);
    Atomics.notify(this.#taken, 0);
  }

  /** A process may end while it rests. */
  keepsProcess(keeps: boolean): void {
    if (keeps) this.#worker.ref();
    else this.#worker.unref();
  }

  /** At once, whatever it does; whoever waits for an answer is told why. */
  async end(reason: string): Promise<void> {
    this.#break(reason);
    await this.#worker.terminate();
  }

  #break(reason: string): void {
    if (this.#broken !== null) return;
    this.#broken = reason;
    this.#tell();
  }

  #tell(): void {
    this.onerror?.({ message: this.#broken ?? '' } as Parameters<NonNullable<Hears>>[0]);
  }
}
