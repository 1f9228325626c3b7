import { statSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const SCRIPT = new URL('checkpoint.worker.mjs', import.meta.url);
const LOOK_EVERY_MS = 100;
const ENOUGH_BYTES = 8 * 2 ** 20;
/** Writing on and on keeps the log from ever being emptied: at this size a long work waits for a moment. */
const LONG_BYTES = 64 * 2 ** 20;

/**
 * Moves what was written from the log into the database in a thread of its own: it waits for the disk, and nobody else has to. SQLite
 * does so itself, in the middle of a commit, where the log becomes very long all the same.
 */
export class Checkpoints {
  readonly #log: string;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  #worker: Worker | null = null;
  #busy = false;
  #failed = false;
  /** Who waits until everything is moved. */
  readonly #waiting: (() => void)[] = [];
  /** From this size on there is a reason to wait. */
  #long = LONG_BYTES;

  constructor(path: string) {
    this.#path = path;
    this.#log = `${path}-wal`;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** What a long work should wait for before it writes more; null: nothing. Then the log begins anew. */
  room(): Promise<void> | null {
    const bytes = this.#bytes();
    if (bytes < LONG_BYTES) this.#long = LONG_BYTES;
    if (bytes < this.#long || this.#failed) return null;
    this.#long = bytes + LONG_BYTES;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#look();
      // Who waits for it keeps the process.
      this.#worker?.ref();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#letGo();
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    if (this.#failed) return;
    const ended = once(worker, 'exit');
    worker.ref();
    worker.postMessage('end');
    await ended;
  }

  #bytes(): number {
    return statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
  }

  #look(): void {
    if (this.#busy || this.#failed || this.#bytes() < ENOUGH_BYTES) return;
    this.#busy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('go');
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, { workerData: this.#path, execArgv: [] });
    worker.unref();
    worker.on('message', (left: number) => {
      this.#busy = false;
      if (left === 0) this.#letGo();
      else if (this.#waiting.length > 0) this.#look();
    });
    // Without it SQLite does the work itself.
    worker.on('error', () => {
      this.#failed = true;
      clearInterval(this.#timer);
      this.#letGo();
    });
    return worker;
  }

  #letGo(): void {
    this.#worker?.unref();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
