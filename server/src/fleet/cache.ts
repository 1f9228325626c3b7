// The files of a worker: fetched once by the hash of their bytes, and kept as long as there is room.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { access, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { FileName } from '#protocol/fleet';
import { KEYS } from './keys.ts';

/** A file that the server no longer lends: the run has to be offered again. */
export class NotLent extends Error {
  override readonly name = 'NotLent';
}

/** That a file was wanted need not be said again so soon. */
const FRESH_MS = 60_000;
/** A file that is being written is not as old. */
const HALF_MS = 3_600_000;

export class Cache {
  readonly folder: string;
  readonly #redis: Redis;
  readonly #mostBytes: number;
  readonly #coming = new Map<string, Promise<void>>();
  /** When that was said of each. */
  readonly #touched = new Map<string, number>();

  constructor(folder: string, redis: Redis, mostBytes: number) {
    this.folder = folder;
    this.#redis = redis;
    this.#mostBytes = mostBytes;
    mkdirSync(folder, { recursive: true });
    this.#sweep();
    this.#trim();
  }

  /** All of them are in the folder afterwards. Throws NotLent. */
  async fetch(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#here(name)));
  }

  #here(name: string): Promise<void> {
    const coming = this.#coming.get(name) ?? this.#fetch(FileName.parse(name));
    this.#coming.set(name, coming);
    const over = (): void => void this.#coming.delete(name);
    coming.then(over, over);
    return coming;
  }

  async #fetch(name: string): Promise<void> {
    const path = join(this.folder, name);
    try {
      await access(path);
      // Wanted again: not the first to go.
      if (performance.now() - (this.#touched.get(name) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
      this.#touched.set(name, performance.now());
      await utimes(path, new Date(), new Date()).catch(() => undefined);
      return;
    } catch {
      // Then it has to come.
    }
    const bytes = await this.#redis.getBuffer(KEYS.file(name));
    if (bytes === null) throw new NotLent(`${name} is no longer in Redis`);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!name.startsWith(hash)) throw new NotLent(`what is in Redis as ${name} is something else: its hash is ${hash}`);
    const fresh = join(this.folder, `${randomUUID()}.part`);
    try {
      await writeFile(fresh, bytes);
      await rename(fresh, path);
    } finally {
      await rm(fresh, { force: true });
    }
    this.#trim();
  }

  /** What a worker that was killed has left half. Another's that works in the same folder is younger. */
  #sweep(): void {
    for (const name of readdirSync(this.folder).filter((each) => each.endsWith('.part'))) {
      const found = statSync(join(this.folder, name), { throwIfNoEntry: false });
      if (found !== undefined && Date.now() - found.mtimeMs > HALF_MS) rmSync(join(this.folder, name), { force: true });
    }
  }

  /** What was not wanted longest goes first. */
  #trim(): void {
    const files = readdirSync(this.folder)
      .filter((name) => FileName.safeParse(name).success)
      .flatMap((name) => {
        const found = statSync(join(this.folder, name), { throwIfNoEntry: false });
        return found === undefined ? [] : [{ name, size: found.size, at: found.mtimeMs }];
      })
      .sort((a, b) => b.at - a.at);
    let bytes = 0;
    for (const { name, size } of files) {
      bytes += size;
      // The newest stays, however large: it is wanted now.
      if (bytes <= this.#mostBytes || bytes === size) continue;
      rmSync(join(this.folder, name), { force: true });
    }
  }
}
