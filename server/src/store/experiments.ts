import { z } from 'zod';
import { Cell, RunRef, RunRole, RunState, type ExperimentListItem, type ExperimentState } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Names = z.array(z.string());
const CountsRow = z.object({
  total: z.int(),
  over: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  running: z.int(),
  queued: z.int(),
});
const ItemRow = CountsRow.extend({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  trace_names: z.string(),
  cca_ids: z.string(),
});
const RefRow = z.object({
  id: z.string(),
  cell: z.string(),
  role: RunRole,
  repetition: z.int(),
  state: RunState,
  reason: z.string().nullable(),
  time_s: z.number(),
  summary: z.string().nullable(),
});

/** How an experiment stands follows from how its runs stand. */
function stateOf({ total, over, failed, cancelled, running, queued }: z.infer<typeof CountsRow>): ExperimentState {
  if (running > 0) return 'running';
  if (queued > 0) return queued === total ? 'queued' : 'running';
  if (cancelled > 0) return 'cancelled';
  return failed > 0 && over + failed === total ? 'failed' : 'done';
}

const COUNTS = `COUNT(*) AS total,
  COALESCE(SUM(state IN ('done', 'invalid')), 0) AS over, COALESCE(SUM(state = 'failed'), 0) AS failed,
  COALESCE(SUM(state = 'cancelled'), 0) AS cancelled, COALESCE(SUM(state = 'running'), 0) AS running,
  COALESCE(SUM(state = 'queued'), 0) AS queued`;
// One run may stand in several places of the matrix: it counts once.
const itemsOf = (members: string): string => `SELECT e.id, e.name, e.created_at, e.trace_names, e.cca_ids, ${COUNTS}
  FROM experiments e JOIN (SELECT DISTINCT er.experiment_id, r.id, r.state
    FROM experiment_runs er JOIN runs r ON r.id = er.run_id ${members}) m ON m.experiment_id = e.id`;
const REFS = `SELECT r.id, er.cell, er.role, er.repetition, r.state, r.reason, r.time_s, r.summary
  FROM experiment_runs er JOIN runs r ON r.id = er.run_id`;

const itemOf = (found: unknown): ExperimentListItem => {
  const row = ItemRow.parse(found);
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row),
    created_at: row.created_at,
    traces: Names.parse(fromJson(row.trace_names)),
    ccas: Names.parse(fromJson(row.cca_ids)),
    runs_total: row.total,
    runs_done: row.over,
    runs_failed: row.failed,
  };
};

const refOf = (found: unknown): RunRef => {
  const { summary, ...row } = RefRow.parse(found);
  return RunRef.parse({ ...row, summary: fromJson(summary) });
};

export interface NewExperiment {
  readonly id: string;
  readonly created_at: string;
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly runs: readonly {
    readonly id: string;
    readonly cell: string;
    readonly role: RunRole;
    readonly repetition: number;
  }[];
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

export class ExperimentStore {
  readonly #insert;
  readonly #insertRun;
  readonly #item;
  readonly #list;
  readonly #detail;
  readonly #refs;
  readonly #refsOfRun;
  readonly #runIds;
  readonly #recent;
  readonly #setStopped;
  readonly #wanted;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO experiments (id, name, created_at, spec, cells, trace_names, cca_ids)
       VALUES (@id, @name, @created_at, @spec, @cells, @trace_names, @cca_ids) ON CONFLICT (id) DO NOTHING`,
    );
    this.#insertRun = db.prepare(
      `INSERT INTO experiment_runs (experiment_id, position, run_id, cell, role, repetition) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#item = db.prepare(`${itemsOf('WHERE er.experiment_id = ?')} GROUP BY e.id`);
    this.#list = db.prepare(`${itemsOf('')} GROUP BY e.id ORDER BY e.created_at DESC, e.rowid DESC`);
    this.#detail = db.prepare('SELECT spec, cells FROM experiments WHERE id = ?');
    this.#refs = db.prepare(`${REFS} WHERE er.experiment_id = ? ORDER BY er.position`);
    this.#refsOfRun = db.prepare(`${REFS} WHERE er.experiment_id = ? AND er.run_id = ? ORDER BY er.position`);
    this.#runIds = db.prepare('SELECT DISTINCT run_id FROM experiment_runs WHERE experiment_id = ?').pluck();
    this.#recent = db
      .prepare(
        `SELECT DISTINCT er.run_id FROM experiment_runs er JOIN runs r ON r.id = er.run_id
         WHERE er.experiment_id = ? AND (r.state = 'running' OR r.finished_at >= ?)`,
      )
      .pluck();
    this.#setStopped = db.prepare('UPDATE experiments SET stopped = ? WHERE id = ?');
    this.#wanted = db
      .prepare(
        `SELECT COUNT(*) FROM experiment_runs er JOIN experiments e ON e.id = er.experiment_id
         WHERE er.run_id = ? AND e.stopped = 0`,
      )
      .pluck();
  }

  /** False when the experiment exists. Its runs must exist. Call it inside a transaction. */
  insert({ id, created_at, spec, cells, runs }: NewExperiment): boolean {
    const added = this.#insert.run({
      id,
      created_at,
      name: spec.name,
      spec: JSON.stringify(spec),
      cells: JSON.stringify(cells),
      trace_names: JSON.stringify(unique(cells.map((cell) => cell.trace_name))),
      cca_ids: JSON.stringify(unique(cells.map((cell) => cell.cca.id))),
    });
    if (added.changes === 0) return false;
    for (const [position, run] of runs.entries())
      this.#insertRun.run(id, position, run.id, run.cell, run.role, run.repetition);
    return true;
  }

  item(id: string): ExperimentListItem | null {
    const row = this.#item.get(id);
    return row === undefined ? null : itemOf(row);
  }

  list(): ExperimentListItem[] {
    return this.#list.all().map(itemOf);
  }

  detail(id: string): { readonly spec: ExperimentSpec; readonly cells: Cell[] } | null {
    const found = this.#detail.get(id);
    if (found === undefined) return null;
    const row = z.object({ spec: z.string(), cells: z.string() }).parse(found);
    return { spec: ExperimentSpec.parse(fromJson(row.spec)), cells: z.array(Cell).parse(fromJson(row.cells)) };
  }

  refs(id: string): RunRef[] {
    return this.#refs.all(id).map(refOf);
  }

  /** Every place of one run in the experiment's matrix. */
  refsOfRun(id: string, run: string): RunRef[] {
    return this.#refsOfRun.all(id, run).map(refOf);
  }

  runIds(id: string): string[] {
    return z.array(z.string()).parse(this.#runIds.all(id));
  }

  /** Runs that are going on, or have ended since this time. */
  recentRunIds(id: string, since: string): string[] {
    return z.array(z.string()).parse(this.#recent.all(id, since));
  }

  setStopped(id: string, stopped: boolean): void {
    this.#setStopped.run(stopped ? 1 : 0, id);
  }

  /** Whether an experiment that nobody has stopped waits for the run. */
  wanted(run: string): boolean {
    return Number(this.#wanted.get(run)) > 0;
  }
}
