// Mends what a check has found, without making anything up: what cannot be read is let go, and can be made again where that gives the same.
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Damage } from './check.ts';
import { Store } from './store.ts';

/** Runs that the file has; what is loose in it may name others. */
const Ended = z.enum(['done', 'failed', 'cancelled', 'invalid']);

/** A copy of the database as it is, page by page: nobody else may be writing. */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await db.backup(to);
  } finally {
    db.close();
  }
}

/** Gives a sentence for each thing that it did; empty: there was nothing that it can mend. Pages that are damaged it does not touch. */
export function repair(file: string, damage: Damage, at: string): string[] {
  const { pages, samples, told, results, unqueued, left, loose } = damage;
  if (pages === 'damaged') return [];
  const store = new Store(file);
  const did: string[] = [];
  const each = (runs: ReadonlySet<string>, mend: (run: string) => string | null): void => {
    for (const run of runs) {
      const mended = mend(run);
      if (mended !== null) did.push(`run ${run}: ${mended}`);
    }
  };
  try {
    if (pages === 'index') {
      store.db.exec('REINDEX');
      did.push('the database: its indexes were made anew from its tables');
    }
    store.transaction(() => {
      if (loose) did.push(...withoutLoose(store));
      each(left, (run) => {
        store.jobs.removeAll([run]);
        return 'taken out of the queue';
      });
      each(unqueued, (run) => {
        store.runs.cancel([run], 'it had been lost from the queue: run it again', at);
        return 'stopped; *Run again what is missing* queues it';
      });
      each(new Set([...results, ...told]), (run) => {
        const state = store.runs.state(run);
        // What belonged to no run has just gone.
        if (state === null || (!results.has(run) && state !== 'done')) return null;
        if (!results.has(run) && !isVirtual(store, run)) {
          letGo(store, run, at);
          return 'its samples were let go; what they came to is there';
        }
        letGo(store, run, null);
        const reason = 'what it told could not all be read any more: run it again';
        store.runs.finish(
          run,
          { state: 'failed', reason, stderr_tail: null, summary: null, cost: null, time_s: 0 },
          at,
        );
        store.jobs.removeAll([run]);
        return 'failed now; *Run again what is missing* makes it anew';
      });
      each(samples, (run) => {
        if (results.has(run) || told.has(run) || store.runs.state(run) === null) return null;
        store.samples.deleteRows(run);
        // Of one that is not over they are made when its turn comes.
        if (!Ended.safeParse(store.runs.state(run)).success) return 'what it had recorded was let go';
        markGone(store, run, at);
        return 'its samples were let go; what they came to is there, and those of virtual time can be made again';
      });
    });
  } finally {
    store.close();
  }
  return did;
}

/** What is kept of runs, and of experiments, that there are not. */
const OF_RUNS = [
  'sample_blobs',
  'control_blobs',
  'control_frames',
  'jobs',
  'run_sampled',
  'run_facts',
  'experiment_runs',
];
const OF_EXPERIMENTS = ['experiment_runs', 'experiment_cells', 'experiment_states', 'experiment_costs'];

function withoutLoose({ db }: Store): string[] {
  const drop = (table: string, column: string, owner: string): string[] => {
    const { changes } = db.prepare(`DELETE FROM ${table} WHERE ${column} NOT IN (SELECT id FROM ${owner})`).run();
    return changes === 0 ? [] : [`${changes} rows of ${table} that belonged to nothing were let go`];
  };
  return [
    ...OF_RUNS.flatMap((table) => drop(table, 'run_id', 'runs')),
    ...OF_EXPERIMENTS.flatMap((table) => drop(table, 'experiment_id', 'experiments')),
  ];
}

const isVirtual = (store: Store, run: string): boolean => {
  try {
    return store.runs.manifest(run)?.engine === 'virtual';
  } catch {
    return false;
  }
};

/** All that it recorded. `at`: from when on it is known to have none; null: it will be made anew. */
function letGo(store: Store, run: string, at: string | null): void {
  store.samples.delete(run);
  if (at !== null) markGone(store, run, at);
}

function markGone(store: Store, run: string, at: string): void {
  store.samplesGone.begin(run, at);
  store.samplesGone.end(run);
}
