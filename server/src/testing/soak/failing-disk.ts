// A disk that fails at random below one folder, for whoever is started with its environment: a library that is preloaded, made here.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('failing-disk.c', import.meta.url));
const WORD = 4;

export class FailingDisk {
  /** What a process is started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly #steering: number;

  /** `folder`: for its own files; `below`: where it fails. Throws without a C compiler. */
  constructor(folder: string, below: string) {
    const library = join(folder, 'failing-disk.so');
    execFileSync('cc', ['-O1', '-fPIC', '-shared', '-o', library, SOURCE, '-ldl'], { stdio: 'pipe' });
    const steering = join(folder, 'failing-disk');
    writeFileSync(steering, Buffer.alloc(2 * WORD));
    this.#steering = openSync(steering, 'r+');
    this.env = { LD_PRELOAD: library, FAILING_DISK: steering, FAILING_DISK_BELOW: below };
  }

  /** From now on one call in so many fails; 0: none. */
  failOneIn(every: number): void {
    const word = Buffer.alloc(WORD);
    word.writeUInt32LE(every);
    writeSync(this.#steering, word, 0, WORD, 0);
  }

  /** How many calls have failed. */
  get failed(): number {
    const word = Buffer.alloc(WORD);
    readSync(this.#steering, word, 0, WORD, WORD);
    return word.readUInt32LE();
  }

  close(): void {
    closeSync(this.#steering);
  }
}
