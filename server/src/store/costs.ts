import { z } from 'zod';
import type { Db } from './database.ts';

const Spent = z.object({ cpu_s: z.number(), runs: z.int(), elsewhere: z.int() });
/** `runs` tell what they took; `elsewhere` of them were made by workers. */
export type Spent = z.infer<typeof Spent>;

/** What experiments took of processors: of the runs that they have, as they stand. */
export class CostStore {
  readonly #of;

  constructor(db: Db) {
    this.#of = db.prepare(
      `SELECT COALESCE(SUM(cpu_s), 0.0) AS cpu_s, COALESCE(SUM(runs), 0) AS runs,
         COALESCE(SUM(runs) FILTER (WHERE worker <> ''), 0) AS elsewhere
       FROM experiment_costs WHERE experiment_id = ?`,
    );
  }

  of(experiment: string): Spent {
    return Spent.parse(this.#of.get(experiment));
  }
}
