import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Allowance } from './allowance.ts';
import { AppError } from './errors.ts';

/** How long a measurement holds: a folder of many files takes a while to walk. */
const FRESH_MS = 2000;

/** Bytes of all files below; what goes while we look counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return folderBytes(path);
      return stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** As operators write them: 20 GB, 1.35 MB. */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${Number((bytes / unit).toPrecision(3))} ${name}`;
}

/** How much a data folder may hold. */
export class Quota implements Allowance {
  /** null: as much as the disk. */
  readonly most: number | null;
  readonly #folder: string;
  readonly #free: () => number;
  #measured = { at: -Infinity, bytes: Promise.resolve(0) };

  /** `free`: bytes in its files that hold nothing, and will be used before any file grows. */
  constructor(folder: string, most: number | null, free: () => number = () => 0) {
    this.#folder = folder;
    this.most = most;
    this.#free = free;
  }

  /** At most some seconds old. */
  used(): Promise<number> {
    const now = performance.now();
    if (now - this.#measured.at > FRESH_MS) this.#measured = { at: now, bytes: this.#measure() };
    return this.#measured.bytes;
  }

  async #measure(): Promise<number> {
    return Math.max(0, (await folderBytes(this.#folder)) - this.#free());
  }

  /** Infinity without a quota. */
  async left(): Promise<number> {
    return this.most === null ? Infinity : this.most - (await this.used());
  }

  /** Refuses what is to take so many bytes when there is no room for it. */
  async admit(bytes: number, exactly?: () => Promise<number>): Promise<void> {
    const left = await this.left();
    if (left > 0 && (bytes <= left || (exactly !== undefined && (await exactly()) <= left))) return;
    throw new AppError(
      'QUOTA_EXCEEDED',
      `the data folder may hold ${sizeText(this.most ?? Infinity)}, which this would exceed`,
      { hint: 'Start the server with a greater --max-data, or begin another data folder.' },
    );
  }

  /** Nobody waits: it is measured, not divided. */
  turn(): Promise<() => void> {
    return Promise.resolve(() => undefined);
  }
}
