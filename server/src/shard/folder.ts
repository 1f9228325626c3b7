// The data folder of a shard, as far as it is merged. It is read and never changed: it may lie on a disk that cannot be written.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { TraceRecord } from '#protocol/api';
import { Recipe } from '#protocol/recipe';
import { ExperimentSpec } from '#protocol/spec';
import { RunSummary } from '#protocol/summary';
import { DATABASE } from '../lab.ts';
import { migrationFiles, type Db } from '../store/database.ts';
import { fromJson } from '../store/json.ts';
import { MergeFault } from './fault.ts';

const Experiment = z.object({
  id: z.string(),
  spec: z.string().transform(fromJson).pipe(ExperimentSpec),
});
export type ShardExperiment = z.infer<typeof Experiment>;

const Said = TraceRecord.pick({
  name: true,
  description: true,
  licence: true,
  source: true,
  technology: true,
  place: true,
}).extend({
  edit: z
    .string()
    .nullable()
    .transform((text) => (text === null ? undefined : fromJson(text)))
    .pipe(TraceRecord.shape.edit),
});

const Outcome = z.object({
  state: z.enum(['done', 'invalid']),
  reason: z.string().nullable(),
  stderr_tail: z.string().nullable(),
  summary: z.string().nullable(),
  cost: z.string().nullable(),
  time_s: z.number(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
/** A run that has ended, as it is stored. */
export type Outcome = z.infer<typeof Outcome>;

const Blob = z.object({
  stream: z.int(),
  first_row: z.int(),
  rows: z.int(),
  payload: z.instanceof(Uint8Array),
  packing: z.int(),
});
const Controls = z.object({ first_seq: z.int(), frames: z.int(), payload: z.instanceof(Uint8Array) });
const Sampled = z.object({ family: z.string(), version: z.string(), body: z.string() });
const OwnText = z.object({ name: z.string(), text: z.string() });

/** Reading a database that was closed in good order, SQLite makes files beside it. */
const CANNOT_WRITE = /^SQLITE_(CANTOPEN|READONLY)/;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export class ShardFolder {
  readonly path: string;
  readonly #db: Db;
  /** A copy that was made to be read. */
  readonly #copy: string | null;

  private constructor(path: string, db: Db, copy: string | null) {
    this.path = path;
    this.#db = db;
    this.#copy = copy;
  }

  /** Throws MergeFault where there is none, or none of this Paceline. `tempDir`: for what cannot be read where it lies. */
  static async open(path: string, tempDir: string): Promise<ShardFolder> {
    const file = join(path, DATABASE);
    if (!existsSync(file)) throw new MergeFault(`${path}: there is no ${DATABASE} in it`);
    const shard = await ShardFolder.#opened(path, file, tempDir);
    const schema = Number(shard.#db.pragma('user_version', { simple: true }));
    const known = migrationFiles().length;
    if (schema === known) return shard;
    await shard.close();
    throw new MergeFault(
      `${path} is of ${schema < known ? 'an older' : 'a newer'} Paceline (schema ${schema}, here ${known}): use the same on all machines`,
    );
  }

  static async #opened(path: string, file: string, tempDir: string): Promise<ShardFolder> {
    const opened = (name: string): Db => {
      const db = new Database(name, { readonly: true, fileMustExist: true });
      db.pragma('user_version');
      return db;
    };
    try {
      try {
        return new ShardFolder(path, opened(file), null);
      } catch (error) {
        if (!(error instanceof Database.SqliteError && CANNOT_WRITE.test(error.code))) throw error;
      }
      const copy = join(tempDir, `shard-${randomUUID()}.db`);
      await copyFile(file, copy);
      if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
      return new ShardFolder(path, opened(copy), copy);
    } catch (error) {
      if (error instanceof Database.SqliteError) throw new MergeFault(`${file} cannot be read: ${error.message}`);
      throw error;
    }
  }

  /** Those whose runs come out the same on every machine: what is measured in real time is of the one that did. */
  experiments(): ShardExperiment[] {
    const rows = this.#db
      .prepare(
        `SELECT id, spec FROM experiments e WHERE ready = 1 AND NOT EXISTS (
           SELECT 1 FROM experiment_runs er JOIN runs r ON r.id = er.run_id JOIN manifests m ON m.number = r.manifest_number
           WHERE er.experiment_id = e.id AND m.body ->> 'measurement' IS NOT NULL)
         ORDER BY rowid`,
      )
      .all();
    return z.array(Experiment).parse(rows);
  }

  /** Which Paceline's engine made it; null: there is no run. */
  engineOf(experiment: string): string | null {
    const found = this.#db
      .prepare(
        `SELECT m.body ->> 'engine_version' FROM experiment_runs er JOIN runs r ON r.id = er.run_id
           JOIN manifests m ON m.number = r.manifest_number WHERE er.experiment_id = ? LIMIT 1`,
      )
      .pluck()
      .get(experiment);
    return typeof found === 'string' ? found : null;
  }

  /** Of an experiment's runs those that have ended. */
  ended(experiment: string): string[] {
    return z.array(z.string()).parse(
      this.#db
        .prepare(
          `SELECT DISTINCT r.id FROM experiment_runs er JOIN runs r ON r.id = er.run_id
             WHERE er.experiment_id = ? AND r.state IN ('done', 'invalid')`,
        )
        .pluck()
        .all(experiment),
    );
  }

  outcome(run: string): Outcome {
    const row = this.#db
      .prepare(
        'SELECT state, reason, stderr_tail, summary, cost, time_s, started_at, finished_at FROM runs WHERE id = ?',
      )
      .get(run);
    const found = Outcome.parse(row);
    if (!RunSummary.nullable().safeParse(fromJson(found.summary)).success)
      throw new MergeFault(`${this.path}: the summary of run ${run} cannot be read`);
    return found;
  }

  samples = (run: string): Iterable<z.infer<typeof Blob>> =>
    this.#each(Blob, 'SELECT stream, first_row, rows, payload, packing FROM sample_blobs WHERE run_id = ?', run);

  controls = (run: string): Iterable<z.infer<typeof Controls>> =>
    this.#each(Controls, 'SELECT first_seq, frames, payload FROM control_blobs WHERE run_id = ?', run);

  sampled = (run: string): Iterable<z.infer<typeof Sampled>> =>
    this.#each(Sampled, 'SELECT family, version, body FROM run_sampled WHERE run_id = ?', run);

  *#each<T>(row: z.ZodType<T>, sql: string, run: string): Generator<T> {
    for (const found of this.#db.prepare(sql).iterate(run)) yield row.parse(found);
  }

  /** What was said of a trace; null: it is not there. */
  trace(id: string): z.infer<typeof Said> | null {
    const row = this.#db
      .prepare('SELECT name, description, licence, source, technology, place, edit FROM traces WHERE id = ?')
      .get(id);
    return row === undefined ? null : Said.parse(row);
  }

  /** What it was made from, as it was written; null: from nothing that is known. */
  async recipe(id: string): Promise<string | null> {
    const file = this.file(`traces/${id}.recipe.json`);
    if (!existsSync(file)) return null;
    const text = await readFile(file, 'utf8');
    if (!Recipe.safeParse(jsonOf(text)).success) throw new MergeFault(`${file} is no recipe`);
    return text;
  }

  weights(): string[] {
    return z.array(z.string()).parse(this.#db.prepare('SELECT id FROM weights').pluck().all());
  }

  ownTexts(): z.infer<typeof OwnText>[] {
    return z
      .array(OwnText)
      .parse(this.#db.prepare("SELECT declaration ->> 'name' AS name, text FROM own_algorithms").all());
  }

  file(name: string): string {
    return join(this.path, name);
  }

  async close(): Promise<void> {
    this.#db.close();
    if (this.#copy === null) return;
    for (const part of ['', '-wal', '-shm']) await rm(`${this.#copy}${part}`, { force: true });
  }
}
