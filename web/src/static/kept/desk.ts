// Experiments and runs of this browser, as all of the page sees them: in memory, and in the database so that they are there tomorrow. Other
// pages of the same site tell each other what they have changed.
import { ownName } from '../../ui/place';
import { database, kept, type KeptExperiment, type KeptRun } from './database';

export interface Change {
  readonly kind: 'run' | 'experiment';
  readonly id: string;
}

const CHANNEL = ownName('paceline-kept');

export class Desk {
  readonly experiments = new Map<string, KeptExperiment>();
  readonly runs = new Map<string, KeptRun>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #channel = new BroadcastChannel(CHANNEL);

  static async open(): Promise<Desk> {
    const desk = new Desk();
    const db = await database();
    for (const run of await db.getAll('runs')) desk.runs.set(run.id, run);
    for (const experiment of await db.getAll('experiments')) desk.experiments.set(experiment.id, experiment);
    desk.#channel.onmessage = ({ data }: MessageEvent<Change>) => void desk.#reread(data);
    return desk;
  }

  readonly listen = (listener: (change: Change) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Experiments that have the run. */
  homesOf(run: string): KeptExperiment[] {
    return [...this.experiments.values()].filter(({ places }) => places.some((place) => place.run === run));
  }

  async enter(experiment: KeptExperiment, runs: readonly KeptRun[]): Promise<void> {
    await kept(async (db) => {
      const writing = db.transaction(['experiments', 'runs'], 'readwrite');
      for (const run of runs) await writing.objectStore('runs').put(run);
      await writing.objectStore('experiments').put(experiment);
      await writing.done;
    });
    for (const run of runs) this.runs.set(run.id, run);
    this.experiments.set(experiment.id, experiment);
    for (const { id } of runs) this.#tell({ kind: 'run', id });
    this.#tell({ kind: 'experiment', id: experiment.id });
  }

  async put(run: KeptRun): Promise<void> {
    this.runs.set(run.id, run);
    await kept((db) => db.put('runs', run));
    this.#tell({ kind: 'run', id: run.id });
  }

  async putExperiment(experiment: KeptExperiment): Promise<void> {
    this.experiments.set(experiment.id, experiment);
    await kept((db) => db.put('experiments', experiment));
    this.#tell({ kind: 'experiment', id: experiment.id });
  }

  /** How far a run has come is for those who look; it is not kept. */
  progress(run: KeptRun): void {
    this.runs.set(run.id, run);
    this.#changed({ kind: 'run', id: run.id });
  }

  #tell(change: Change): void {
    this.#channel.postMessage(change);
    this.#changed(change);
  }

  #changed(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  async #reread({ kind, id }: Change): Promise<void> {
    const db = await database();
    if (kind === 'run') {
      const run = await db.get('runs', id);
      if (run !== undefined) this.runs.set(id, run);
    } else {
      const experiment = await db.get('experiments', id);
      if (experiment !== undefined) this.experiments.set(id, experiment);
    }
    this.#changed({ kind, id });
  }
}

let opened: Promise<Desk> | null = null;

export function desk(): Promise<Desk> {
  opened ??= Desk.open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}
