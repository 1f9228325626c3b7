// Reads what workers tell, in the order in which it was told, and takes it away once it is taken in.
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ToldKind } from '#protocol/fleet';
import type { Told } from './receipt.ts';

/** Read at once. */
const PIECES = 64;
const BLOCK_MS = 1000;
const AGAIN_MS = 500;

const Entry = z.tuple([z.instanceof(Buffer), z.array(z.instanceof(Buffer))]);
const Answer = z.array(z.tuple([z.instanceof(Buffer), z.array(Entry)])).nullable();

/** Fields of an entry. */
export const FIELDS = { job: 'j', number: 'n', kind: 'k', payload: 'b' } as const;

function toldIn(fields: readonly Buffer[]): Told | null {
  const named = new Map<string, Buffer>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [name, value] = [fields[i], fields[i + 1]];
    if (name !== undefined && value !== undefined) named.set(name.toString(), value);
  }
  const kind = ToldKind.safeParse(named.get(FIELDS.kind)?.toString());
  const number = Number(named.get(FIELDS.number)?.toString() ?? Number.NaN);
  const [job, payload] = [named.get(FIELDS.job)?.toString(), named.get(FIELDS.payload)];
  if (!kind.success || job === undefined || payload === undefined || !Number.isSafeInteger(number)) return null;
  return { job, number, kind: kind.data, payload };
}

export class Inbox {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #take: (told: Told) => Promise<void>;
  readonly #log: Logger;
  #last = '0';
  #isRead = false;
  #closed = false;
  #giveUp: (() => void) | null = null;
  /** Of what is asked: a Redis that is gone never answers. */
  readonly #givenUp = new Promise<null>((resolve) => (this.#giveUp = () => resolve(null)));
  #over: Promise<void> = Promise.resolve();

  /** `take` is called for one piece of a run after the other, and never rejects. The connection is its own. */
  constructor(redis: Redis, key: string, take: (told: Told) => Promise<void>, log: Logger) {
    this.#redis = redis;
    this.#key = key;
    this.#take = take;
    this.#log = log;
  }

  /** When it was last looked at, nothing was left. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Makes the place where it is told, if it is not there: nobody else does, so that nothing stays of a server that is gone. */
  async open(redis: Redis): Promise<void> {
    if ((await redis.exists(this.#key)) === 1) return;
    // It may count anew, from before what was told last.
    this.#last = '0';
    await redis.xadd(this.#key, '*', 'open', '');
  }

  start(): void {
    this.#over = this.#readAll();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#redis.disconnect();
    this.#giveUp?.();
    await this.#over;
  }

  async #readAll(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#read();
      } catch (error) {
        await this.#fail(error);
      }
    }
  }

  async #fail(error: unknown): Promise<void> {
    this.#isRead = false;
    if (this.#closed) return;
    this.#log.warn({ err: error }, 'what workers tell could not be read');
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  async #read(): Promise<void> {
    const asked = this.#redis.xreadBuffer('COUNT', PIECES, 'BLOCK', BLOCK_MS, 'STREAMS', this.#key, this.#last);
    const answer = Answer.parse(await Promise.race([asked, this.#givenUp]));
    const entries = answer?.[0]?.[1] ?? [];
    const byJob = new Map<string, Told[]>();
    for (const [, fields] of entries) {
      const told = toldIn(fields);
      if (told === null) continue;
      const ofJob = byJob.get(told.job) ?? [];
      ofJob.push(told);
      byJob.set(told.job, ofJob);
    }
    await Promise.all(
      [...byJob.values()].map(async (ofJob) => {
        for (const told of ofJob) await this.#take(told);
      }),
    );
    this.#isRead = entries.length < PIECES;
    const last = entries.at(-1)?.[0].toString();
    if (last === undefined) return;
    this.#last = last;
    const [ms = '0', count = '0'] = last.split('-');
    const trimmed = this.#redis.xtrim(this.#key, 'MINID', `${ms}-${Number(count) + 1}`);
    await Promise.race([trimmed, this.#givenUp]);
  }
}
