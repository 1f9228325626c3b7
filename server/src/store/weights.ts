import { z } from 'zod';
import { WeightsRecord } from '#protocol/weights';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({ id: z.string(), created_at: z.string(), info: z.string() });

const recordOf = (row: unknown): WeightsRecord => {
  const { info, ...rest } = Row.parse(row);
  return WeightsRecord.parse({ ...rest, info: fromJson(info) });
};

export class WeightsStore {
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #remove;

  constructor(db: Db) {
    this.#insert = db.prepare(
      'INSERT INTO weights (id, created_at, info) VALUES (@id, @created_at, @info) ON CONFLICT (id) DO NOTHING',
    );
    this.#get = db.prepare('SELECT * FROM weights WHERE id = ?');
    this.#remove = db.prepare('DELETE FROM weights WHERE id = ?');
    this.#list = db.prepare('SELECT * FROM weights ORDER BY rowid DESC');
  }

  /** False when the same file is there already. */
  insert({ info, ...rest }: WeightsRecord): boolean {
    return this.#insert.run({ ...rest, info: JSON.stringify(info) }).changes > 0;
  }

  get(id: string): WeightsRecord | null {
    const row = this.#get.get(id);
    return row === undefined ? null : recordOf(row);
  }

  /** For good. */
  remove(id: string): void {
    this.#remove.run(id);
  }

  /** The newest first. */
  list(): WeightsRecord[] {
    return this.#list.all().map(recordOf);
  }
}
