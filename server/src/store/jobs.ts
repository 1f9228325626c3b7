import { z } from 'zod';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

const Count = z.int().min(0).default(0);

/** What has come between a run and its end without being its fault: how often, by its kind. */
export const Setbacks = z.object({
  crashed: Count,
  hung: Count,
  killed: Count,
  /** The server ended while no other run was going. */
  server: Count,
  /** The server ended while others were going, too. */
  among_others: Count,
  last: z
    .object({ kind: z.enum(['crashed', 'hung', 'killed', 'server']), reason: z.string() })
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

/** What is to be done before the last of an experiment's waiting runs is over, that run included. */
const Ahead = z.object({
  /** Virtual runs and their packets. */
  runs: z.int(),
  packets: z.number(),
  /** Real-time runs: seconds by the clock times cores. */
  realtime_core_s: z.number(),
  realtime_cores: z.int(),
  /** The longest of the experiment's own. */
  most_packets: z.number().nullable(),
  most_realtime_s: z.number().nullable(),
});
export type Ahead = z.infer<typeof Ahead>;

const COLUMNS = 'run_id, cores, packets, realtime_s, attempts, setbacks';
const ORDER = 'ORDER BY priority DESC, position';

export class JobStore {
  readonly #add;
  readonly #next;
  readonly #ahead;
  readonly #waiting;
  readonly #lease;
  readonly #release;
  readonly #releaseAll;
  readonly #lost;
  readonly #remove;
  readonly #setBack;
  readonly #setbacks;
  readonly #withSetbacks;
  readonly #wake;
  readonly #wakeAll;
  readonly #count;
  readonly #raise;
  readonly #raiseRun;

  constructor(db: Db) {
    this.#add = db.prepare(
      `INSERT INTO jobs (run_id, cores, packets, realtime_s) VALUES (@run_id, @cores, @packets, @realtime_s)
       ON CONFLICT (run_id) DO NOTHING`,
    );
    this.#next = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE lease_owner IS NULL AND delayed = 0 ${ORDER} LIMIT 1`);
    const own = `FROM jobs o WHERE o.lease_owner IS NULL
      AND o.run_id IN (SELECT run_id FROM experiment_runs WHERE experiment_id = @experiment)`;
    this.#ahead = db.prepare(
      `WITH last AS (SELECT priority, position ${own} ORDER BY priority, position DESC LIMIT 1)
       SELECT COUNT(*) FILTER (WHERE j.realtime_s IS NULL) AS runs,
         COALESCE(SUM(j.packets) FILTER (WHERE j.realtime_s IS NULL), 0.0) AS packets,
         COALESCE(SUM(j.realtime_s * j.cores), 0.0) AS realtime_core_s,
         COALESCE(SUM(j.cores) FILTER (WHERE j.realtime_s IS NOT NULL), 0) AS realtime_cores,
         (SELECT MAX(packets) ${own} AND o.realtime_s IS NULL) AS most_packets,
         (SELECT MAX(realtime_s) ${own}) AS most_realtime_s
       FROM last JOIN jobs j ON j.priority > last.priority OR (j.priority = last.priority AND j.position <= last.position)
       WHERE j.lease_owner IS NULL`,
    );
    this.#waiting = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE lease_owner IS NULL ${ORDER}`);
    this.#lease = db.prepare(
      'UPDATE jobs SET lease_owner = ?, attempts = attempts + 1 WHERE run_id = ? AND lease_owner IS NULL',
    );
    this.#release = db.prepare('UPDATE jobs SET lease_owner = NULL, attempts = attempts - 1 WHERE run_id = ?');
    this.#lost = db.prepare('SELECT run_id FROM jobs WHERE lease_owner IS NOT NULL AND lease_owner <> ?').pluck();
    this.#releaseAll = db.prepare('UPDATE jobs SET lease_owner = NULL WHERE lease_owner <> ?');
    this.#remove = db.prepare('DELETE FROM jobs WHERE run_id = ?');
    this.#count = db.prepare('SELECT COUNT(*) FROM jobs WHERE lease_owner IS NULL').pluck();
    this.#setBack = db.prepare(
      'UPDATE jobs SET lease_owner = NULL, setbacks = @setbacks, delayed = @delayed WHERE run_id = @run',
    );
    this.#setbacks = db.prepare('SELECT setbacks FROM jobs WHERE run_id = ?').pluck();
    this.#withSetbacks = db.prepare("SELECT run_id FROM jobs WHERE setbacks <> '{}'").pluck();
    this.#wake = db.prepare('UPDATE jobs SET delayed = 0 WHERE run_id = ?');
    this.#wakeAll = db.prepare('UPDATE jobs SET delayed = 0 WHERE delayed = 1');
    const top = '(SELECT COALESCE(MAX(priority), 0) + 1 FROM jobs)';
    this.#raise = db.prepare(
      `UPDATE jobs SET priority = ${top} WHERE lease_owner IS NULL
       AND run_id IN (SELECT run_id FROM experiment_runs WHERE experiment_id = ?)`,
    );
    this.#raiseRun = db.prepare(`UPDATE jobs SET priority = ${top} WHERE lease_owner IS NULL AND run_id = ?`);
  }

  add(job: Omit<Job, 'attempts' | 'setbacks'>): void {
    this.#add.run(job);
  }

  /** What should be started next. */
  next(): Job | null {
    const row = this.#next.get();
    return row === undefined ? null : Job.parse(row);
  }

  /** Everything that waits, in the order in which it will be started. */
  waiting(): Job[] {
    return this.#waiting.all().map((row) => Job.parse(row));
  }

  /** Null when none of the experiment's runs waits. */
  ahead(experiment: string): Ahead | null {
    const ahead = Ahead.parse(this.#ahead.get({ experiment }));
    return ahead.runs === 0 && ahead.realtime_cores === 0 ? null : ahead;
  }

  lease(run: string, owner: string): boolean {
    return this.#lease.run(owner, run).changes > 0;
  }

  /** Gives the job back unharmed: it was this server that let go of it. */
  release(run: string): void {
    this.#release.run(run);
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
  }

  wake(run: string): void {
    this.#wake.run(run);
  }

  remove(run: string): void {
    this.#remove.run(run);
  }

  /** Puts an experiment's waiting runs before all others. */
  raise(experiment: string): void {
    this.#raise.run(experiment);
  }

  raiseRun(run: string): void {
    this.#raiseRun.run(run);
  }
}
