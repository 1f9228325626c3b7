import { z } from 'zod';
import { SamplesGone as SamplesGoneCounts } from '#protocol/api';
import type { Db } from './database.ts';

const Candidate = z.object({
  run: z.string(),
  finished_at: z.string(),
  state: z.string(),
  engine: z.string(),
  engine_version: z.string(),
});
/** A run whose samples may go. */
export type Candidate = z.infer<typeof Candidate>;

/** A place among runs by when they ended. */
export type Place = Pick<Candidate, 'run' | 'finished_at'>;

/** Runs that have ended and are looked at for their samples at once: a millisecond or two. */
const PIECE = 50;

/** Which runs have no samples any more, and which are the next to lose theirs. */
export class SamplesGone {
  readonly #at;
  readonly #isPartial;
  readonly #partial;
  readonly #begin;
  readonly #end;
  readonly #drop;
  readonly #count;
  readonly #ended;
  readonly #candidate;
  readonly #bytes;
  readonly #ofExperiment;
  readonly #nextOf;

  constructor(db: Db) {
    this.#at = db.prepare('SELECT at FROM samples_gone WHERE run_id = ?').pluck();
    this.#isPartial = db.prepare('SELECT 1 FROM samples_gone WHERE run_id = ? AND partial = 1').pluck();
    this.#partial = db.prepare('SELECT run_id FROM samples_gone WHERE partial = 1').pluck();
    this.#begin = db.prepare(
      `INSERT INTO samples_gone (run_id, at, partial) VALUES (@run, @at, 1)
       ON CONFLICT (run_id) DO UPDATE SET partial = 1, at = COALESCE(at, excluded.at)`,
    );
    this.#end = db.prepare('UPDATE samples_gone SET partial = 0 WHERE run_id = ? AND at IS NOT NULL');
    this.#drop = db.prepare('DELETE FROM samples_gone WHERE run_id = ?');
    this.#count = db.prepare('SELECT COUNT(*) FROM samples_gone WHERE at IS NOT NULL').pluck();
    this.#ended = db.prepare(
      `SELECT id AS run, finished_at FROM runs INDEXED BY runs_by_end
       WHERE finished_at IS NOT NULL AND (finished_at, id) > (@finished_at, @run) ORDER BY finished_at, id LIMIT ${PIECE}`,
    );
    // Starred are the run itself and the experiments that it is in; a share refers to the samples of what is done.
    this.#candidate = db.prepare(
      `SELECT r.id AS run, r.finished_at, r.state, json_extract(m.body, '$.engine') AS engine,
         json_extract(m.body, '$.engine_version') AS engine_version
       FROM runs r JOIN manifests m ON m.number = r.manifest_number
       WHERE r.id = @run AND r.state IN ('done', 'failed', 'cancelled', 'invalid')
         AND EXISTS (SELECT 1 FROM sample_blobs b WHERE b.run_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM samples_gone g WHERE g.run_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM share_runs s WHERE s.run_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM labels l WHERE l.kind = 'run' AND l.object_id = r.id AND l.starred = 1)
         AND NOT EXISTS (
           SELECT 1 FROM experiment_runs e LEFT JOIN labels l ON l.kind = 'experiment' AND l.object_id = e.experiment_id
           WHERE e.run_id = r.id AND (l.starred = 1 OR e.experiment_id = @home))`,
    );
    const gone = `FROM experiment_runs e JOIN samples_gone g ON g.run_id = e.run_id AND g.at IS NOT NULL
       JOIN runs r ON r.id = e.run_id JOIN manifests m ON m.number = r.manifest_number WHERE e.experiment_id = @id`;
    const canBeMade = `r.state = 'done' AND json_extract(m.body, '$.engine') = 'virtual'`;
    this.#ofExperiment = db.prepare(
      `SELECT COALESCE(SUM(made), 0) AS gone, COUNT(*) - COALESCE(SUM(made), 0) AS lost
       FROM (SELECT DISTINCT e.run_id, ${canBeMade} AS made ${gone})`,
    );
    this.#nextOf = db.prepare(
      `SELECT e.position, e.run_id AS run ${gone} AND e.position >= @from AND ${canBeMade} ORDER BY e.position LIMIT 1`,
    );
    this.#bytes = db.prepare('SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM sample_blobs WHERE run_id = ?').pluck();
  }

  /** When they were let go; null: they were not. */
  at(run: string): string | null {
    const at = this.#at.get(run);
    return typeof at === 'string' ? at : null;
  }

  /** What is there of its samples is not all, and nobody's to read. */
  isPartial(run: string): boolean {
    return this.#isPartial.get(run) !== undefined;
  }

  /** Those that are on their way out or in, or were when a server ended. */
  partial(): string[] {
    return z.array(z.string()).parse(this.#partial.all());
  }

  /** From now on its samples are not all there. `at`: they are let go; null: they are being made. */
  begin(run: string, at: string | null): void {
    this.#begin.run({ run, at });
  }

  /** None of its samples is left. */
  end(run: string): void {
    if (this.#end.run(run).changes === 0) this.#drop.run(run);
  }

  /** All of its samples are there. */
  drop(run: string): void {
    this.#drop.run(run);
  }

  /** How many runs have lost theirs. */
  count(): number {
    return z.int().parse(this.#count.get());
  }

  /** Runs that have ended, those that ended longest ago first, in pieces: after `place`. */
  endedAfter(place: Place): Place[] {
    return this.#ended.all(place).map((row) => Candidate.pick({ run: true, finished_at: true }).parse(row));
  }

  /** Whether its samples may go: null for what is kept, or has none. `home`: an experiment that is kept. */
  candidate(run: string, home: string | null): Candidate | null {
    const row = this.#candidate.get({ run, home });
    return row === undefined ? null : Candidate.parse(row);
  }

  /** Of the runs of an experiment: how many can have them made again, and how many cannot. */
  ofExperiment(id: string): z.infer<typeof SamplesGoneCounts> {
    return SamplesGoneCounts.parse(this.#ofExperiment.get({ id }));
  }

  /** The first of its places, from one on, whose run can have them made again. */
  nextOf(id: string, from: number): { readonly position: number; readonly run: string } | null {
    const row = this.#nextOf.get({ id, from });
    return row === undefined ? null : z.object({ position: z.int(), run: z.string() }).parse(row);
  }

  /** What its samples take. */
  bytes(run: string): number {
    return z.int().parse(this.#bytes.get(run));
  }
}
