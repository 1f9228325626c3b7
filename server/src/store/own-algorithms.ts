// Texts of own algorithms (docs/own-algorithms.md), each with what it declares.
import { z } from 'zod';
import { OwnAlgorithm } from '#protocol/own-algorithm';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({
  id: z.string(),
  program: z.string(),
  version: z.int(),
  declaration: z.string(),
  created_at: z.string(),
  deleted_at: z.string().nullable(),
});

/** One of them, without its text. */
export interface KeptAlgorithm {
  readonly algorithm: OwnAlgorithm;
  readonly deleted_at: string | null;
}

const keptOf = (row: unknown): KeptAlgorithm => {
  const { declaration, deleted_at, ...rest } = Row.parse(row);
  return { algorithm: OwnAlgorithm.parse({ ...rest, declaration: fromJson(declaration) }), deleted_at };
};

const COLUMNS = 'id, program, version, declaration, created_at, deleted_at';
const Size = z.object({ count: z.int(), bytes: z.int().nullable() });

export class OwnAlgorithmStore {
  readonly #insert;
  readonly #get;
  readonly #text;
  readonly #list;
  readonly #next;
  readonly #size;
  readonly #mark;
  readonly #remove;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO own_algorithms (id, program, name, version, declaration, text, created_at)
       VALUES (@id, @program, @name, @version, @declaration, @text, @created_at)`,
    );
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM own_algorithms WHERE id = ?`);
    this.#text = db.prepare('SELECT text FROM own_algorithms WHERE program = ?').pluck();
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM own_algorithms ORDER BY rowid DESC`);
    this.#next = db.prepare('SELECT COALESCE(MAX(version), 0) + 1 FROM own_algorithms WHERE name = ?').pluck();
    this.#size = db.prepare('SELECT COUNT(*) AS count, SUM(LENGTH(CAST(text AS BLOB))) AS bytes FROM own_algorithms');
    this.#mark = db.prepare('UPDATE own_algorithms SET deleted_at = ? WHERE id = ?');
    this.#remove = db.prepare('DELETE FROM own_algorithms WHERE id = ?');
  }

  /** Of a name, from 1; what is deleted and can come back counts. */
  nextVersion(name: string): number {
    return z.int().parse(this.#next.get(name));
  }

  insert({ declaration, ...rest }: OwnAlgorithm, text: string): void {
    this.#insert.run({ ...rest, name: declaration.name, declaration: JSON.stringify(declaration), text });
  }

  get(id: string): KeptAlgorithm | null {
    const row = this.#get.get(id);
    return row === undefined ? null : keptOf(row);
  }

  /** By the hash of its bytes. */
  text(program: string): string | null {
    return z
      .string()
      .nullable()
      .parse(this.#text.get(program) ?? null);
  }

  /** The newest first. */
  list(): KeptAlgorithm[] {
    return this.#list.all().map(keptOf);
  }

  /** What all of them come to. */
  size(): { readonly count: number; readonly bytes: number } {
    const { count, bytes } = Size.parse(this.#size.get());
    return { count, bytes: bytes ?? 0 };
  }

  /** null: it is there again. */
  setDeleted(id: string, at: string | null): void {
    this.#mark.run(at, id);
  }

  /** For good. */
  remove(id: string): void {
    this.#remove.run(id);
  }
}
