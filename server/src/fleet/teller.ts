// Tells the server of one run, piece by piece, and no faster than it is read.
import type { Redis } from 'ioredis';
import { setTimeout as wait } from 'node:timers/promises';
import type { ToldKind, WorkerEnd } from '#protocol/fleet';
import { FIELDS } from './inbox.ts';

/** Frames go together until they are so many bytes, or so old. */
const PIECE_BYTES = 256 * 1024;
/** As large as frames mostly are at most. */
const FRAME_BYTES = 64 * 1024;
const PIECE_MS = 50;
/** With so many pieces unread, of all runs, nobody tells more. */
const FULL = 96;
const FULL_WAIT_MS = 10;

export class Teller {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #job: string;
  /** Nobody listens any more. */
  readonly #signal: AbortSignal;
  readonly #unheard: Promise<null>;
  /** Frames that are not sent yet, one after the other. */
  #piece: Buffer | null = null;
  #bytes = 0;
  #number = 0;
  #timer: NodeJS.Timeout | null = null;
  #sent: Promise<void> = Promise.resolve();

  constructor(redis: Redis, key: string, job: string, signal: AbortSignal) {
    this.#redis = redis;
    this.#key = key;
    this.#job = job;
    this.#signal = signal;
    this.#unheard = new Promise((resolve) => {
      if (signal.aborted) resolve(null);
      else signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  }

  begun(worker: string): void {
    void this.#send('begun', Buffer.from(worker));
  }

  changeable(): void {
    void this.#send('changeable', Buffer.alloc(0));
  }

  /** When there is something to wait for before the next frame, it is given. */
  frames(bytes: Uint8Array): Promise<void> | undefined {
    // Copied: it is a view into what is read next.
    if (this.#bytes + bytes.byteLength > (this.#piece?.byteLength ?? 0)) this.#makeRoom(bytes.byteLength);
    this.#piece?.set(bytes, this.#bytes);
    this.#bytes += bytes.byteLength;
    if (this.#bytes >= PIECE_BYTES) return this.#flush();
    this.#timer ??= setTimeout(() => void this.#flush(), PIECE_MS);
    return undefined;
  }

  qlog(flow: number, bytes: Uint8Array): Promise<void> {
    return this.#send('qlog', Buffer.concat([Buffer.from([flow]), bytes]));
  }

  /** Resolves when it is told, or when nobody listens. */
  async end(end: WorkerEnd): Promise<void> {
    void this.#flush();
    await this.#send('end', Buffer.from(JSON.stringify(end)));
  }

  /** As much as a piece may hold, and what has no room in that by itself. */
  #makeRoom(bytes: number): void {
    const room = Buffer.allocUnsafe(Math.max(PIECE_BYTES + FRAME_BYTES, this.#bytes + bytes));
    this.#piece?.copy(room, 0, 0, this.#bytes);
    this.#piece = room;
  }

  #flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#piece === null) return this.#sent;
    const bytes = this.#piece.subarray(0, this.#bytes);
    this.#piece = null;
    this.#bytes = 0;
    return this.#send('frames', bytes);
  }

  #send(kind: ToldKind, payload: Buffer): Promise<void> {
    const number = this.#number++;
    this.#sent = this.#sent.then(() => this.#put(number, kind, payload));
    return this.#sent;
  }

  /** Never rejects: without Redis it waits, until nobody listens. */
  async #put(number: number, kind: ToldKind, payload: Buffer): Promise<void> {
    const { job, number: numberField, kind: kindField, payload: payloadField } = FIELDS;
    const told = this.#redis
      .pipeline()
      .xadd(
        this.#key,
        'NOMKSTREAM',
        '*',
        job,
        this.#job,
        numberField,
        String(number),
        kindField,
        kind,
        payloadField,
        payload,
      )
      .xlen(this.#key)
      .exec()
      .catch(() => null);
    const answers = await Promise.race([told, this.#unheard]);
    let unread = Number(answers?.[1]?.[1] ?? 0);
    while (unread >= FULL && !this.#signal.aborted) {
      await wait(FULL_WAIT_MS);
      unread = (await Promise.race([this.#redis.xlen(this.#key).catch(() => 0), this.#unheard])) ?? 0;
    }
  }
}
