import { z } from 'zod';
import {
  LABEL_KINDS,
  NOTHING_SAID,
  type LabelKind,
  type Labels,
  type LabelsChange,
  type ListedLabels,
} from '#protocol/labels';
import type { Db } from './database.ts';

const Row = z.object({
  name: z.string().nullable(),
  note: z.string(),
  starred: z.int(),
  archived_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
});
const ListedRow = z.object({ object_id: z.string(), starred: z.int(), archived: z.int() });
const UsedTag = z.object({ kind: z.enum(LABEL_KINDS), object_id: z.string(), tag: z.string() });
const TagRow = z.object({ object_id: z.string(), tag: z.string() });
const Texts = z.array(z.string());

/** What is deleted for this long is removed for good. */
export const GRACE_MS = 24 * 3_600_000;
/** Deleted, and its removal has begun: there is no way back. */
const REMOVING = new Date(0).toISOString();

/** A condition on `id`, a column: nobody has deleted it. */
export const notDeleted = (kind: LabelKind, id: string): string =>
  `NOT EXISTS (SELECT 1 FROM labels l WHERE l.kind = '${kind}' AND l.object_id = ${id} AND l.deleted_at IS NOT NULL)`;

/** The name that somebody gave it, or its own. */
export const givenName = (kind: LabelKind, id: string, own: string): string =>
  `COALESCE((SELECT l.name FROM labels l WHERE l.kind = '${kind}' AND l.object_id = ${id}), ${own})`;

/** What people say of experiments, runs and traces. What is not there may have labels, too: nothing here looks after that. */
export class LabelStore {
  readonly #get;
  readonly #put;
  readonly #tags;
  readonly #addTag;
  readonly #dropTags;
  readonly #listed;
  readonly #allTags;
  readonly #inUse;
  readonly #delete;
  readonly #restore;
  readonly #deletedAt;
  readonly #deletedBefore;
  readonly #drop;

  constructor(db: Db) {
    const own = 'WHERE kind = @kind AND object_id = @id';
    this.#get = db.prepare(`SELECT name, note, starred, archived_at, deleted_at FROM labels ${own}`);
    this.#put = db.prepare(
      `INSERT INTO labels (kind, object_id, name, note, starred, archived_at) VALUES (@kind, @id, @name, @note, @starred, @archived_at)
       ON CONFLICT DO UPDATE SET name = excluded.name, note = excluded.note, starred = excluded.starred, archived_at = excluded.archived_at`,
    );
    this.#tags = db.prepare(`SELECT tag FROM tags ${own} ORDER BY tag`).pluck();
    this.#addTag = db.prepare('INSERT INTO tags (kind, object_id, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.#dropTags = db.prepare(`DELETE FROM tags ${own}`);
    this.#listed = db.prepare(
      `SELECT object_id, starred, archived_at IS NOT NULL AS archived FROM labels
       WHERE kind = ? AND (starred = 1 OR archived_at IS NOT NULL)`,
    );
    this.#allTags = db.prepare('SELECT object_id, tag FROM tags WHERE kind = ? ORDER BY object_id, tag');
    this.#inUse = db.prepare('SELECT kind, object_id, tag FROM tags ORDER BY tag');
    this.#delete = db.prepare(
      `INSERT INTO labels (kind, object_id, deleted_at) VALUES (@kind, @id, @at)
       ON CONFLICT DO UPDATE SET deleted_at = excluded.deleted_at`,
    );
    this.#restore = db.prepare(`UPDATE labels SET deleted_at = NULL ${own}`);
    this.#deletedAt = db.prepare(`SELECT deleted_at FROM labels ${own}`).pluck();
    this.#deletedBefore = db
      .prepare('SELECT object_id FROM labels WHERE kind = ? AND deleted_at <= ? ORDER BY deleted_at')
      .pluck();
    this.#drop = db.prepare(`DELETE FROM labels ${own}`);
  }

  get(kind: LabelKind, id: string): Labels {
    const found = this.#get.get({ kind, id });
    const tags = Texts.parse(this.#tags.all({ kind, id }));
    if (found === undefined) return { ...NOTHING_SAID, tags };
    const { name, note, starred, archived_at, deleted_at: at } = Row.parse(found);
    const deleted = at === null ? null : { at, until: new Date(Date.parse(at) + GRACE_MS).toISOString() };
    return { name, note, tags, starred: starred === 1, archived: archived_at !== null, deleted };
  }

  /** What lists show of all that something is said of. */
  listed(kind: LabelKind): ReadonlyMap<string, ListedLabels> {
    const all = new Map<string, ListedLabels>();
    for (const row of this.#listed.all(kind)) {
      const { object_id, starred, archived } = ListedRow.parse(row);
      all.set(object_id, { tags: [], starred: starred === 1, archived: archived === 1 });
    }
    for (const row of this.#allTags.all(kind)) {
      const { object_id, tag } = TagRow.parse(row);
      const known = all.get(object_id) ?? { tags: [], starred: false, archived: false };
      known.tags.push(tag);
      all.set(object_id, known);
    }
    return all;
  }

  /** What is left out stays. `at`: now. Within a transaction of its caller. */
  change(kind: LabelKind, id: string, { name, note, tags, starred, archived }: LabelsChange, at: string): void {
    const found = this.#get.get({ kind, id });
    const known = found === undefined ? null : Row.parse(found);
    this.#put.run({
      kind,
      id,
      name: name === undefined ? (known?.name ?? null) : name === '' ? null : name,
      note: note ?? known?.note ?? '',
      starred: (starred ?? known?.starred === 1) ? 1 : 0,
      archived_at: archived === undefined ? (known?.archived_at ?? null) : archived ? at : null,
    });
    if (tags === undefined) return;
    this.#dropTags.run({ kind, id });
    for (const tag of tags) this.#addTag.run(kind, id, tag);
  }

  /** Every tag in use, the most frequent first. `isSeen`: whether who asks may see what has it. */
  tags(isSeen: (kind: LabelKind, id: string) => boolean = () => true): { tag: string; count: number }[] {
    const counts = new Map<string, number>();
    for (const { kind, object_id, tag } of z.array(UsedTag).parse(this.#inUse.all()))
      if (isSeen(kind, object_id)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => b.count - a.count);
  }

  delete(kind: LabelKind, id: string, at: string): void {
    this.#delete.run({ kind, id, at });
  }

  restore(kind: LabelKind, id: string): void {
    this.#restore.run({ kind, id });
  }

  isDeleted(kind: LabelKind, id: string): boolean {
    return typeof this.#deletedAt.get({ kind, id }) === 'string';
  }

  /** Its removal has begun, so it cannot be restored. */
  isRemoving(kind: LabelKind, id: string): boolean {
    return this.#deletedAt.get({ kind, id }) === REMOVING;
  }

  beginRemoval(kind: LabelKind, id: string): void {
    this.delete(kind, id, REMOVING);
  }

  /** Those that were deleted until then. */
  deletedBefore(kind: LabelKind, at: string): string[] {
    return Texts.parse(this.#deletedBefore.all(kind, at));
  }

  /** It is gone, and so is what was said of it. */
  drop(kind: LabelKind, id: string): void {
    this.#dropTags.run({ kind, id });
    this.#drop.run({ kind, id });
  }
}
