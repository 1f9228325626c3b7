import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunManifest } from '#protocol/manifest';

/** Where the qlogs of runs are: a file per flow over QUIC, if the run's experiment asked for them. They live as long as the run's samples. */
export class QlogFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  file(run: string, flow: number): string {
    return join(this.#folder, run, `${flow}.sqlog`);
  }

  /** The flows of a run that have one. */
  flows(run: string, { qlog, flows }: RunManifest): number[] {
    return qlog === true ? [...flows.keys()].filter((flow) => existsSync(this.file(run, flow))) : [];
  }

  delete(run: string): void {
    rmSync(join(this.#folder, run), { recursive: true, force: true });
  }

  /** Deletes those of all other runs, which a database that is gone has left. */
  keepOnly(known: (run: string) => boolean): void {
    if (!existsSync(this.#folder)) return;
    for (const run of readdirSync(this.#folder)) if (!known(run)) this.delete(run);
  }
}

/** What a file of it is called elsewhere. */
export const qlogName = (run: string, flow: number): string => `paceline-${run}-flow${flow}.sqlog`;
