import { z } from 'zod';
import { type NamedTrace, traceNamed } from '#analysis/trace-library';
import { TraceRecord } from '#protocol/api';
import type { ListedLabels } from '#protocol/labels';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';
import type { LabelStore } from './labels.ts';
import { notDeleted } from './labels.ts';

const Row = z.object({
  id: z.string(),
  name: z.string(),
  origin: z.string(),
  description: z.string(),
  licence: z.string(),
  source: z.string(),
  technology: z.string(),
  place: z.string(),
  formerly: z.string(),
  created_at: z.string(),
  info: z.string(),
  spark: z.string(),
  edit: z.string().nullable(),
});

const recordOf = (row: unknown): TraceRecord => {
  const { info, spark, edit, formerly, ...rest } = Row.parse(row);
  return TraceRecord.parse({
    ...rest,
    formerly: fromJson(formerly),
    info: fromJson(info),
    spark: fromJson(spark),
    ...(edit !== null && { edit: fromJson(edit) }),
  });
};

const labelled = (record: TraceRecord, labels: ListedLabels | undefined): TraceRecord =>
  labels === undefined ? record : { ...record, labels };

const Names = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    origin: TraceRecord.shape.origin,
    formerly: z.string().transform((names) => z.array(z.string()).parse(fromJson(names))),
  }),
);

const COLUMNS =
  'id, name, origin, description, licence, source, technology, place, formerly, created_at, info, spark, edit';

export class TraceStore {
  readonly #insert;
  readonly #get;
  readonly #names;
  readonly #list;
  readonly #describe;
  readonly #edits;
  readonly #remove;
  readonly #labels: LabelStore;

  constructor(db: Db, labels: LabelStore) {
    this.#labels = labels;
    const there = notDeleted('trace', 'traces.id');
    this.#insert = db.prepare(
      `INSERT INTO traces (${COLUMNS}) VALUES (${COLUMNS.replaceAll(/\w+/g, '@$&')}) ON CONFLICT (id) DO NOTHING`,
    );
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM traces WHERE id = ? AND ${there}`);
    // The newest are those that came last, whatever the clock said.
    this.#names = db.prepare(`SELECT id, name, origin, formerly FROM traces WHERE ${there} ORDER BY rowid DESC`);
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM traces WHERE ${there} ORDER BY rowid DESC`);
    this.#edits = db.prepare(`SELECT id, name FROM traces WHERE instr(edit, ?) > 0 AND ${there} ORDER BY rowid DESC`);
    this.#remove = db.prepare('DELETE FROM traces WHERE id = ?');
    this.#describe = db.prepare(
      `UPDATE traces SET name = @name, description = @description, origin = @origin, licence = @licence, source = @source,
         technology = @technology, place = @place, formerly = @formerly, info = @info
       WHERE id = @id`,
    );
  }

  /** False when the same content is known already. */
  insert(record: TraceRecord): boolean {
    const { info, spark, edit, formerly, labels: _, ...rest } = record;
    const texts = {
      formerly: JSON.stringify(formerly),
      info: JSON.stringify(info),
      spark: JSON.stringify(spark),
      edit: edit === undefined ? null : JSON.stringify(edit),
    };
    return this.#insert.run({ ...rest, ...texts }).changes > 0;
  }

  get(id: string): TraceRecord | null {
    const row = this.#get.get(id);
    if (row === undefined) return null;
    const { tags, starred, archived } = this.#labels.get('trace', id);
    return labelled(recordOf(row), tags.length > 0 || starred || archived ? { tags, starred, archived } : undefined);
  }

  /** By a name that it has or had; `unseen` do not count. */
  named(name: string, unseen: ReadonlySet<string> = new Set()): TraceRecord | null {
    const found = traceNamed(
      this.names().filter(({ id }) => !unseen.has(id)),
      name,
    );
    return found === undefined ? null : this.get(found.id);
  }

  /** What all traces are called and were called, the newest first. */
  names(): NamedTrace[] {
    return Names.parse(this.#names.all());
  }

  /** The newest first. */
  list(): TraceRecord[] {
    const labels = this.#labels.listed('trace');
    return this.#list
      .all()
      .map(recordOf)
      .map((record) => labelled(record, labels.get(record.id)));
  }

  /** The traces that are edits of this one, or take a part of it. */
  editsOf(id: string): { readonly id: string; readonly name: string }[] {
    return z.array(z.object({ id: z.string(), name: z.string() })).parse(this.#edits.all(id));
  }

  /** For good. */
  remove(id: string): void {
    this.#remove.run(id);
  }

  /** All that may change of a trace: what is said of it, never what it is. */
  describe({ id, name, description, origin, licence, source, technology, place, formerly, info }: TraceRecord): void {
    const texts = { formerly: JSON.stringify(formerly), info: JSON.stringify(info) };
    this.#describe.run({ id, name, description, origin, licence, source, technology, place, ...texts });
  }
}
