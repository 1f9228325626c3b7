import { z } from 'zod';
import { RunRecord, RunState, RunRole } from '#protocol/api';
import type { Cost } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';
import { givenName, notDeleted } from './labels.ts';

const Row = z.object({
  id: z.string(),
  manifest: z.string(),
  state: RunState,
  reason: z.string().nullable(),
  stderr_tail: z.string().nullable(),
  summary: z.string().nullable(),
  cost: z.string().nullable(),
  time_s: z.number(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
const Membership = z.object({ id: z.string(), name: z.string(), cell: z.string(), role: RunRole });

/** How a run stands. `started_at` tells one execution of it from the next. */
const Standing = Row.pick({ state: true, reason: true, time_s: true, started_at: true });
export type Standing = z.infer<typeof Standing>;

export type FinalState = Exclude<RunState, 'queued' | 'running'>;

export interface RunEnd {
  readonly state: FinalState;
  readonly reason: string | null;
  readonly stderr_tail: string | null;
  readonly summary: RunSummary | null;
  /** `worker`: where it was spent, if not here. */
  readonly cost: (Cost & { readonly worker?: string }) | null;
  readonly time_s: number;
}

export class RunStore {
  readonly #insert;
  readonly #insertManifest;
  readonly #get;
  readonly #state;
  readonly #standing;
  readonly #manifest;
  readonly #memberships;
  readonly #start;
  readonly #finish;
  readonly #reset;
  readonly #cancel;
  readonly #abandon;
  #changes = 0;

  constructor(db: Db) {
    this.#insert = db.prepare(`INSERT INTO runs (id, manifest_number, state, created_at) VALUES (?, ?, 'queued', ?)`);
    this.#insertManifest = db.prepare('INSERT INTO manifests (body) VALUES (?)');
    this.#get = db.prepare(
      'SELECT r.*, m.body AS manifest FROM runs r JOIN manifests m ON m.number = r.manifest_number WHERE r.id = ?',
    );
    this.#state = db.prepare('SELECT state FROM runs WHERE id = ?').pluck();
    this.#standing = db.prepare('SELECT state, reason, time_s, started_at FROM runs WHERE id = ?');
    this.#manifest = db
      .prepare('SELECT m.body FROM runs r JOIN manifests m ON m.number = r.manifest_number WHERE r.id = ?')
      .pluck();
    this.#memberships = db.prepare(
      `SELECT e.id, ${givenName('experiment', 'e.id', 'e.name')} AS name, er.cell, er.role
       FROM experiment_runs er JOIN experiments e ON e.id = er.experiment_id
       WHERE er.run_id = ? AND e.ready = 1 AND ${notDeleted('experiment', 'e.id')} ORDER BY e.rowid DESC`,
    );
    this.#start = db.prepare(
      `UPDATE runs SET state = 'running', reason = NULL, stderr_tail = NULL, summary = NULL, cost = NULL, time_s = 0,
         started_at = ?, finished_at = NULL WHERE id = ?`,
    );
    this.#finish = db.prepare(
      `UPDATE runs SET state = @state, reason = @reason, stderr_tail = @stderr_tail, summary = @summary, cost = @cost,
         time_s = @time_s, finished_at = @finished_at WHERE id = @id`,
    );
    this.#reset = db.prepare(
      `UPDATE runs SET state = 'queued', reason = NULL, stderr_tail = NULL, summary = NULL, cost = NULL, time_s = 0,
         started_at = NULL, finished_at = NULL WHERE id = ?`,
    );
    this.#abandon = db.prepare(
      `UPDATE runs SET state = 'cancelled', reason = 'its experiment was deleted', summary = NULL, cost = NULL WHERE id = ?`,
    );
    this.#cancel = db.prepare(
      `UPDATE runs SET state = 'cancelled', reason = @reason, finished_at = @at
       WHERE state = 'queued' AND id IN (SELECT value FROM json_each(@ids))`,
    );
  }

  /** Another number whenever the state of a run that was there has changed, in this process. */
  get changes(): number {
    return this.#changes;
  }

  /** `manifest` as JSON. False when the run exists. */
  insert(id: string, manifest: string, createdAt: string): boolean {
    if (this.#state.get(id) !== undefined) return false;
    this.#insert.run(id, this.#insertManifest.run(manifest).lastInsertRowid, createdAt);
    return true;
  }

  get(id: string): RunRecord | null {
    const found = this.#get.get(id);
    if (found === undefined) return null;
    const row = Row.parse(found);
    return RunRecord.parse({
      ...row,
      manifest: fromJson(row.manifest),
      summary: fromJson(row.summary),
      cost: fromJson(row.cost),
      experiments: this.#memberships.all(id).map((membership) => Membership.parse(membership)),
    });
  }

  state(id: string): RunState | null {
    const state = this.#state.get(id);
    return state === undefined ? null : RunState.parse(state);
  }

  standing(id: string): Standing | null {
    const row = this.#standing.get(id);
    return row === undefined ? null : Standing.parse(row);
  }

  manifest(id: string): RunManifest | null {
    return this.partOfManifest(id, RunManifest);
  }

  /** Where not all of it is needed: checking all of thousands takes its time. */
  partOfManifest<T>(id: string, part: z.ZodType<T>): T | null {
    const text = this.#manifest.get(id);
    return typeof text === 'string' ? part.parse(fromJson(text)) : null;
  }

  start(id: string, at: string): void {
    this.#changes++;
    this.#start.run(at, id);
  }

  finish(id: string, end: RunEnd, at: string): void {
    const text = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
    const { type: _, ...cost } = end.cost ?? { type: 'cost' };
    this.#changes++;
    this.#finish.run({
      ...end,
      summary: text(end.summary),
      cost: text(end.cost === null ? null : cost),
      id,
      finished_at: at,
    });
  }

  /** Ends runs that have not been started. */
  cancel(ids: readonly string[], reason: string, at: string): void {
    this.#changes++;
    this.#cancel.run({ ids: JSON.stringify(ids), reason, at });
  }

  /** Its results are about to go: whoever wants it from now on has it made again. */
  abandon(id: string): void {
    this.#changes++;
    this.#abandon.run(id);
  }

  /** As if it had never been started. */
  reset(id: string): void {
    this.#changes++;
    this.#reset.run(id);
  }
}
