import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { logOf, type ProgramLog } from '#protocol/program-logs';
import { RunFiles } from './run-files.ts';

/** Where what external programs have written is, by run. */
export class ProgramLogFolder extends RunFiles {
  file(run: string, name: string): string {
    return join(this.folder(run), name);
  }

  /** Flow by flow, the sender first. */
  list(run: string): ProgramLog[] {
    return this.#names(run)
      .flatMap((name) => logOf(name, statSync(this.file(run, name), { throwIfNoEntry: false })?.size ?? 0) ?? [])
      .sort(
        (a, b) =>
          a.flow - b.flow || b.end.localeCompare(a.end) || b.what.localeCompare(a.what) || a.name.localeCompare(b.name),
      );
  }

  #names(run: string): string[] {
    try {
      return readdirSync(this.folder(run));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/** What a file of it is called elsewhere. */
export const programLogName = (run: string, name: string): string => `paceline-${run}-${name}`;
