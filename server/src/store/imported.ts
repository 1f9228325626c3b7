import { z } from 'zod';
import { ImportedHead, ImportedRecord } from '#protocol/imported';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({ id: z.string(), name: z.string(), created_at: z.string(), imported: z.string() });

export class ImportedStore {
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #remove;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO imported_series (id, name, created_at, form, imported)
       VALUES (@id, @name, @created_at, @form, @imported) ON CONFLICT (id) DO NOTHING`,
    );
    this.#get = db.prepare('SELECT id, name, created_at, imported FROM imported_series WHERE id = ?');
    this.#list = db.prepare('SELECT id, name, created_at, form FROM imported_series ORDER BY rowid DESC');
    this.#remove = db.prepare('DELETE FROM imported_series WHERE id = ?');
  }

  /** False when the same file is there already. */
  insert({ imported, ...rest }: ImportedRecord): boolean {
    const row = { ...rest, form: imported.form, imported: JSON.stringify(imported) };
    return this.#insert.run(row).changes > 0;
  }

  get(id: string): ImportedRecord | null {
    const found = this.#get.get(id);
    if (found === undefined) return null;
    const { imported, ...rest } = Row.parse(found);
    return ImportedRecord.parse({ ...rest, imported: fromJson(imported) });
  }

  /** The newest first. */
  list(): ImportedHead[] {
    return z.array(ImportedHead).parse(this.#list.all());
  }

  /** False when there was none. */
  remove(id: string): boolean {
    return this.#remove.run(id).changes > 0;
  }
}
