import { z } from 'zod';
import { Maker, type OwnedKind } from '#protocol/access';
import type { Db } from './database.ts';
import type { Places } from './experiments.ts';

const Piece = z.object({ bytes: z.int(), queued: z.int() });
/** Bytes of runs: with what those will take at most that are not over, and that alone. */
export type HeldByRuns = z.infer<typeof Piece>;

const Owned = z.object({ object_id: z.string(), deleted: z.int() });
/** Something that somebody has made. */
export interface OwnedObject {
  readonly id: string;
  readonly deleted: boolean;
}

const sum = (of: string, from: string): string => `COALESCE((SELECT SUM(OCTET_LENGTH(${of})) FROM ${from}), 0)`;

/** What each kind takes in the database beside the runs of an experiment; files of traces and weights are elsewhere. */
const ROWS: Readonly<Partial<Record<OwnedKind, string>>> = {
  algorithm: sum('text || declaration', 'own_algorithms WHERE id = o.object_id'),
  share: `${sum('answers', 'shares WHERE slug = o.object_id')} + ${sum('control', 'share_runs WHERE slug = o.object_id')} + ${sum('samples', 'share_runs WHERE slug = o.object_id')}`,
  template: sum('spec', 'templates WHERE id = o.object_id'),
  imported: sum('imported', 'imported_series WHERE id = o.object_id'),
  measurement: sum('measurement', 'measurements WHERE id = o.object_id'),
};

/** How much of the database is of whom. */
export class HoldingStore {
  readonly #makers;
  readonly #owned;
  readonly #rows;
  readonly #open;
  readonly #ofRuns;
  readonly #experimentOf;

  constructor(db: Db) {
    const theirs = 'o.via = @via AND o.name IS @name';
    this.#makers = db.prepare('SELECT DISTINCT name, via FROM owners');
    this.#owned = db.prepare(
      `SELECT o.object_id, l.deleted_at IS NOT NULL AS deleted
       FROM owners o LEFT JOIN labels l ON l.kind = o.kind AND l.object_id = o.object_id
       WHERE o.kind = @kind AND ${theirs} ORDER BY l.deleted_at, o.object_id`,
    );
    this.#rows = Object.entries(ROWS).map(([kind, bytes]) =>
      db.prepare(`SELECT COALESCE(SUM(${bytes}), 0) FROM owners o WHERE o.kind = '${kind}' AND ${theirs}`).pluck(),
    );
    this.#open = db
      .prepare(
        `SELECT COALESCE(SUM(runs), 0) FROM experiment_states WHERE experiment_id = ? AND state IN ('queued', 'running')`,
      )
      .pluck();
    // A run counts once: where it stands first in the oldest of the experiments that have it.
    this.#ofRuns = db.prepare(
      `SELECT COALESCE(SUM(MAX(stored, queued)), 0) AS bytes, COALESCE(SUM(queued), 0) AS queued FROM (
         SELECT ${sum('payload', 'sample_blobs WHERE run_id = er.run_id')}
             + ${sum('payload', 'control_blobs WHERE run_id = er.run_id')}
             + ${sum('body', 'control_frames WHERE run_id = er.run_id')}
             + ${sum('body', 'run_sampled WHERE run_id = er.run_id')}
             + ${sum("m.body || COALESCE(r.summary, '')", 'runs r JOIN manifests m ON m.number = r.manifest_number WHERE r.id = er.run_id')} AS stored,
           COALESCE((SELECT bytes FROM jobs WHERE run_id = er.run_id), 0) AS queued
         FROM experiment_runs er JOIN experiments mine ON mine.id = er.experiment_id
         WHERE er.experiment_id = @id AND er.position >= @from AND er.position < @to
           AND NOT EXISTS (SELECT 1 FROM experiment_runs q JOIN experiments e ON e.id = q.experiment_id
             WHERE q.run_id = er.run_id AND (q.experiment_id = @id AND q.position < er.position
               OR q.experiment_id <> @id AND (e.created_at, e.rowid) < (mine.created_at, mine.rowid))))`,
    );
    this.#experimentOf = db
      .prepare(
        `SELECT e.id FROM experiment_runs r JOIN experiments e ON e.id = r.experiment_id
         WHERE r.run_id = ? ORDER BY e.created_at, e.rowid LIMIT 1`,
      )
      .pluck();
  }

  /** Everybody who has made anything that is there. */
  makers(): Maker[] {
    return z.array(Maker).parse(this.#makers.all());
  }

  /** What they have made of a kind: first what they keep, then what they have deleted, longest ago first. */
  owned(kind: OwnedKind, { name, via }: Maker): OwnedObject[] {
    const rows = z.array(Owned).parse(this.#owned.all({ kind, name, via }));
    return rows.map(({ object_id, deleted }) => ({ id: object_id, deleted: deleted === 1 }));
  }

  /** Bytes of all that is theirs and neither runs nor files. */
  rowBytes({ name, via }: Maker): number {
    return this.#rows.reduce((bytes, of) => bytes + z.int().parse(of.get({ name, via })), 0);
  }

  /** How many of its runs wait or go on. */
  open(experiment: string): number {
    return z.int().parse(this.#open.get(experiment));
  }

  /** Of an experiment's runs in these places. */
  ofRuns(experiment: string, places: Places): HeldByRuns {
    return Piece.parse(this.#ofRuns.get({ id: experiment, ...places }));
  }

  /** The one that a run counts in; null: no experiment has it. */
  experimentOf(run: string): string | null {
    return z.string().nullish().parse(this.#experimentOf.get(run)) ?? null;
  }
}
