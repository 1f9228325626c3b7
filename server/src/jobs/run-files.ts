import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files of runs that live as long as the runs' samples: a folder for each run that has any. */
export class RunFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  folder(run: string): string {
    return join(this.#root, run);
  }

  /** Those that have any. */
  runs(): string[] {
    return existsSync(this.#root) ? readdirSync(this.#root) : [];
  }

  delete(run: string): void {
    rmSync(this.folder(run), { recursive: true, force: true });
  }

  /** Deletes those of all other runs, which a database that is gone has left. */
  keepOnly(known: (run: string) => boolean): void {
    for (const run of this.runs()) if (!known(run)) this.delete(run);
  }
}
