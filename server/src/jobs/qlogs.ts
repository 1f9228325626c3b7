import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunManifest } from '#protocol/manifest';
import { RunFiles } from './run-files.ts';

/** Where the qlogs of runs are: a file per flow over QUIC, if the run's experiment asked for them. */
export class QlogFolder extends RunFiles {
  file(run: string, flow: number): string {
    return join(this.folder(run), `${flow}.sqlog`);
  }

  /** The flows of a run that have one. */
  flows(run: string, { qlog, flows }: RunManifest): number[] {
    return qlog === true ? [...flows.keys()].filter((flow) => existsSync(this.file(run, flow))) : [];
  }
}

/** What a file of it is called elsewhere. */
export const qlogName = (run: string, flow: number): string => `paceline-${run}-flow${flow}.sqlog`;
