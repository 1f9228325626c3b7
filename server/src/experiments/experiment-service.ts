import type { ExperimentListItem, ExperimentRecord, Plan, RunRecord, RunRef } from '#protocol/api';
import type { LinkChange } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { ExperimentSpec } from '#protocol/spec';
import { isMeasured } from '#analysis/kinds';
import { planOf } from '#analysis/plan';
import { expandSpec, type Expansion } from '#analysis/planner';
import { bytesIn, PACKET_BYTES } from '#analysis/limits';
import type { Engine } from '../engine.ts';
import { AppError } from '../errors.ts';
import { experimentId, newMeasurement, runId, runIdOf } from '../identity.ts';
import type { Outlook } from '../jobs/outlook.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Store } from '../store/store.ts';
import type { TraceService } from '../traces/trace-service.ts';
import type { WeightsService } from '../traces/weights-service.ts';

/** The emulator has one core to itself, senders and receivers share another. */
const REALTIME_CORES = 2;
const RETRYABLE = ['failed', 'cancelled', 'invalid'];

interface Parts {
  readonly store: Store;
  readonly engine: Engine;
  readonly traces: TraceService;
  readonly weights: WeightsService;
  readonly scheduler: Scheduler;
  readonly outlook: Outlook;
}

/** From a spec to queued runs, and everything a person may do with an experiment afterwards. */
export class ExperimentService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async plan(spec: ExperimentSpec): Promise<Plan> {
    const { engine, traces, scheduler, store } = this.#parts;
    const listing = await engine.listing();
    const { workers, speed } = scheduler;
    const pace = {
      ...speed.state,
      virtual_workers: workers,
      realtime_workers: Math.max(1, Math.floor(workers / REALTIME_CORES)),
    };
    const isStored = (canonical: string): boolean => store.runs.state(runIdOf(canonical)) === 'done';
    return planOf(await this.#expand(spec), listing, traces.find, pace, isStored);
  }

  /** Queues what is not there yet. The same spec again is the same experiment; what failed or was stopped is run again. */
  async submit(spec: ExperimentSpec): Promise<{ readonly id: string; readonly created: boolean }> {
    const { engine, store, scheduler } = this.#parts;
    const listing = await engine.listing();
    const measurement = isMeasured(spec, listing) ? newMeasurement() : undefined;
    const expansion = await this.#expand(spec, measurement);
    const id = experimentId(expansion.spec, listing.engine_version, measurement);
    const created_at = new Date().toISOString();
    const runs = expansion.runs.map(({ manifest, cell, role, repetition }) => ({
      id: runId(manifest),
      manifest,
      cell,
      role,
      repetition,
    }));
    const created = store.transaction(() => {
      for (const run of runs) {
        if (store.runs.insert(run.id, run.manifest, created_at)) this.#enqueue(run.id, run.manifest);
        else this.#again(run.id, ['failed', 'cancelled']);
      }
      const added = store.experiments.insert({ id, created_at, spec: expansion.spec, cells: expansion.cells, runs });
      store.experiments.setStopped(id, false);
      return added;
    });
    scheduler.pump();
    return { id, created };
  }

  list(): ExperimentListItem[] {
    return this.#parts.store.experiments.list();
  }

  item(id: string): ExperimentListItem {
    const item = this.#parts.store.experiments.item(id);
    if (item === null) throw new AppError('EXPERIMENT_UNKNOWN', `there is no experiment ${id}`, { where: id });
    return item;
  }

  get(id: string): ExperimentRecord {
    const item = this.item(id);
    const detail = this.#parts.store.experiments.detail(id);
    if (detail === null) throw new AppError('EXPERIMENT_UNKNOWN', `there is no experiment ${id}`, { where: id });
    const runs = this.#parts.store.experiments.refs(id).map((ref) => this.#current(ref));
    return { ...item, ...detail, runs, eta_s: this.eta(id) };
  }

  eta(id: string): number | null {
    return this.#parts.outlook.experimentSeconds(id);
  }

  /** A run's places in the experiment, as they stand. */
  refsOfRun(id: string, run: string): RunRef[] {
    return this.#parts.store.experiments.refsOfRun(id, run).map((ref) => this.#current(ref));
  }

  /** Ends what is going on and takes the rest out of the queue, except what another experiment waits for. */
  async stop(id: string): Promise<void> {
    this.item(id);
    const { store } = this.#parts;
    store.experiments.setStopped(id, true);
    const open = store.experiments.runIds(id).filter((run) => !store.experiments.wanted(run));
    await this.#cancel(open);
  }

  retry(id: string): void {
    this.item(id);
    const { store, scheduler } = this.#parts;
    store.transaction(() => {
      store.experiments.setStopped(id, false);
      for (const run of store.experiments.runIds(id)) this.#again(run, RETRYABLE);
    });
    scheduler.pump();
  }

  run(id: string): RunRecord {
    const record = this.#parts.store.runs.get(id);
    if (record === null) throw new AppError('RUN_UNKNOWN', `there is no run ${id}`, { where: id });
    const setback = this.#parts.scheduler.setbackOf(id);
    if (record.state === 'queued') return { ...record, reason: this.#parts.outlook.waitReason(id), setback };
    return { ...record, time_s: this.#parts.scheduler.recordingOf(id)?.time_s ?? record.time_s, setback };
  }

  async stopRun(id: string): Promise<void> {
    this.run(id);
    await this.#cancel([id]);
  }

  /** Changes the link of a run that goes on, if its program can. */
  changeLink(id: string, change: LinkChange): void {
    const { state, manifest } = this.run(id);
    if (manifest.engine !== 'realtime')
      throw new AppError('RUN_LINK_FIXED', 'only runs in real time can be changed while they go on; this one is not');
    const changeLink = this.#parts.scheduler.active.get(id)?.changeLink ?? null;
    if (changeLink === null) throw new AppError('RUN_LINK_FIXED', `run ${id} is ${state}: it must be going on`);
    changeLink(change);
  }

  retryRun(id: string): void {
    const { state } = this.run(id);
    if (!RETRYABLE.includes(state))
      throw new AppError(
        'RUN_NOT_RETRYABLE',
        `run ${id} is ${state}; only what failed, was stopped or is invalid can be retried`,
      );
    this.#parts.store.transaction(() => {
      this.#again(id, RETRYABLE);
    });
    this.#parts.scheduler.pump();
  }

  /** Somebody looks at it: its runs go first. */
  lookAt(id: string): void {
    this.#parts.store.jobs.raise(id);
  }

  async #expand(spec: ExperimentSpec, measurement?: string): Promise<Expansion> {
    const { engine, traces, weights } = this.#parts;
    const expansion = expandSpec(spec, {
      engine: await engine.listing(),
      findTrace: traces.find,
      findWeights: weights.find,
      measurement,
    });
    if (expansion.ok) return expansion;
    const faults = expansion.problems.map(({ path, message }) => ({ where: path.join('.'), detail: message }));
    const [first] = faults;
    throw new AppError('SPEC_INVALID', first?.detail ?? 'the spec is not valid', {
      ...(first === undefined || first.where === '' ? {} : { where: first.where }),
      faults,
    });
  }

  #enqueue(id: string, manifest: RunManifest): void {
    const { scheduler, store, traces } = this.#parts;
    const { capacity } = manifest.forward;
    const mbps =
      capacity.kind === 'trace'
        ? (traces.find(capacity.sha256)?.mean_mbps ?? 0)
        : capacity.kind === 'constant'
          ? capacity.rate_mbps
          : 0;
    const realtime = manifest.engine === 'realtime';
    store.jobs.add({
      run_id: id,
      cores: realtime ? Math.min(REALTIME_CORES, scheduler.workers) : 1,
      packets: bytesIn(mbps, manifest.duration_s * 1e3) / PACKET_BYTES,
      realtime_s: realtime ? manifest.duration_s : null,
    });
  }

  /** Back into the queue if it is in one of these states. */
  #again(id: string, states: readonly string[]): void {
    const { scheduler, store } = this.#parts;
    if (!states.includes(store.runs.state(id) ?? '')) return;
    const manifest = store.runs.manifest(id);
    if (manifest === null) return;
    scheduler.forget(id);
    store.runs.reset(id);
    this.#enqueue(id, manifest);
  }

  async #cancel(runs: readonly string[]): Promise<void> {
    const { store, scheduler } = this.#parts;
    const going = runs.filter((run) => scheduler.active.has(run));
    const waiting = runs.filter((run) => store.runs.state(run) === 'queued');
    scheduler.cancelWaiting(waiting);
    await Promise.all(going.map((run) => scheduler.stop(run)));
  }

  #current(ref: RunRef): RunRef {
    if (ref.state === 'queued') return { ...ref, reason: this.#parts.outlook.waitReason(ref.id) };
    return { ...ref, time_s: this.#parts.scheduler.recordingOf(ref.id)?.time_s ?? ref.time_s };
  }
}
