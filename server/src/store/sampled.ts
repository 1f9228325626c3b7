import { RunSampled, type SampleFamily } from '#protocol/sampled';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

/** What runs' samples came to, by whichever version of the analysis. */
export class SampledStore {
  readonly #get;
  readonly #set;

  constructor(db: Db) {
    this.#get = db.prepare('SELECT body FROM run_sampled WHERE run_id = ? AND family = ? AND version = ?').pluck();
    this.#set = db.prepare('INSERT OR REPLACE INTO run_sampled (run_id, family, version, body) VALUES (?, ?, ?, ?)');
  }

  /** null: it was not made by this version. */
  get(run: string, family: SampleFamily, version: string): RunSampled | null {
    const text = this.#get.get(run, family, version);
    if (typeof text !== 'string') return null;
    const parsed = RunSampled.safeParse(fromJson(text));
    return parsed.success ? parsed.data : null;
  }

  set(run: string, family: SampleFamily, version: string, sampled: RunSampled): void {
    this.#set.run(run, family, version, JSON.stringify(sampled));
  }
}
