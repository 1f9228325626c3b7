import { z } from 'zod';
import { TraceRecord } from '#protocol/api';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({
  id: z.string(),
  name: z.string(),
  origin: z.string(),
  description: z.string(),
  licence: z.string(),
  source: z.string(),
  created_at: z.string(),
  info: z.string(),
  spark: z.string(),
  edit: z.string().nullable(),
});

const recordOf = (row: unknown): TraceRecord => {
  const { info, spark, edit, ...rest } = Row.parse(row);
  return TraceRecord.parse({
    ...rest,
    info: fromJson(info),
    spark: fromJson(spark),
    ...(edit !== null && { edit: fromJson(edit) }),
  });
};

const COLUMNS = 'id, name, origin, description, licence, source, created_at, info, spark, edit';

export class TraceStore {
  readonly #insert;
  readonly #get;
  readonly #byName;
  readonly #list;
  readonly #describe;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO traces (${COLUMNS}) VALUES (@id, @name, @origin, @description, @licence, @source, @created_at, @info, @spark, @edit) ON CONFLICT (id) DO NOTHING`,
    );
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM traces WHERE id = ?`);
    // The library's own names come first, so that nothing uploaded later changes what a shared spec means.
    this.#byName = db.prepare(
      `SELECT ${COLUMNS} FROM traces WHERE name = ? ORDER BY origin = 'library' DESC, rowid DESC LIMIT 1`,
    );
    // The newest are those that came last, whatever the clock said.
    this.#list = db.prepare(
      `SELECT ${COLUMNS} FROM traces ORDER BY origin = 'library' DESC, IIF(origin = 'library', name, NULL), rowid DESC`,
    );
    this.#describe = db.prepare(
      `UPDATE traces SET name = @name, description = @description, origin = @origin, licence = @licence, source = @source, info = @info
       WHERE id = @id`,
    );
  }

  /** False when the same content is known already. */
  insert(record: TraceRecord): boolean {
    const { info, spark, edit, ...rest } = record;
    const texts = {
      info: JSON.stringify(info),
      spark: JSON.stringify(spark),
      edit: edit === undefined ? null : JSON.stringify(edit),
    };
    return this.#insert.run({ ...rest, ...texts }).changes > 0;
  }

  get(id: string): TraceRecord | null {
    const row = this.#get.get(id);
    return row === undefined ? null : recordOf(row);
  }

  /** By content hash or by name. */
  find(reference: string): TraceRecord | null {
    const known = this.get(reference);
    if (known !== null) return known;
    const row = this.#byName.get(reference);
    return row === undefined ? null : recordOf(row);
  }

  list(): TraceRecord[] {
    return this.#list.all().map(recordOf);
  }

  /** All that may change of a trace: what is said of it, never what it is. */
  describe({ id, name, description, origin, licence, source, info }: TraceRecord): void {
    this.#describe.run({ id, name, description, origin, licence, source, info: JSON.stringify(info) });
  }
}
