import { z } from 'zod';
import type { ListedLabels } from '#protocol/labels';
import { Cell, RunRef, RunRole, RunState, type ExperimentListItem, type ExperimentState } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';
import type { LabelStore } from './labels.ts';
import { givenName, notDeleted } from './labels.ts';

const Names = z.array(z.string());
const CountsRow = z.object({
  total: z.int(),
  over: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  running: z.int(),
  queued: z.int(),
});
/** Runs of an experiment; `done` also those that were invalid. */
export type Counts = Readonly<Record<'total' | 'done' | 'failed' | 'cancelled', number>>;
const ItemRow = CountsRow.extend({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  trace_names: z.string(),
  cca_ids: z.string(),
});
const RefRow = z.object({
  id: z.string(),
  position: z.int(),
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

const of = (...states: readonly RunState[]): string =>
  `COALESCE(SUM(s.runs) FILTER (WHERE s.state IN (${states.map((state) => `'${state}'`).join(', ')})), 0)`;
const ITEMS = `SELECT e.id, ${givenName('experiment', 'e.id', 'e.name')} AS name, e.created_at, e.trace_names, e.cca_ids, COALESCE(SUM(s.runs), 0) AS total,
    ${of('done', 'invalid')} AS over, ${of('failed')} AS failed, ${of('cancelled')} AS cancelled,
    ${of('running')} AS running, ${of('queued')} AS queued
  FROM experiments e LEFT JOIN experiment_states s ON s.experiment_id = e.id
  WHERE e.ready = 1 AND ${notDeleted('experiment', 'e.id')}`;
const REFS = `SELECT r.id, er.position, er.cell, er.role, er.repetition, r.state, r.reason, r.time_s, r.summary
  FROM experiment_runs er JOIN runs r ON r.id = er.run_id`;

const itemOf = (found: unknown, labels?: ListedLabels): ExperimentListItem => {
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
    ...(labels && { labels }),
  };
};

/** A run in its place in the matrix. */
export interface PlacedRun {
  readonly position: number;
  readonly ref: RunRef;
}

const placedOf = (found: unknown): PlacedRun => {
  const { summary, position, ...row } = RefRow.parse(found);
  return { position, ref: RunRef.parse({ ...row, summary: fromJson(summary) }) };
};

const StandingRun = z.object({
  id: z.string(),
  cell: z.string(),
  /** It has been, and may have recorded something. */
  started: z.int().transform((started) => started === 1),
});
export type StandingRun = z.infer<typeof StandingRun>;

export interface NewExperiment {
  readonly id: string;
  readonly created_at: string;
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
}
export type Member = Pick<RunRef, 'id' | 'cell' | 'role' | 'repetition'>;

/** Places in the matrix from one to another, the last left out. */
export interface Places {
  readonly from: number;
  readonly to: number;
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const texts = (rows: unknown): string[] => z.array(z.string()).parse(rows);

export class ExperimentStore {
  readonly #begin;
  readonly #addCell;
  readonly #addRun;
  readonly #finish;
  readonly #unready;
  readonly #removeRuns;
  readonly #removeNew;
  readonly #remove;
  readonly #isReady;
  readonly #item;
  readonly #list;
  readonly #spec;
  readonly #cells;
  readonly #placedCells;
  readonly #cellCount;
  readonly #standing;
  readonly #counting;
  readonly #going;
  readonly #newest;
  readonly #ofRuns;
  readonly #placesOfCell;
  readonly #end;
  readonly #refs;
  readonly #refsBack;
  readonly #refsIn;
  readonly #refsInBack;
  readonly #hasAny;
  readonly #refsOfRun;
  readonly #has;
  readonly #inState;
  readonly #unwanted;
  readonly #setStopped;
  readonly #wanted;
  readonly #measurement;
  readonly #all;
  readonly #names;
  readonly #soleRuns;
  readonly #removeLeft;
  readonly #removeCells;
  readonly #usesIn;
  readonly #usesInCells;
  readonly #ofDeleted;
  readonly #labels: LabelStore;

  constructor(db: Db, labels: LabelStore) {
    this.#labels = labels;
    this.#begin = db.prepare(
      `INSERT INTO experiments (id, name, created_at, spec, trace_names, cca_ids, ready)
       VALUES (@id, @name, @created_at, @spec, @trace_names, @cca_ids, 0)`,
    );
    this.#addCell = db.prepare(
      'INSERT INTO experiment_cells (experiment_id, position, key, first_run, body) VALUES (?, ?, ?, ?, ?)',
    );
    this.#addRun = db.prepare(
      `INSERT INTO experiment_runs (experiment_id, position, run_id, cell, role, repetition) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#finish = db.prepare('UPDATE experiments SET ready = 1 WHERE id = ?');
    this.#unready = db.prepare('SELECT id FROM experiments WHERE ready = 0').pluck();
    this.#removeRuns = db
      .prepare(
        'DELETE FROM experiment_runs WHERE experiment_id = ? AND position >= ? AND position < ? RETURNING run_id',
      )
      .pluck();
    this.#removeNew = db.prepare(
      `DELETE FROM runs WHERE id = @id AND state IN ('queued', 'cancelled') AND started_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM experiment_runs WHERE run_id = @id)`,
    );
    this.#remove = db.prepare('DELETE FROM experiments WHERE id = ?');
    this.#all = db.prepare('SELECT id FROM experiments ORDER BY rowid DESC').pluck();
    this.#names = db.prepare(`SELECT ${givenName('experiment', 'id', 'name')} FROM experiments WHERE id = ?`).pluck();
    this.#soleRuns = db
      .prepare(
        `SELECT DISTINCT run_id FROM experiment_runs er WHERE experiment_id = @id AND position >= @from AND position < @to
           AND NOT EXISTS (SELECT 1 FROM experiment_runs o WHERE o.run_id = er.run_id AND o.experiment_id <> @id)`,
      )
      .pluck();
    this.#removeLeft = db.prepare(
      'DELETE FROM runs WHERE id = @id AND NOT EXISTS (SELECT 1 FROM experiment_runs WHERE run_id = @id)',
    );
    this.#removeCells = db.prepare(
      'DELETE FROM experiment_cells WHERE experiment_id = @id AND position >= @from AND position < @to',
    );
    this.#usesIn = db.prepare('SELECT instr(spec, @hash) FROM experiments WHERE id = @id').pluck();
    // All runs of a cell have the same traces and weights.
    this.#usesInCells = db
      .prepare(
        `SELECT 1 FROM experiment_cells c
           JOIN experiment_runs er ON er.experiment_id = c.experiment_id AND er.position = c.first_run
           JOIN runs r ON r.id = er.run_id JOIN manifests m ON m.number = r.manifest_number
         WHERE c.experiment_id = @id AND c.position >= @from AND c.position < @to AND instr(m.body, @hash) > 0 LIMIT 1`,
      )
      .pluck();
    this.#ofDeleted = db
      .prepare(
        `SELECT 1 FROM experiment_runs er JOIN labels l ON l.kind = 'experiment' AND l.object_id = er.experiment_id
         WHERE er.run_id = ? AND l.deleted_at IS NOT NULL LIMIT 1`,
      )
      .pluck();
    this.#isReady = db.prepare('SELECT ready FROM experiments WHERE id = ?').pluck();
    this.#item = db.prepare(`${ITEMS} AND e.id = ? GROUP BY e.id`);
    this.#list = db.prepare(`${ITEMS} GROUP BY e.id ORDER BY e.rowid DESC`);
    this.#spec = db.prepare('SELECT spec FROM experiments WHERE id = ?').pluck();
    this.#cells = db
      .prepare(
        'SELECT body FROM experiment_cells WHERE experiment_id = ? AND position >= ? AND position < ? ORDER BY position',
      )
      .pluck();
    this.#placedCells = db.prepare(
      `SELECT c.body, c.first_run AS first, n.first_run AS next FROM experiment_cells c
       LEFT JOIN experiment_cells n ON n.experiment_id = c.experiment_id AND n.position = c.position + 1
       WHERE c.experiment_id = ? AND c.position >= ? AND c.position < ? ORDER BY c.position`,
    );
    this.#cellCount = db.prepare('SELECT COUNT(*) FROM experiment_cells WHERE experiment_id = ?').pluck();
    this.#going = db
      .prepare(
        `SELECT DISTINCT s.experiment_id FROM experiment_states s JOIN experiments e ON e.id = s.experiment_id
         WHERE s.state IN ('queued', 'running') AND s.runs > 0 AND e.ready = 1 ORDER BY e.rowid`,
      )
      .pluck();
    this.#newest = db
      .prepare(
        `SELECT e.id FROM experiments e WHERE e.ready = 1 AND ${notDeleted('experiment', 'e.id')} ORDER BY e.rowid DESC LIMIT ?`,
      )
      .pluck();
    this.#ofRuns = db
      .prepare(`SELECT DISTINCT experiment_id FROM experiment_runs WHERE run_id IN (SELECT value FROM json_each(?))`)
      .pluck();
    this.#counting = db
      .prepare("SELECT COALESCE(SUM(runs), 0) FROM experiment_states WHERE experiment_id = ? AND state = 'done'")
      .pluck();
    this.#standing = db
      .prepare(
        `SELECT group_concat(s) FROM (SELECT r.state || ' ' || COUNT(*) || ' ' || COALESCE(MAX(r.finished_at), '') AS s
         FROM experiment_runs er JOIN runs r ON r.id = er.run_id
         WHERE er.experiment_id = ? AND er.position >= ? AND er.position < ? GROUP BY r.state)`,
      )
      .pluck();
    this.#placesOfCell = db.prepare(
      `SELECT c.first_run AS first, n.first_run AS next FROM experiment_cells c
       LEFT JOIN experiment_cells n ON n.experiment_id = c.experiment_id AND n.position = c.position + 1
       WHERE c.experiment_id = ? AND c.key = ?`,
    );
    this.#end = db.prepare('SELECT MAX(position) FROM experiment_runs WHERE experiment_id = ?').pluck();
    const between = 'WHERE er.experiment_id = @id AND er.position >= @from AND er.position < @to';
    const inState = 'AND r.state = @state';
    const order = 'ORDER BY er.position';
    this.#refs = db.prepare(`${REFS} ${between} ${order}`);
    this.#refsBack = db.prepare(`${REFS} ${between} ${order} DESC`);
    this.#refsIn = db.prepare(`${REFS} ${between} ${inState} ${order}`);
    this.#refsInBack = db.prepare(`${REFS} ${between} ${inState} ${order} DESC`);
    this.#hasAny = db
      .prepare('SELECT 1 FROM experiment_states WHERE experiment_id = ? AND state = ? AND runs > 0')
      .pluck();
    this.#refsOfRun = db.prepare(`${REFS} WHERE er.run_id = ? AND er.experiment_id = ? ORDER BY er.position`);
    this.#has = db.prepare('SELECT 1 FROM experiment_runs WHERE run_id = ? AND experiment_id = ? LIMIT 1').pluck();
    this.#inState = db.prepare(
      `SELECT r.id, er.cell, r.started_at IS NOT NULL AS started FROM experiment_runs er JOIN runs r ON r.id = er.run_id
       WHERE er.experiment_id = ? AND er.position >= ? AND er.position < ?
         AND r.state IN (SELECT value FROM json_each(?))`,
    );
    this.#unwanted = db
      .prepare(
        `SELECT DISTINCT r.id FROM experiment_runs er JOIN runs r ON r.id = er.run_id
         WHERE er.experiment_id = ? AND er.position >= ? AND er.position < ? AND r.state = 'queued'
           AND NOT EXISTS (SELECT 1 FROM experiment_runs o JOIN experiments e ON e.id = o.experiment_id
             WHERE o.run_id = r.id AND e.stopped = 0)`,
      )
      .pluck();
    this.#setStopped = db.prepare('UPDATE experiments SET stopped = ? WHERE id = ?');
    this.#wanted = db
      .prepare(
        `SELECT COUNT(*) FROM experiment_runs er JOIN experiments e ON e.id = er.experiment_id
         WHERE er.run_id = ? AND e.stopped = 0`,
      )
      .pluck();
    this.#measurement = db
      .prepare(
        `SELECT json_extract(m.body, '$.measurement') AS measurement
         FROM experiment_runs er JOIN runs r ON r.id = er.run_id JOIN manifests m ON m.number = r.manifest_number
         WHERE er.experiment_id = ? AND measurement IS NOT NULL LIMIT 1`,
      )
      .pluck();
  }

  /** An experiment that nobody sees before it is finished. */
  begin({ id, created_at, spec, cells }: NewExperiment): void {
    this.#begin.run({
      id,
      created_at,
      name: spec.name,
      spec: JSON.stringify(spec),
      trace_names: JSON.stringify(unique(cells.map((cell) => cell.trace_name))),
      cca_ids: JSON.stringify(unique(cells.map((cell) => cell.cca.id))),
    });
  }

  /** Its runs follow in the places from `firstRun` on. */
  addCell(id: string, position: number, cell: Cell, firstRun: number): void {
    this.#addCell.run(id, position, cell.key, firstRun, JSON.stringify(cell));
  }

  /** The run must exist. */
  addRun(id: string, position: number, run: Member): void {
    this.#addRun.run(id, position, run.id, run.cell, run.role, run.repetition);
  }

  finish(id: string): void {
    this.#finish.run(id);
  }

  /** Experiments that were never finished. */
  unready(): string[] {
    return texts(this.#unready.all());
  }

  /** Takes runs out of the matrix; those that were made for it alone are gone. */
  removeRuns(id: string, { from, to }: Places): void {
    for (const run of texts(this.#removeRuns.all(id, from, to))) this.#removeNew.run({ id: run });
  }

  /** Also those that are deleted. */
  ids(): string[] {
    return texts(this.#all.all());
  }

  /** As it is called; null: there is no such experiment. Also of one that is deleted. */
  nameOf(id: string): string | null {
    return z
      .string()
      .nullable()
      .parse(this.#names.get(id) ?? null);
  }

  /** Runs in these places that no other experiment has. */
  soleRuns(id: string, places: Places): string[] {
    return texts(this.#soleRuns.all({ id, ...places }));
  }

  /** Takes runs out of the matrix, and out of the store those that no other experiment has, however they stand. Tells these. */
  removeAll(id: string, places: Places): string[] {
    const taken = unique(texts(this.#removeRuns.all(id, places.from, places.to)));
    return taken.filter((run) => this.#removeLeft.run({ id: run }).changes > 0);
  }

  removeCells(id: string, places: Places): void {
    this.#removeCells.run({ id, ...places });
  }

  /** Whether its spec names this trace or these weights. */
  specHas(id: string, hash: string): boolean {
    return Number(this.#usesIn.get({ id, hash }) ?? 0) > 0;
  }

  /** The same of what the runs of these cells have. */
  cellsHave(id: string, cells: Places, hash: string): boolean {
    return this.#usesInCells.get({ id, ...cells, hash }) !== undefined;
  }

  /** Whether an experiment that is deleted has the run. */
  isOfDeleted(run: string): boolean {
    return this.#ofDeleted.get(run) !== undefined;
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  /** null: there is no such experiment; false: it is being written. */
  isReady(id: string): boolean | null {
    const ready = this.#isReady.get(id);
    return ready === undefined ? null : ready === 1;
  }

  item(id: string): ExperimentListItem | null {
    const row = this.#item.get(id);
    if (row === undefined) return null;
    const { tags, starred, archived } = this.#labels.get('experiment', id);
    return itemOf(row, tags.length > 0 || starred || archived ? { tags, starred, archived } : undefined);
  }

  /** Those that have runs which are queued or go on. */
  going(): string[] {
    return Names.parse(this.#going.all());
  }

  /** The newest first. */
  newest(most: number): string[] {
    return Names.parse(this.#newest.all(most));
  }

  /** Those that have any of these runs. */
  ofRuns(runs: readonly string[]): string[] {
    return Names.parse(this.#ofRuns.all(JSON.stringify(runs)));
  }

  /** How it stands, with how many of its runs are in which state; null: there is none. */
  counted(id: string): { readonly name: string; readonly state: ExperimentState; readonly counts: Counts } | null {
    const found = this.#item.get(id);
    if (found === undefined) return null;
    const row = ItemRow.parse(found);
    const { total, over: done, failed, cancelled } = row;
    return { name: row.name, state: stateOf(row), counts: { total, done, failed, cancelled } };
  }

  list(): ExperimentListItem[] {
    const labels = this.#labels.listed('experiment');
    return this.#list.all().map((row) => {
      const item = itemOf(row);
      const said = labels.get(item.id);
      return said === undefined ? item : { ...item, labels: said };
    });
  }

  spec(id: string): ExperimentSpec | null {
    const text = this.#spec.get(id);
    return typeof text === 'string' ? ExperimentSpec.parse(fromJson(text)) : null;
  }

  cells(id: string, { from, to }: Places): Cell[] {
    return texts(this.#cells.all(id, from, to)).map((text) => Cell.parse(fromJson(text)));
  }

  /** The same with the places of each cell's runs. */
  placedCells(id: string, places: Places): { readonly cell: Cell; readonly places: Places }[] {
    const Row = z.object({ body: z.string(), first: z.int(), next: z.int().nullable() });
    const end = this.places(id);
    return this.#placedCells.all(id, places.from, places.to).map((found) => {
      const { body, first, next } = Row.parse(found);
      return { cell: Cell.parse(fromJson(body)), places: { from: first, to: next ?? end } };
    });
  }

  cellCount(id: string): number {
    return Number(this.#cellCount.get(id));
  }

  /** How many of its runs have ended and count. */
  counting(id: string): number {
    return z.int().parse(this.#counting.get(id));
  }

  /** How the runs in these places stand, as a text that is another when any of them has changed. */
  standing(id: string, { from, to }: Places): string {
    return (
      z
        .string()
        .nullable()
        .parse(this.#standing.get(id, from, to)) ?? ''
    );
  }

  /** In the order of the matrix. Summaries are taken as they were written: checking thousands takes longer than what is made of them. */
  storedRefs(id: string, { from, to }: Places): RunRef[] {
    return this.#refs.all({ id, from, to }).map((found) => {
      const { summary, position: _, ...row } = RefRow.parse(found);
      return { ...row, summary: fromJson(summary) as RunRef['summary'] };
    });
  }

  /** How many places the matrix has. */
  places(id: string): number {
    return Number(this.#end.get(id) ?? -1) + 1;
  }

  /** null: there is no such cell. */
  placesOfCell(id: string, key: string): Places | null {
    const found = this.#placesOfCell.get(id, key);
    if (found === undefined) return null;
    const { first, next } = z.object({ first: z.int(), next: z.int().nullable() }).parse(found);
    return { from: first, to: next ?? this.places(id) };
  }

  /** In the order of the matrix, or backwards; `state`: only those in it. */
  refs(id: string, { from, to }: Places, back = false, state?: RunState): PlacedRun[] {
    const found =
      state === undefined
        ? (back ? this.#refsBack : this.#refs).all({ id, from, to })
        : (back ? this.#refsInBack : this.#refsIn).all({ id, from, to, state });
    return found.map(placedOf);
  }

  /** Whether any of its runs is in this state. */
  hasAny(id: string, state: RunState): boolean {
    return this.#hasAny.get(id, state) !== undefined;
  }

  /** Every place of one run in the experiment's matrix. */
  refsOfRun(id: string, run: string): RunRef[] {
    return this.#refsOfRun.all(run, id).map((row) => placedOf(row).ref);
  }

  has(id: string, run: string): boolean {
    return this.#has.get(run, id) !== undefined;
  }

  /** Runs in these places that are in one of these states; one that stands in several is named as often. */
  inState(id: string, { from, to }: Places, states: readonly RunState[]): StandingRun[] {
    return z.array(StandingRun).parse(this.#inState.all(id, from, to, JSON.stringify(states)));
  }

  /** Runs in these places that wait, and that no experiment waits for that nobody has stopped. */
  unwanted(id: string, { from, to }: Places): string[] {
    return texts(this.#unwanted.all(id, from, to));
  }

  setStopped(id: string, stopped: boolean): void {
    this.#setStopped.run(stopped ? 1 : 0, id);
  }

  /** Whether an experiment that nobody has stopped waits for the run. */
  wanted(run: string): boolean {
    return Number(this.#wanted.get(run)) > 0;
  }

  /** What sets its runs in real time apart from others of the same manifest; undefined: it has none. */
  measurement(id: string): string | undefined {
    return z.string().optional().parse(this.#measurement.get(id));
  }
}
