import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
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

export const gigabytes = (bytes: number): string => `${Number((bytes / 1e9).toPrecision(3))} GB`;

/** How much a data folder may hold. */
export class Quota {
  /** null: as much as the disk. */
  readonly most: number | null;
  readonly #folder: string;
  #measured = { at: -Infinity, bytes: Promise.resolve(0) };

  constructor(folder: string, most: number | null) {
    this.#folder = folder;
    this.most = most;
  }

  /** At most some seconds old. */
  used(): Promise<number> {
    const now = performance.now();
    if (now - this.#measured.at > FRESH_MS) this.#measured = { at: now, bytes: folderBytes(this.#folder) };
    return this.#measured.bytes;
  }

  /** Infinity without a quota. */
  async left(): Promise<number> {
    return this.most === null ? Infinity : this.most - (await this.used());
  }

  /** Refuses what is to take so many bytes when there is no room for it. */
  async admit(bytes: number): Promise<void> {
    const left = await this.left();
    if (left <= 0 || bytes > left) throw this.refusal();
  }

  refusal(): AppError {
    return new AppError(
      'QUOTA_EXCEEDED',
      `the data folder may hold ${gigabytes(this.most ?? Infinity)}, which this would exceed`,
      {
        hint: 'Start the server with a greater --max-data, or begin another data folder.',
      },
    );
  }
}
