// An experiment that a command makes for itself, in a data folder that is kept or in one that is not, and what it came to.
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sweepTemporary, temporaryFolder } from '#bridge/temporary';
import type { OwnNames } from '#analysis/baseline';
import { machineVerdict } from '#analysis/validity';
import type { RunRef } from '#protocol/api';
import { isOwnCca } from '#protocol/own-id';
import { bpfObjects, whereConfigured } from '../config.ts';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { offered } from '../external-programs.ts';
import { wasKilled } from '../jobs/setbacks.ts';
import { checkDatabase, openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { importLibrary } from '../traces/library.ts';
import { keepOwnFiles } from './own-files.ts';
import type { ReadSpec } from './spec-file.ts';
import { takenIn } from './spec-file.ts';
import { interruption, isInterrupted } from './waiting.ts';

export interface MakeOptions {
  /** Absent: what is made is forgotten. */
  readonly dataDir?: string | undefined;
  readonly workers: number;
  /** How often runs are made again that failed for reasons of the machine. */
  readonly retries: number;
}

export interface Made {
  readonly lab: Lab;
  readonly experiment: WholeExperiment;
  readonly names: OwnNames;
  /** Runs that were made again, each as often as it was. */
  readonly retried: number;
}

/** What own algorithms call themselves. */
export async function ownNames(lab: Lab): Promise<OwnNames> {
  const { ccas } = await lab.engine.listing();
  return new Map(
    ccas.filter(({ id }) => isOwnCca(id)).map(({ id }) => [id, lab.ownAlgorithms.get(id).declaration.name]),
  );
}

/** What it came to says nothing of what was asked: it was killed, or this machine did not keep up. */
export function isOfMachine({ state, reason, summary }: Pick<RunRef, 'state' | 'reason' | 'summary'>): boolean {
  if (state === 'failed') return wasKilled(reason ?? '');
  return state === 'invalid' && summary !== null && machineVerdict(summary).reasons.length > 0;
}

/** Never those that count: nothing is rolled again because it came out badly. */
async function again(lab: Lab, runs: Iterable<RunRef>): Promise<number> {
  const ids = new Set<string>();
  for (const run of runs) if (isOfMachine(run)) ids.add(run.id);
  for (const id of ids) await lab.experiments.retryRun(id);
  return ids.size;
}

/** Makes it and gives it on while its data folder is open. null: it was interrupted. */
export async function withExperiment<T>(
  { spec, files }: ReadSpec,
  folder: string,
  { dataDir, workers, retries }: MakeOptions,
  use: (made: Made) => Promise<T>,
): Promise<T | null> {
  const interrupted = interruption();
  const { external, bpf } = offered(whereConfigured(undefined, dataDir, process.env), bpfObjects(process.env));
  await sweepTemporary();
  const where = dataDir ?? (await temporaryFolder());
  const log = createLog('warn');
  const lab = openLab({ dataDir: resolve(where), workers, log, bpf, external, samples: dataDir !== undefined });
  try {
    if (dataDir !== undefined) await checkDatabase(lab);
    await importLibrary(lab.traces, lab.store, log);
    await keepOwnFiles(lab.ownAlgorithms, files);
    const found = await takenIn(spec, lab, folder);
    lab.scheduler.start();
    const { id } = await lab.experiments.submit(found);
    if (await isInterrupted(lab, id, interrupted)) return null;
    let retried = 0;
    for (let left = retries; left > 0; left--) {
      const started = await again(lab, (await lab.experiments.whole(id)).runs);
      if (started === 0) break;
      retried += started;
      if (await isInterrupted(lab, id, interrupted)) return null;
    }
    return await use({ lab, experiment: await lab.experiments.whole(id), names: await ownNames(lab), retried });
  } finally {
    await lab.close();
    if (dataDir === undefined) await rm(where, { recursive: true, force: true });
  }
}
