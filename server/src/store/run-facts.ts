import { z } from 'zod';
import { Cell, RunRole, RunState } from '#protocol/api';
import { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { METRICS } from '#analysis/metrics';
import { bufferLabel } from '#analysis/limits';
import { FIGURE_FIELDS, limitWord } from '#analysis/run-fields';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Part = RunManifest.pick({ engine: true, engine_version: true, duration_s: true });
const Flows = z.object({ flows: z.array(z.object({ cca: z.object({ id: z.string() }), transport: z.string() })) });
const Due = z.object({
  run_id: z.string(),
  state: RunState,
  summary: z.string().nullable(),
  made: z.string(),
  manifest: z.string(),
});
const Home = z.object({
  home: z.string(),
  cell: z.string(),
  role: RunRole,
  repetition: z.int(),
  body: z.string().nullable(),
});

const COLUMNS = [
  'run_id', 'made', 'home', 'cell', 'shared', 'words', 'ccas', 'trace', 'buffer', 'state', 'role', 'engine', 'queue', 'transport',
  'version', 'rtt0', 'loss_rate', 'duration', 'flows', 'rep',
  ...FIGURE_FIELDS.map(({ column }) => column ?? ''),
]; // prettier-ignore

type Facts = Readonly<Record<string, string | number | null>>;

/** Rows of `run_facts`, made from what is kept of runs where they are due. */
export class RunFacts {
  readonly #due;
  readonly #count;
  readonly #homes;
  readonly #put;
  readonly #remove;
  readonly #settled;
  readonly #transaction;

  constructor(db: Db) {
    // CROSS: what is due comes first, however many runs there are.
    this.#due = db.prepare(
      `SELECT d.run_id, r.state, r.summary, r.created_at AS made, m.body AS manifest
       FROM run_facts_due d CROSS JOIN runs r ON r.id = d.run_id JOIN manifests m ON m.number = r.manifest_number LIMIT ?`,
    );
    this.#count = db.prepare('SELECT COUNT(*) FROM run_facts_due').pluck();
    this.#homes = db.prepare(
      `SELECT er.experiment_id AS home, er.cell, er.role, er.repetition, c.body
       FROM experiment_runs er JOIN experiments e ON e.id = er.experiment_id
         LEFT JOIN experiment_cells c ON c.experiment_id = er.experiment_id AND c.key = er.cell
       WHERE er.run_id = ? ORDER BY e.rowid DESC, er.position`,
    );
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO run_facts (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})`,
    );
    this.#remove = db.prepare('DELETE FROM run_facts WHERE run_id = ?');
    this.#settled = db.prepare('DELETE FROM run_facts_due WHERE run_id = ?');
    this.#transaction = (work: () => void): void => {
      db.transaction(work)();
    };
  }

  /** Runs whose row is not what is kept of them. */
  due(): number {
    return z.int().parse(this.#count.get());
  }

  /** Brings so many rows up to date; returns how many there were. */
  settle(most: number): number {
    const rows = this.#due.all(most).map((row) => Due.parse(row));
    this.#transaction(() => {
      for (const row of rows) {
        const facts = this.#factsOf(row);
        if (facts === null) this.#remove.run(row.run_id);
        else this.#put.run(facts);
        this.#settled.run(row.run_id);
      }
    });
    return rows.length;
  }

  #factsOf({ run_id, state, summary: text, made, manifest: body }: z.infer<typeof Due>): Facts | null {
    const homes = this.#homes.all(run_id).map((row) => Home.parse(row));
    const [home] = homes;
    if (home?.body === undefined || home.body === null) return null;
    const raw = fromJson(body);
    const manifest = Part.parse(pick(raw, ['engine', 'engine_version', 'duration_s']));
    const { flows } = Flows.parse(raw);
    const cell = Cell.parse(fromJson(home.body));
    // As it was written: checking each takes longer than all else.
    const summary = fromJson(text) as RunSummary | null;
    const ids = flows.map(({ cca }) => cca.id);
    const figures = FIGURE_FIELDS.map(({ column, metric }) => [
      column,
      summary === null || metric === undefined ? null : METRICS[metric].of(summary),
    ]);
    return {
      run_id,
      made,
      home: home.home,
      cell: home.cell,
      shared: new Set(homes.map((one) => one.home)).size > 1 ? 1 : 0,
      words: `${cell.trace_name} ${ids.join(' ')}`.toLowerCase(),
      ccas: ` ${ids.join(' ')} `,
      trace: cell.trace_name,
      buffer: limitWord(bufferLabel(cell.buffer)),
      state,
      role: home.role,
      engine: manifest.engine,
      queue: cell.queue.id,
      transport: flows[0]?.transport ?? '',
      version: manifest.engine_version,
      rtt0: cell.base_rtt_ms,
      loss_rate: cell.loss,
      duration: manifest.duration_s,
      flows: flows.length,
      rep: home.repetition,
      ...(Object.fromEntries(figures) as Facts),
    };
  }
}

const pick = (value: unknown, keys: readonly string[]): object =>
  Object.fromEntries(keys.map((key) => [key, (value as Readonly<Record<string, unknown>>)[key]]));
