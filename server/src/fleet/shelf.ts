// What manifests name by hash, lent by the server to its workers over Redis.
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { RunManifest } from '#protocol/manifest';
import { mayBeWeights, tracesOf } from '#bridge/named-texts';
import { KEYS } from './keys.ts';

/** How long a file stays there after it was last wanted. */
const LENT_S = 3600;
/** Larger ones are not for Redis, which takes no value of more than 512 MB: runs with them are made where they lie. */
const MOST_BYTES = 256 * 2 ** 20;
/** What was lent that recently need not be looked at again. */
const SURE_MS = 600_000;

export interface ShelfOptions {
  readonly redis: Redis;
  readonly tracesDir: string;
  /** Texts of own algorithms, by their hash. */
  readonly program: (sha256: string) => string | null;
}

export class Shelf {
  readonly #options: ShelfOptions;
  readonly #lent = new Map<string, { readonly at: number; readonly over: Promise<void> }>();

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** Whether what a run names is small enough to be lent. */
  fits(manifest: RunManifest): boolean {
    return tracesOf(manifest).every((sha256) => {
      const found = statSync(join(this.#options.tracesDir, `${sha256}.trace`), { throwIfNoEntry: false });
      return found === undefined || found.size <= MOST_BYTES;
    });
  }

  /** Makes sure that all files of a run can be fetched; gives their names. Throws when one of them is not here. */
  async lend(manifest: RunManifest): Promise<string[]> {
    const names = new Set([
      ...tracesOf(manifest).map((sha256) => `${sha256}.trace`),
      ...mayBeWeights(manifest)
        .map((sha256) => `${sha256}.weights.json`)
        .filter((name) => existsSync(join(this.#options.tracesDir, name))),
      ...manifest.flows.flatMap(({ cca }) => (cca.program === undefined ? [] : [`${cca.program}.own`])),
    ]);
    await Promise.all([...names].map((name) => this.#sure(name)));
    return [...names];
  }

  /** Redis has lost it, or all. */
  forget(): void {
    this.#lent.clear();
  }

  #sure(name: string): Promise<void> {
    const known = this.#lent.get(name);
    if (known !== undefined && performance.now() - known.at < SURE_MS) return known.over;
    const over = this.#put(name);
    this.#lent.set(name, { at: performance.now(), over });
    over.catch(() => this.#lent.delete(name));
    return over;
  }

  async #put(name: string): Promise<void> {
    const { redis } = this.#options;
    if ((await redis.expire(KEYS.file(name), LENT_S)) === 1) return;
    await redis.set(KEYS.file(name), await this.#read(name), 'EX', LENT_S);
  }

  async #read(name: string): Promise<Buffer> {
    if (!name.endsWith('.own')) return readFile(join(this.#options.tracesDir, name));
    const text = this.#options.program(name.slice(0, -'.own'.length));
    if (text === null) throw new Error(`the text of an own algorithm is not here: send it again, then repeat the run`);
    return Buffer.from(text);
  }
}
