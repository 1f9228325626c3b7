import { z } from 'zod';
import type { Statement } from 'better-sqlite3';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';
import { Turns } from './turns.ts';

const Count = z.int().min(0).default(0);

/** What has come between a run and its end without being its fault: how often, by its kind. */
export const Setbacks = z.object({
  crashed: Count,
  hung: Count,
  killed: Count,
  /** As were others since it was the last time. */
  killed_too: Count,
  /** The worker that made it was. */
  lost: Count,
  /** The server ended while no other run was going. */
  server: Count,
  /** The server ended while others were going, too. */
  among_others: Count,
  last: z
    .object({ kind: z.enum(['crashed', 'hung', 'killed', 'killed_too', 'lost', 'server']), reason: z.string() })
    .nullable()
    .default(null),
});
export type Setbacks = z.infer<typeof Setbacks>;
export const NO_SETBACKS: Setbacks = Setbacks.parse({});

export const Job = z.object({
  run_id: z.string(),
  cores: z.int(),
  packets: z.number(),
  realtime_s: z.number().nullable(),
  attempts: z.int(),
  setbacks: z.string().transform(fromJson).pipe(Setbacks),
});
export type Job = z.infer<typeof Job>;
export type NewJob = Omit<Job, 'attempts' | 'setbacks'> & {
  /** Of whom; people take turns. Absent: of all who are not told apart. */
  readonly share?: string;
  /** What it will take at most when it is made. */
  readonly bytes: number;
};

/** What is to be done before the last of an experiment's waiting runs is over, that run included. */
const Ahead = z.object({
  /** Virtual runs and their packets. */
  runs: z.int(),
  packets: z.number(),
  /** Real-time runs: seconds by the clock times cores. */
  realtime_core_s: z.number(),
  realtime_cores: z.int(),
  /** The longest of the experiment's own, of those that will end last. */
  most_packets: z.number().nullable(),
  most_realtime_s: z.number().nullable(),
});
export type Ahead = z.infer<typeof Ahead>;

const COLUMNS = 'run_id, cores, packets, realtime_s, attempts, setbacks';
const ORDER = 'ORDER BY priority DESC, position';
/** Runs of an experiment that end last: one of them may take longer than its share of all the others. */
const LAST_RUNS = 64;
/** Where a job stands in the queue. */
const Place = z.object({ priority: z.int(), position: z.int() });
type Place = z.infer<typeof Place>;
/** A block of places in migration 008. */
const blockOf = ({ position }: Place): number => Math.floor(position / 512);
/** Jobs of an experiment that is still being written are held like those that are in somebody's hands. */
const HELD = 'held';

export class JobStore {
  readonly #add;
  readonly #turns;
  readonly #next;
  readonly #nextOf;
  readonly #ahead;
  readonly #all;
  readonly #place;
  readonly #last;
  /** The experiments' last waiting runs, as far as they were asked for and while nothing is added. */
  readonly #lastOf = new Map<string, string>();
  readonly #waiting;
  readonly #lease;
  readonly #release;
  readonly #releaseAll;
  readonly #lost;
  readonly #remove;
  readonly #removeAll;
  readonly #setBack;
  readonly #setbacks;
  readonly #recount;
  readonly #withSetbacks;
  readonly #wake;
  readonly #wakeAll;
  readonly #count;
  readonly #letGo;
  readonly #letAllGo;
  readonly #top;
  readonly #raise;
  readonly #raiseRun;

  constructor(db: Db) {
    this.#turns = new Turns(db);
    this.#add = db.prepare(
      `INSERT INTO jobs (position, run_id, cores, packets, realtime_s, share, lease_owner, bytes)
       VALUES (@position, @run_id, @cores, @packets, @realtime_s, @share, @owner, @bytes)
       ON CONFLICT (run_id) DO NOTHING`,
    );
    this.#next = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE lease_owner IS NULL AND delayed = 0 ${ORDER} LIMIT 1`);
    const nextOf = (kind: string): Statement =>
      db.prepare(
        `SELECT ${COLUMNS} FROM jobs WHERE lease_owner IS NULL AND delayed = 0 AND realtime_s ${kind} ${ORDER} LIMIT 1`,
      );
    this.#nextOf = { virtual: nextOf('IS NULL'), realtime: nextOf('IS NOT NULL') };
    this.#place = db.prepare('SELECT priority, position FROM jobs WHERE run_id = ? AND lease_owner IS NULL');
    // Runs are queued in the order of the matrix.
    this.#last = db
      .prepare(
        `SELECT j.run_id FROM experiment_runs er JOIN jobs j ON j.run_id = er.run_id
         WHERE er.experiment_id = @experiment AND j.lease_owner IS NULL
           AND EXISTS (SELECT 1 FROM experiment_states WHERE experiment_id = @experiment AND state = 'queued' AND runs > 0)
         ORDER BY er.position DESC LIMIT 1`,
      )
      .pluck();
    this.#ahead = db.prepare(
      `WITH parts AS (
         SELECT runs, packets, realtime_core_s, realtime_cores FROM job_blocks
         WHERE priority > @priority OR (priority = @priority AND block < @block)
         UNION ALL
         SELECT realtime_s IS NULL, IIF(realtime_s IS NULL, packets, 0.0), COALESCE(realtime_s * cores, 0.0),
           IIF(realtime_s IS NULL, 0, cores)
         FROM jobs WHERE lease_owner IS NULL AND delayed = 0 AND priority = @priority AND position >= @block << 9 AND position <= @position),
       own AS (
         SELECT packets, realtime_s
         FROM (SELECT run_id, packets, realtime_s FROM jobs
           WHERE lease_owner IS NULL AND delayed = 0 AND priority = @priority AND position <= @position
           ORDER BY position DESC LIMIT ${LAST_RUNS}) j
         WHERE EXISTS (SELECT 1 FROM experiment_runs WHERE run_id = j.run_id AND experiment_id = @experiment))
       SELECT COALESCE(SUM(runs), 0) AS runs, COALESCE(SUM(packets), 0.0) AS packets,
         COALESCE(SUM(realtime_core_s), 0.0) AS realtime_core_s, COALESCE(SUM(realtime_cores), 0) AS realtime_cores,
         (SELECT MAX(packets) FROM own WHERE realtime_s IS NULL) AS most_packets,
         (SELECT MAX(realtime_s) FROM own) AS most_realtime_s
       FROM parts`,
    );
    this.#all = db.prepare(
      `SELECT COALESCE(SUM(runs), 0) AS runs, COALESCE(SUM(packets), 0.0) AS packets,
         COALESCE(SUM(realtime_core_s), 0.0) AS realtime_core_s, COALESCE(SUM(realtime_cores), 0) AS realtime_cores
       FROM job_blocks`,
    );
    this.#waiting = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE lease_owner IS NULL ${ORDER}`);
    this.#lease = db.prepare(
      'UPDATE jobs SET lease_owner = ?, attempts = attempts + 1 WHERE run_id = ? AND lease_owner IS NULL',
    );
    this.#release = db.prepare('UPDATE jobs SET lease_owner = NULL, attempts = attempts - 1 WHERE run_id = ?');
    this.#lost = db.prepare('SELECT run_id FROM jobs WHERE lease_owner IS NOT NULL AND lease_owner <> ?').pluck();
    this.#releaseAll = db.prepare('UPDATE jobs SET lease_owner = NULL WHERE lease_owner <> ?');
    this.#remove = db.prepare('DELETE FROM jobs WHERE run_id = ?');
    this.#removeAll = db.prepare('DELETE FROM jobs WHERE run_id IN (SELECT value FROM json_each(?))');
    this.#count = db.prepare('SELECT COUNT(*) FROM jobs WHERE lease_owner IS NULL').pluck();
    this.#setBack = db.prepare(
      'UPDATE jobs SET lease_owner = NULL, setbacks = @setbacks, delayed = @delayed WHERE run_id = @run',
    );
    this.#setbacks = db.prepare('SELECT setbacks FROM jobs WHERE run_id = ?').pluck();
    this.#recount = db.prepare('UPDATE jobs SET setbacks = @setbacks WHERE run_id = @run');
    this.#withSetbacks = db.prepare("SELECT run_id FROM jobs WHERE setbacks <> '{}'").pluck();
    this.#wake = db.prepare('UPDATE jobs SET delayed = 0 WHERE run_id = ?');
    this.#wakeAll = db.prepare('UPDATE jobs SET delayed = 0 WHERE delayed = 1');
    this.#letGo = db.prepare(
      `UPDATE jobs SET lease_owner = NULL WHERE lease_owner = '${HELD}' AND run_id IN (
         SELECT run_id FROM experiment_runs WHERE experiment_id = ? AND position >= ? AND position < ?)`,
    );
    this.#letAllGo = db.prepare(`UPDATE jobs SET lease_owner = NULL WHERE lease_owner = '${HELD}'`);
    this.#top = db
      .prepare('SELECT priority FROM jobs WHERE lease_owner IS NULL AND delayed = 0 ORDER BY priority DESC LIMIT 1')
      .pluck();
    this.#raise = db.prepare(
      `UPDATE jobs SET priority = @priority WHERE lease_owner IS NULL AND run_id IN (
         SELECT run_id FROM experiment_runs WHERE experiment_id = @experiment AND position >= @from AND position < @to)`,
    );
    this.#raiseRun = db.prepare('UPDATE jobs SET priority = ? WHERE lease_owner IS NULL AND run_id = ?');
  }

  /** `held`: it does not start before it is let go. */
  add(job: NewJob, held = false): void {
    const { share = '' } = job;
    this.#add.run({ ...job, share, position: this.#turns.next(share, job), owner: held ? HELD : null });
    this.#lastOf.clear();
  }

  /** Of an experiment's runs from one place in its matrix to another. */
  letGo(experiment: string, from: number, to: number): void {
    this.#letGo.run(experiment, from, to);
    this.#lastOf.clear();
  }

  /** What a server held that is gone. */
  letAllGo(): void {
    this.#letAllGo.run();
  }

  /** What should be started next. */
  next(): Job | null {
    const row = this.#next.get();
    return row === undefined ? null : Job.parse(row);
  }

  /** The same of runs in virtual time, or of the others. */
  nextOf(kind: 'virtual' | 'realtime'): Job | null {
    const row = this.#nextOf[kind].get();
    return row === undefined ? null : Job.parse(row);
  }

  /** Everything that waits, in the order in which it will be started. */
  waiting(): Job[] {
    return this.#waiting.all().map((row) => Job.parse(row));
  }

  /** Null when none of the experiment's runs waits. */
  ahead(experiment: string): Ahead | null {
    const place = this.#placeOfLast(experiment);
    return place === null ? null : Ahead.parse(this.#ahead.get({ experiment, ...place, block: blockOf(place) }));
  }

  /** Of everything that waits. */
  all(): Pick<Ahead, 'runs' | 'packets' | 'realtime_core_s' | 'realtime_cores'> {
    return Ahead.pick({ runs: true, packets: true, realtime_core_s: true, realtime_cores: true }).parse(
      this.#all.get(),
    );
  }

  #placeOfLast(experiment: string): Place | null {
    const known = this.#lastOf.get(experiment);
    const place = known === undefined ? undefined : this.#place.get(known);
    if (place !== undefined) return Place.parse(place);
    const last = this.#last.get({ experiment });
    if (typeof last !== 'string') return null;
    this.#lastOf.set(experiment, last);
    return Place.parse(this.#place.get(last));
  }

  lease(run: string, owner: string): boolean {
    return this.#lease.run(owner, run).changes > 0;
  }

  /** Gives the job back unharmed: it was this server that let go of it. */
  release(run: string): void {
    this.#release.run(run);
    this.#lastOf.clear();
  }

  /** Takes back what servers that are gone had in hand; gives the runs. What waited a while has waited long enough. */
  recover(owner: string): string[] {
    const lost = z.array(z.string()).parse(this.#lost.all(owner));
    this.#releaseAll.run(owner);
    this.#wakeAll.run();
    return lost;
  }

  /** How many wait. */
  count(): number {
    return Number(this.#count.get());
  }

  setbacks(run: string): Setbacks {
    const text = this.#setbacks.get(run);
    return typeof text === 'string' ? Setbacks.parse(fromJson(text)) : NO_SETBACKS;
  }

  /** The runs with which something has come between. */
  withSetbacks(): string[] {
    return z.array(z.string()).parse(this.#withSetbacks.all());
  }

  /** Gives the job back with what came between; `delayed`: it is not to be started before `wake`. */
  setBack(run: string, setbacks: Setbacks, delayed: boolean): void {
    this.#setBack.run({ run, setbacks: JSON.stringify(setbacks), delayed: delayed ? 1 : 0 });
    this.#lastOf.clear();
  }

  wake(run: string): void {
    this.#wake.run(run);
  }

  remove(run: string): void {
    this.#remove.run(run);
  }

  /** Only what counts against it: whether and how long it waits stays. */
  recount(run: string, setbacks: Setbacks): void {
    this.#recount.run({ run, setbacks: JSON.stringify(setbacks) });
  }

  removeAll(runs: readonly string[]): void {
    this.#removeAll.run(JSON.stringify(runs));
  }

  /** The greatest priority of any job that waits. */
  top(): number {
    return Number(this.#top.get() ?? 0);
  }

  /** Whether all of an experiment's waiting runs go before those of the others. */
  isFirst(experiment: string): boolean {
    const place = this.#placeOfLast(experiment);
    return place === null || (place.priority > 0 && place.priority === this.top());
  }

  /** Gives a priority to an experiment's waiting runs from one place in its matrix to another. */
  raise(experiment: string, priority: number, from: number, to: number): void {
    this.#raise.run({ experiment, priority, from, to });
  }

  raiseRun(run: string): void {
    this.#raiseRun.run(this.top() + 1, run);
  }
}
