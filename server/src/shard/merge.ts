// What other machines have made of an experiment, in one data folder, as if it had been made there.
import { existsSync } from 'node:fs';
import { cp, lstat } from 'node:fs/promises';
import { z } from 'zod';
import { tracesOfSpec } from '#analysis/trace-owners';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import type { Store } from '../store/store.ts';
import { MergeFault } from './fault.ts';
import { ShardFolder, type Outcome, type ShardExperiment } from './folder.ts';

export interface Merged {
  readonly experiments: readonly {
    readonly id: string;
    readonly name: string;
    readonly runs: number;
    /** Without a result here after this. */
    readonly missing: number;
  }[];
  /** Runs whose results came. */
  readonly brought: number;
  /** Runs that two folders have with different results, which no two machines should come to. */
  readonly different: readonly { readonly run: string; readonly folder: string }[];
  /** Folders and experiments that were left out, and why. */
  readonly faults: readonly string[];
}

/** Runs that are written together. */
const PIECE = 100;

/**
 * Brings every experiment of these data folders, and the results of all runs that have ended in one of them. The same again changes nothing.
 * Nothing is run. What cannot be brought is left out and told.
 */
export async function merge(lab: Lab, folders: readonly string[]): Promise<Merged> {
  const seen = new Set<string>();
  const different: { run: string; folder: string }[] = [];
  const faults: string[] = [];
  let brought = 0;
  const orFault = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof MergeFault) faults.push(error.message);
      else if (error instanceof AppError) faults.push(`${path}: ${error.message}`);
      else if (error instanceof z.ZodError) faults.push(`${path}: what is stored there cannot be read`);
      else throw error;
    }
  };
  for (const path of folders)
    await orFault(path, async () => {
      const shard = await ShardFolder.open(path, lab.tempDir);
      try {
        for (const experiment of shard.experiments())
          await orFault(path, async () => {
            checkEngine(shard, experiment, (await lab.engine.listing()).engine_version);
            if (!seen.has(experiment.id)) await bringExperiment(lab, shard, experiment);
            seen.add(experiment.id);
            const found = await bringRuns(lab, shard, experiment.id);
            brought += found.brought;
            different.push(...found.different.map((run) => ({ run, folder: path })));
          });
      } finally {
        await shard.close();
      }
    });
  const counted = lab.store.db.prepare(
    `SELECT SUM(runs) AS runs, COALESCE(SUM(runs) FILTER (WHERE state NOT IN ('done', 'invalid')), 0) AS missing
     FROM experiment_states WHERE experiment_id = ?`,
  );
  const Counts = z.object({ runs: z.int(), missing: z.int() });
  const experiments = [...seen].map((id) => ({
    id,
    name: lab.experiments.item(id).name,
    ...Counts.parse(counted.get(id)),
  }));
  return { experiments, brought, different, faults };
}

function checkEngine(shard: ShardFolder, { id, spec }: ShardExperiment, here: string): void {
  const made = shard.engineOf(id);
  if (made === null || made === here) return;
  throw new MergeFault(
    `${shard.path}: “${spec.name}” was made by engine ${made}, and this is ${here}: use the same Paceline on all machines`,
  );
}

/** By the same planner: where it gives another id, another engine made it. */
async function bringExperiment(lab: Lab, shard: ShardFolder, { id, spec }: ShardExperiment): Promise<void> {
  for (const { name, text } of shard.ownTexts()) await lab.ownAlgorithms.add(text, name);
  for (const weights of shard.weights())
    if (lab.store.weights.get(weights) === null)
      await lab.weights.add(shard.file(`traces/${weights}.weights.json`), weights);
  for (const trace of tracesOfSpec(spec)) if (lab.store.traces.get(trace) === null) await bringTrace(lab, shard, trace);
  const planned = await lab.experiments.submit(spec, { part: 'none' });
  if (planned.id !== id) throw new MergeFault(`${shard.path}: “${spec.name}” is ${id} there and ${planned.id} here`);
}

async function bringTrace(lab: Lab, shard: ShardFolder, id: string): Promise<void> {
  const said = shard.trace(id);
  if (said === null) throw new MergeFault(`${shard.path}: the trace ${id} is not in it`);
  const { edit, ...rest } = said;
  const recipe = await shard.recipe(id);
  const { record } = await lab.traces.add(shard.file(`traces/${id}.trace`), {
    ...rest,
    ...(edit !== undefined && { edit }),
    origin: recipe !== null ? 'recipe' : edit === undefined ? 'file' : 'edit',
    choices: { format: 'trace', options: { columns: 'ms count' } },
  });
  if (record.id !== id) throw new MergeFault(`${shard.path}: traces/${id}.trace is another trace, ${record.id}`);
  if (recipe !== null) await lab.traces.keepRecipe(id, recipe);
}

async function bringRuns(
  lab: Lab,
  shard: ShardFolder,
  experiment: string,
): Promise<{ readonly brought: number; readonly different: readonly string[] }> {
  const { store } = lab;
  const write = outcomeWriter(store);
  const different: string[] = [];
  const missing: string[] = [];
  const bare: string[] = [];
  for (const run of shard.ended(experiment)) {
    const state = store.runs.state(run);
    // Its id is a name of files: only one that was planned here is what it says.
    if (state === null) throw new MergeFault(`${shard.path}: ${run} is no run of the experiment ${experiment}`);
    if (state !== 'done' && state !== 'invalid') missing.push(run);
    else if (state === 'done' && isDifferent(store, run, shard.outcome(run))) different.push(run);
    else if (store.samples.heads(run).size === 0) bare.push(run);
  }
  // Made without samples here, with them there.
  for (const run of bare) store.transaction(() => write.samples(shard, run));
  for (let from = 0; from < missing.length; from += PIECE) {
    const piece = missing.slice(from, from + PIECE);
    // Files first: a run that is done has all of its own.
    for (const run of piece) await bringFiles(lab, shard, run);
    store.transaction(() => piece.forEach((run) => write.all(shard, run)));
  }
  return { brought: missing.length, different };
}

/** Runs in virtual time come out the same everywhere. */
const isDifferent = (store: Store, run: string, { state, summary }: Outcome): boolean =>
  state !== 'done' || JSON.stringify(store.runs.get(run)?.summary) !== JSON.stringify(JSON.parse(summary ?? 'null'));

async function bringFiles(lab: Lab, shard: ShardFolder, run: string): Promise<void> {
  for (const [folder, files] of [
    ['qlog', lab.qlogs],
    ['program-logs', lab.programLogs],
  ] as const) {
    const from = shard.file(`${folder}/${run}`);
    if (existsSync(from))
      await cp(from, files.folder(run), {
        recursive: true,
        // Nothing that leads elsewhere.
        filter: async (path) => {
          const found = await lstat(path);
          return found.isFile() || found.isDirectory();
        },
      });
  }
}

interface OutcomeWriter {
  readonly all: (shard: ShardFolder, run: string) => void;
  readonly samples: (shard: ShardFolder, run: string) => void;
}

function outcomeWriter({ db, samples, jobs }: Store): OutcomeWriter {
  const end = db.prepare(
    `UPDATE runs SET state = @state, reason = @reason, stderr_tail = @stderr_tail, summary = @summary, cost = @cost,
       time_s = @time_s, started_at = @started_at, finished_at = @finished_at WHERE id = @run`,
  );
  const blob = db.prepare(
    `INSERT INTO sample_blobs (run_id, stream, first_row, rows, payload, packing)
     VALUES (@run, @stream, @first_row, @rows, @payload, @packing)`,
  );
  const controls = db.prepare(
    'INSERT INTO control_blobs (run_id, first_seq, frames, payload) VALUES (@run, @first_seq, @frames, @payload)',
  );
  const sampled = db.prepare(
    'INSERT OR REPLACE INTO run_sampled (run_id, family, version, body) VALUES (@run, @family, @version, @body)',
  );
  const bringSamples = (shard: ShardFolder, run: string): void => {
    // What an attempt here has left.
    samples.delete(run);
    for (const row of shard.samples(run)) blob.run({ ...row, run });
    for (const row of shard.controls(run)) controls.run({ ...row, run });
    for (const row of shard.sampled(run)) sampled.run({ ...row, run });
  };
  return {
    samples: bringSamples,
    all: (shard, run) => {
      jobs.remove(run);
      bringSamples(shard, run);
      end.run({ ...shard.outcome(run), run });
    },
  };
}
