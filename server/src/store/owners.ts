import { z } from 'zod';
import { Maker, type OwnedKind } from '#protocol/access';
import type { Db } from './database.ts';
import { notDeleted } from './labels.ts';

const Row = Maker.extend({ object_id: z.string() });

/** Whose something is. What was made where nobody is asked is everybody's, and has no row. */
export class OwnerStore {
  readonly #of;
  readonly #ofRun;
  readonly #all;
  readonly #put;
  readonly #drop;

  constructor(db: Db) {
    this.#of = db.prepare('SELECT name, via FROM owners WHERE kind = ? AND object_id = ?');
    this.#ofRun = db
      .prepare(
        `SELECT e.id FROM experiment_runs r JOIN experiments e ON e.id = r.experiment_id
         WHERE r.run_id = ? AND ${notDeleted('experiment', 'e.id')} AND e.id NOT IN (SELECT value FROM json_each(?)) ORDER BY e.created_at, e.rowid LIMIT 1`,
      )
      .pluck();
    this.#all = db.prepare('SELECT object_id, name, via FROM owners WHERE kind = ?');
    this.#put = db.prepare(
      `INSERT INTO owners (kind, object_id, name, via) VALUES (@kind, @id, @name, @via)
       ON CONFLICT DO UPDATE SET name = excluded.name, via = excluded.via`,
    );
    this.#drop = db.prepare('DELETE FROM owners WHERE kind = ? AND object_id = ?');
  }

  /** Null: everybody's. */
  of(kind: OwnedKind, id: string): Maker | null {
    return Maker.nullish().parse(this.#of.get(kind, id)) ?? null;
  }

  /** A run belongs with the first experiment that has it: who has it made again in another takes nothing. `unseen`: those that do not count. */
  ofRun(run: string, unseen: ReadonlySet<string> = new Set()): Maker | null {
    const first = this.#ofRun.get(run, JSON.stringify([...unseen]));
    return typeof first === 'string' ? this.of('experiment', first) : null;
  }

  all(kind: OwnedKind): ReadonlyMap<string, Maker> {
    const rows = z.array(Row).parse(this.#all.all(kind));
    return new Map(rows.map(({ object_id, ...maker }) => [object_id, maker]));
  }

  /** It is new, or was thrown away and is there again. Null: everybody's. */
  put(kind: OwnedKind, id: string, maker: Maker | null): void {
    if (maker === null) this.#drop.run(kind, id);
    else this.#put.run({ kind, id, ...maker });
  }
}
