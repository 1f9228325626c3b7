import type { Lab } from '../lab.ts';
import type { Outlet } from './outlet.ts';
import { Pacer } from './pacer.ts';

const TURN_MS = 100;
/** What has ended so shortly before the watch began may have been missed by what the viewer read before. */
const RECENT_MS = 60_000;

/** Tells one viewer how an experiment's runs stand. What changes several times between two turns is told once, as it then is. */
export class ExperimentWatch {
  readonly #id: string;
  readonly #lab: Lab;
  readonly #outlet: Outlet;
  readonly #runs: ReadonlySet<string>;
  readonly #changed: Set<string>;
  readonly #pacer: Pacer;
  readonly #stopListening: () => void;

  constructor(id: string, lab: Lab, outlet: Outlet, failed: (error: unknown) => void) {
    this.#id = id;
    this.#pacer = new Pacer(TURN_MS, () => this.#turn(), failed);
    this.#lab = lab;
    this.#outlet = outlet;
    this.#runs = new Set(lab.store.experiments.runIds(id));
    const since = new Date(Date.now() - RECENT_MS).toISOString();
    this.#changed = new Set(lab.store.experiments.recentRunIds(id, since));
    this.#stopListening = lab.feed.onAny((run) => {
      if (!this.#runs.has(run)) return;
      this.#changed.add(run);
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

  #turn(): void {
    const { experiments } = this.#lab;
    for (const run of this.#changed) {
      if (this.#outlet.isFull()) return;
      this.#changed.delete(run);
      for (const ref of experiments.refsOfRun(this.#id, run))
        this.#outlet.send({ type: 'run', experiment: this.#id, run: ref });
    }
    const { state, runs_done, runs_failed, runs_total } = experiments.item(this.#id);
    const eta_s = experiments.eta(this.#id);
    this.#outlet.send({ type: 'experiment', experiment: this.#id, state, runs_done, runs_failed, runs_total, eta_s });
  }
}
