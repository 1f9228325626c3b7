import { z } from 'zod';
import { MeasurementRecord } from '#protocol/measurement';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({
  id: z.string(),
  run_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  measurement: z.string(),
});

const recordOf = (row: unknown): MeasurementRecord => {
  const { run_id, measurement, ...rest } = Row.parse(row);
  return MeasurementRecord.parse({ ...rest, run: run_id, measurement: fromJson(measurement) });
};

export class MeasurementStore {
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #remove;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO measurements (id, run_id, name, created_at, measurement)
       VALUES (@id, @run, @name, @created_at, @measurement) ON CONFLICT (id) DO NOTHING`,
    );
    this.#get = db.prepare('SELECT * FROM measurements WHERE id = ?');
    this.#list = db.prepare('SELECT * FROM measurements WHERE run_id = ? ORDER BY rowid');
    this.#remove = db.prepare('DELETE FROM measurements WHERE run_id = ? AND id = ?');
  }

  /** False when the same file is there already. */
  insert({ measurement, ...rest }: MeasurementRecord): boolean {
    return this.#insert.run({ ...rest, measurement: JSON.stringify(measurement) }).changes > 0;
  }

  get(id: string): MeasurementRecord | null {
    const row = this.#get.get(id);
    return row === undefined ? null : recordOf(row);
  }

  /** Of a run, the oldest first. */
  list(run: string): MeasurementRecord[] {
    return this.#list.all(run).map(recordOf);
  }

  /** False when there was none. */
  remove(run: string, id: string): boolean {
    return this.#remove.run(run, id).changes > 0;
  }
}
