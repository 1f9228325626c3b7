// What a person does with experiments, runs and traces beside making them: names, notes, tags and stars, put away, delete, and undo it.
import { tracesOfSpec } from '#analysis/trace-owners';
import type { PrivateKind } from '#protocol/access';
import type { LabelKind, Labels, LabelsChange } from '#protocol/labels';
import { AppError } from '../errors.ts';
import type { ExperimentService } from '../experiments/experiment-service.ts';
import { homeExperiment } from '../experiments/home-experiment.ts';
import { nameOf, type OwnAlgorithms } from '../own/own-algorithms.ts';
import type { Slices } from '../slices.ts';
import type { Eyes } from '../store/private.ts';
import type { Store } from '../store/store.ts';
import type { TraceService } from '../traces/trace-service.ts';
import type { WeightsService } from '../traces/weights-service.ts';
import { notRestorable } from './deleted.ts';
import { needs, usersOf } from './users.ts';

interface Parts {
  readonly store: Store;
  readonly experiments: ExperimentService;
  readonly traces: TraceService;
  readonly weights: WeightsService;
  readonly ownAlgorithms: OwnAlgorithms;
  readonly slices: Slices;
  readonly now: () => number;
}

const USERS_NAMED = 3;
/** Everything that is deleted was so before. */
const LAST_MOMENT = '9999';

export class Organiser {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Also of what is deleted. */
  get(kind: LabelKind, id: string): Labels {
    const labels = this.#parts.store.labels.get(kind, id);
    // What is deleted may have been removed already, or is about to be.
    if (labels.deleted === null || this.#parts.store.labels.isRemoving(kind, id)) this.#mustBeThere(kind, id);
    return labels;
  }

  change(kind: LabelKind, id: string, change: LabelsChange): Labels {
    const { store, traces, now } = this.#parts;
    this.#mustBeThere(kind, id);
    const { name, ...said } = change;
    // The name of a trace is its own: specs may use it, and the one it had goes on meaning it.
    const renames = kind === 'trace' && name !== undefined && name !== null && name !== '';
    if (renames) traces.change(id, { name });
    const given = kind === 'trace' ? said : change;
    store.transaction(() => store.labels.change(kind, id, given, new Date(now()).toISOString()));
    return store.labels.get(kind, id);
  }

  /** It is stopped if it goes on; until it is removed it can be restored. */
  async deleteExperiment(id: string): Promise<Labels> {
    const { store, experiments } = this.#parts;
    const { name, state } = experiments.item(id);
    if (homeExperiment(store) === id)
      throw new AppError('IN_USE', `the home page shows “${name}”`, {
        where: id,
        hint: 'Archive it to have it out of the list.',
      });
    if (state === 'queued' || state === 'running') await experiments.stop(id);
    return this.#delete('experiment', id);
  }

  async deleteTrace(id: string, eyes: Eyes = 'all'): Promise<Labels> {
    const { name, origin } = this.#parts.traces.get(id);
    if (origin === 'library')
      throw new AppError('TRACE_SHIPPED', `${name} is shipped with Paceline, which would bring it back`, {
        where: id,
        hint: 'Archive it to have it out of the list.',
      });
    await this.#mustBeUnused(id, `the trace “${name}”`, eyes);
    this.#parts.traces.get(id);
    const labels = this.#delete('trace', id);
    this.#parts.traces.forget();
    return labels;
  }

  async deleteWeights(id: string, eyes: Eyes = 'all'): Promise<void> {
    const { weights, now } = this.#parts;
    await this.#mustBeUnused(id, `the weights file “${weights.get(id).info.name}”`, eyes);
    weights.get(id);
    weights.delete(id, new Date(now()).toISOString());
  }

  async deleteAlgorithm(id: string, eyes: Eyes = 'all'): Promise<void> {
    const { ownAlgorithms, now } = this.#parts;
    await this.#mustBeUnused(id, nameOf(ownAlgorithms.get(id)), eyes);
    ownAlgorithms.get(id);
    ownAlgorithms.delete(id, new Date(now()).toISOString());
  }

  /** All who may look at anything see it from now on. */
  publish(kind: PrivateKind, id: string): void {
    const { store, traces } = this.#parts;
    this.#mustBeThere(kind, id);
    if (kind === 'experiment') this.#mustHaveNothingPrivate(id);
    store.private.publish(kind, id);
    traces.forget();
  }

  /** Refuses an experiment whose runs tell of what is still private. */
  #mustHaveNothingPrivate(id: string): void {
    const { store, traces } = this.#parts;
    const spec = store.experiments.spec(id);
    const still = spec === null ? [] : tracesOfSpec(spec).filter((trace) => traces.isPrivate(trace));
    if (still.length === 0) return;
    const names = still.map((trace) => `“${traces.get(trace).name}”`);
    const [is, that] = still.length === 1 ? ['is', 'that'] : ['are', 'those'];
    throw new AppError(
      'STILL_PRIVATE',
      `it runs over ${new Intl.ListFormat('en').format(names)}, which ${is} private`,
      { where: id, hint: `Publish ${that} first.` },
    );
  }

  /** With the traces, weights and own algorithms that it needs. */
  async restoreExperiment(id: string): Promise<Labels> {
    const { store, slices, traces, weights, ownAlgorithms } = this.#parts;
    if (store.labels.isRemoving('experiment', id)) throw notRestorable(id);
    if (store.experiments.isReady(id) === null) this.#parts.experiments.item(id);
    store.labels.restore('experiment', id);
    for (const trace of store.labels.deletedBefore('trace', LAST_MOMENT))
      if (await needs(store, slices, id, trace)) store.labels.restore('trace', trace);
    for (const file of weights.deletedBefore(LAST_MOMENT))
      if (await needs(store, slices, id, file)) weights.restore(file);
    for (const algorithm of ownAlgorithms.deletedBefore(LAST_MOMENT))
      if (await needs(store, slices, id, algorithm)) ownAlgorithms.restore(algorithm);
    traces.forget();
    return store.labels.get('experiment', id);
  }

  restoreTrace(id: string): Labels {
    const { store, traces } = this.#parts;
    store.labels.restore('trace', id);
    traces.forget();
    traces.get(id);
    return store.labels.get('trace', id);
  }

  #delete(kind: LabelKind, id: string): Labels {
    const { store, now } = this.#parts;
    store.labels.delete(kind, id, new Date(now()).toISOString());
    return store.labels.get(kind, id);
  }

  #mustBeThere(kind: LabelKind, id: string): void {
    const { experiments, traces } = this.#parts;
    if (kind === 'experiment') experiments.item(id);
    else if (kind === 'run') experiments.run(id);
    else traces.get(id);
  }

  async #mustBeUnused(id: string, what: string, eyes: Eyes): Promise<void> {
    const { store, slices } = this.#parts;
    const users = (await usersOf(store, slices, id, eyes)).filter(({ deleted }) => !deleted).map(({ name }) => name);
    if (users.length === 0) return;
    const named = [
      ...users.slice(0, USERS_NAMED),
      ...(users.length > USERS_NAMED ? [`${users.length - USERS_NAMED} more`] : []),
    ];
    throw new AppError('IN_USE', `${what} is needed by ${new Intl.ListFormat('en').format(named)}`, {
      where: id,
      hint: 'Delete these first, or archive it to have it out of the list.',
    });
  }
}
