import { z } from 'zod';
import { ShareKind, type ShareRecord } from '#protocol/share';
import type { Db } from './database.ts';

const Row = z.object({
  slug: z.string(),
  title: z.string(),
  note: z.string(),
  kind: ShareKind,
  address: z.string(),
  created_at: z.string(),
  engine_version: z.string(),
});
const COLUMNS = Object.keys(Row.shape).join(', ');

/** Packed; null: the run is done, and its own samples never change. */
export interface KeptFrames {
  readonly control: Uint8Array;
  readonly samples: Uint8Array;
}
export interface SharedRun {
  readonly run: string;
  readonly frames: KeptFrames | null;
}

const Frames = z.object({ control: z.instanceof(Uint8Array).nullable(), samples: z.instanceof(Uint8Array).nullable() });

export class ShareStore {
  readonly #db;
  readonly #insert;
  readonly #insertRun;
  readonly #get;
  readonly #answers;
  readonly #list;
  readonly #runs;
  readonly #frames;
  readonly #remove;

  constructor(db: Db) {
    this.#db = db;
    this.#insert = db.prepare(
      `INSERT INTO shares (${COLUMNS}, answers)
       VALUES (@slug, @title, @note, @kind, @address, @created_at, @engine_version, @answers) ON CONFLICT (slug) DO NOTHING`,
    );
    this.#insertRun = db.prepare(
      'INSERT INTO share_runs (slug, run_id, place, control, samples) VALUES (@slug, @run, @place, @control, @samples)',
    );
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM shares WHERE slug = ?`);
    this.#answers = db.prepare('SELECT answers FROM shares WHERE slug = ?').pluck();
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM shares ORDER BY rowid DESC`);
    this.#runs = db.prepare('SELECT run_id FROM share_runs WHERE slug = ? ORDER BY place').pluck();
    this.#frames = db.prepare('SELECT control, samples FROM share_runs WHERE slug = ? AND run_id = ?');
    this.#remove = db.prepare('DELETE FROM shares WHERE slug = ?');
  }

  /** False when the slug is taken. */
  insert(share: ShareRecord, answers: Uint8Array, runs: readonly SharedRun[]): boolean {
    return this.#db.transaction(() => {
      if (this.#insert.run({ ...share, answers }).changes === 0) return false;
      runs.forEach(({ run, frames }, place) =>
        this.#insertRun.run({
          slug: share.slug,
          run,
          place,
          control: frames?.control ?? null,
          samples: frames?.samples ?? null,
        }),
      );
      return true;
    })();
  }

  get(slug: string): ShareRecord | null {
    const row = this.#get.get(slug);
    return row === undefined ? null : Row.parse(row);
  }

  /** Packed, as they were given; null: there is no such share. */
  answers(slug: string): Uint8Array | null {
    const packed = this.#answers.get(slug);
    return packed instanceof Uint8Array ? packed : null;
  }

  /** The newest first. */
  list(): ShareRecord[] {
    return this.#list.all().map((row) => Row.parse(row));
  }

  /** Of a share, in the order in which it shows them. */
  runs(slug: string): string[] {
    return z.array(z.string()).parse(this.#runs.all(slug));
  }

  /** Undefined: the share does not show this run. */
  frames(slug: string, run: string): KeptFrames | null | undefined {
    const row = this.#frames.get(slug, run);
    if (row === undefined) return undefined;
    const { control, samples } = Frames.parse(row);
    return control === null || samples === null ? null : { control, samples };
  }

  /** False when there was none. */
  remove(slug: string): boolean {
    return this.#remove.run(slug).changes > 0;
  }
}
