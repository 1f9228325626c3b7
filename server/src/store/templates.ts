import { z } from 'zod';
import { Template, type TemplateChange } from '#protocol/template';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Row = z.object({
  id: z.string(),
  title: z.string(),
  answers: z.string(),
  spec: z.string(),
  created_at: z.string(),
});

/** Null: a spec of another version that is none any more. */
function templateOf(found: unknown): Template | null {
  const row = Row.parse(found);
  const read = Template.safeParse({ ...row, shipped: false, keeps: [], spec: fromJson(row.spec) });
  return read.success ? read.data : null;
}

export class TemplateStore {
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #change;
  readonly #delete;
  readonly #restore;
  readonly #removeBefore;

  constructor(db: Db) {
    const columns = Object.keys(Row.shape).join(', ');
    this.#insert = db.prepare(`INSERT INTO templates (${columns}) VALUES (@id, @title, @answers, @spec, @created_at)`);
    this.#get = db.prepare(`SELECT ${columns} FROM templates WHERE id = ? AND (deleted_at IS NOT NULL) = ?`);
    this.#list = db.prepare(`SELECT ${columns} FROM templates WHERE deleted_at IS NULL ORDER BY rowid DESC`);
    this.#change = db.prepare(
      'UPDATE templates SET title = coalesce(@title, title), answers = coalesce(@answers, answers) WHERE id = @id',
    );
    this.#delete = db.prepare('UPDATE templates SET deleted_at = ? WHERE id = ?');
    this.#restore = db.prepare('UPDATE templates SET deleted_at = NULL WHERE id = ?');
    this.#removeBefore = db.prepare('DELETE FROM templates WHERE deleted_at < ?');
  }

  insert({ id, title, answers, spec, created_at }: Template): void {
    this.#insert.run({ id, title, answers, spec: JSON.stringify(spec), created_at });
  }

  get(id: string, deleted = false): Template | null {
    const row = this.#get.get(id, deleted ? 1 : 0);
    return row === undefined ? null : templateOf(row);
  }

  /** The newest first. */
  list(): Template[] {
    return this.#list.all().flatMap((row) => templateOf(row) ?? []);
  }

  change(id: string, { title, answers }: TemplateChange): void {
    this.#change.run({ id, title: title ?? null, answers: answers ?? null });
  }

  delete(id: string, at: string): void {
    this.#delete.run(at, id);
  }

  restore(id: string): void {
    this.#restore.run(id);
  }

  /** For good. */
  removeDeletedBefore(at: string): void {
    this.#removeBefore.run(at);
  }
}
