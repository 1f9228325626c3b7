import { MOST_RECENT } from '../jobs/feed.ts';
import type { Lab } from '../lab.ts';
import type { Outlet } from './outlet.ts';
import { Pacer } from './pacer.ts';

const TURN_MS = 100;
/** Runs told of in one turn: the server has others to answer. */
const MOST_AT_ONCE = 200;
/** A page that holds all runs of an experiment holds no more than that: of a larger one each turn tells the newest changes only. */
const MOST_HELD = 5000;
const NEWEST = 20;

/** Tells one viewer how an experiment's runs stand. What changes several times between two turns is told once, as it then is. */
export class ExperimentWatch {
  readonly #id: string;
  readonly #lab: Lab;
  readonly #outlet: Outlet;
  /** Of runs that changed before: whether they are the experiment's. Few go on at a time. */
  readonly #own = new Map<string, boolean>();
  #changed: Set<string>;
  readonly #pacer: Pacer;
  readonly #stopListening: () => void;

  constructor(id: string, lab: Lab, outlet: Outlet, failed: (error: unknown) => void) {
    this.#id = id;
    this.#pacer = new Pacer(TURN_MS, () => this.#turn(), failed);
    this.#lab = lab;
    this.#outlet = outlet;
    const { experiments } = lab.store;
    const news = [...lab.scheduler.active.keys(), ...lab.feed.recent()];
    this.#changed = new Set(news.filter((run) => experiments.has(id, run)));
    this.#stopListening = lab.feed.onAny((run) => {
      if (!this.#isOwn(run)) return;
      this.#changed.add(run);
      if (this.#changed.size > 2 * MOST_HELD) this.#forget(MOST_HELD);
      this.#pacer.poke();
    });
    this.#pacer.poke();
  }

  close(): void {
    this.#stopListening();
    this.#pacer.stop();
  }

  resume(): void {
    if (this.#changed.size > 0) this.#pacer.poke();
  }

  #isOwn(run: string): boolean {
    const known = this.#own.get(run);
    if (known !== undefined) return known;
    if (this.#own.size >= MOST_RECENT) this.#own.clear();
    const own = this.#lab.store.experiments.has(this.#id, run);
    this.#own.set(run, own);
    return own;
  }

  /** All but the newest changes. */
  #forget(newest: number): void {
    this.#changed = new Set([...this.#changed].slice(-newest));
  }

  #turn(): void {
    const { experiments } = this.#lab;
    const { state, runs_done, runs_failed, runs_total } = experiments.item(this.#id);
    if (runs_total > MOST_HELD && this.#changed.size > NEWEST) this.#forget(NEWEST);
    let told = 0;
    for (const run of this.#changed) {
      if (this.#outlet.isFull()) return;
      if (told++ === MOST_AT_ONCE) {
        this.#pacer.poke();
        break;
      }
      this.#changed.delete(run);
      for (const ref of experiments.refsOfRun(this.#id, run))
        this.#outlet.send({ type: 'run', experiment: this.#id, run: ref });
    }
    const eta_s = experiments.eta(this.#id);
    this.#outlet.send({ type: 'experiment', experiment: this.#id, state, runs_done, runs_failed, runs_total, eta_s });
  }
}
