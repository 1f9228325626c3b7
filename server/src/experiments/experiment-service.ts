import { z } from 'zod';
import type { Maker } from '#protocol/access';
import type {
  Cell,
  ExperimentListItem,
  ExperimentRecord,
  Plan,
  RunPage,
  RunRecord,
  RunRef,
  RunState,
} from '#protocol/api';
import type { LinkChange } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import type { AskedSpec, ExperimentSpec } from '#protocol/spec';
import type { FindTrace } from '#analysis/check-spec';
import { isMeasured } from '#analysis/kinds';
import { mostBytesSteps, planSteps } from '#analysis/plan';
import { tracesOfSpec } from '#analysis/trace-owners';
import { expandSteps, type Expansion } from '#analysis/planner';
import { takeIn, type Allowance } from '../allowance.ts';
import type { Engine } from '../engine.ts';
import { AppError } from '../errors.ts';
import { experimentId, newMeasurement, runIdOf } from '../identity.ts';
import { deletion } from '../organise/deleted.ts';
import type { Removal } from '../organise/removal.ts';
import type { Outlook } from '../jobs/outlook.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Quota } from '../quota.ts';
import { ELSEWHERE, runsOfShard, type Shard } from '../shard/shard.ts';
import type { Slices } from '../slices.ts';
import type { NewJob } from '../store/jobs.ts';
import type { Checkpoints } from '../store/checkpoint.ts';
import type { StandingRun } from '../store/experiments.ts';
import { OPERATOR, type Eyes } from '../store/private.ts';
import type { Store } from '../store/store.ts';
import type { Resolved, TraceSets } from '../traces/trace-sets.ts';
import type { TraceService } from '../traces/trace-service.ts';
import type { WeightsService } from '../traces/weights-service.ts';
import { discardSteps, enterSteps, inPieces, jobOf, PIECE, shareOf, type EnterOptions } from './enter.ts';

/** The emulator has one core to itself, senders and receivers share another. */
const REALTIME_CORES = 2;
const RETRYABLE: readonly RunState[] = ['failed', 'cancelled', 'invalid'];
/** Larger experiments are answered with the first of their runs, or cells, and where the next ones begin. */
export const MOST_INLINE = 2000;
/** Of a larger one. */
const FIRST_PAGE = 100;
/** What the queue must know of a run. */
const { engine, duration_s, sample_period_ms, forward, reverse } = RunManifest.shape;
const flows = z.array(z.object({ cca: z.object({ id: z.string(), program: z.string().optional() }) }));
const Queued = z.object({ engine, duration_s, sample_period_ms, flows, forward, reverse });

interface Parts {
  readonly store: Store;
  readonly engine: Engine;
  readonly traces: TraceService;
  readonly sets: TraceSets;
  readonly weights: WeightsService;
  readonly scheduler: Scheduler;
  readonly outlook: Outlook;
  readonly slices: Slices;
  readonly checkpoints: Checkpoints;
  readonly quota: Quota;
  readonly removal: Removal;
}

export interface RunsQuery {
  readonly cell?: string | undefined;
  readonly state?: RunState | undefined;
  /** The `next` of the page before. */
  readonly after?: number | undefined;
  readonly limit: number;
  /** By place in the matrix, or backwards. */
  readonly sort?: 'position' | '-position';
}

/** An experiment with all its runs, read as they are asked for. */
export type WholeExperiment = Omit<ExperimentRecord, 'runs'> & {
  readonly runs: Iterable<RunRef>;
  /** Of the engine that it was planned for, which all its runs share. */
  readonly engine_version: string | null;
};

interface Submitted {
  readonly id: string;
  readonly created: boolean;
}

export interface Context {
  /** Whose it is when it is new; nobody named: everybody's. */
  readonly maker?: Maker | null;
  /** Who alone is to see it; left out: everybody, unless it has a private trace. */
  readonly privateTo?: Maker | undefined;
  /** Into what room it must fit; left out: the data folder's. */
  readonly allowance?: Allowance | undefined;
  /** Of who asks: traces that they may not see are not there. */
  readonly eyes?: Eyes | undefined;
  /** An experiment whose runs in real time are to count as this one's, where they are the same. */
  readonly measured_with?: string | undefined;
  /** The measurement that its runs in real time belong to; without one each submission is another. */
  readonly measurement?: string | undefined;
  /** The part of its runs that is made here; none: what others have made is brought. */
  readonly part?: Shard | 'none' | undefined;
}

const ownRuns = (expansion: Expansion, { part }: Context): ReadonlySet<string> | null =>
  part === undefined ? null : part === 'none' ? new Set() : runsOfShard(expansion, part);

/** From a spec to queued runs, and everything a person may do with an experiment afterwards. */
export class ExperimentService {
  readonly #parts: Parts;
  /** Experiments that are being written. */
  readonly #entering = new Map<string, Promise<void>>();
  /** The newest look at an experiment, while its runs are moved to the front. */
  #looked = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `signal`: nobody waits for the answer any more. */
  async plan(asked: AskedSpec, context: Context = {}, signal?: AbortSignal): Promise<Plan> {
    const resolved = await this.#parts.sets.resolve(asked, { keep: false, gone: signal, eyes: context.eyes });
    return this.#plan(await this.#expand(resolved, this.#measurementOf(context), signal), resolved.find, signal);
  }

  async #plan(expansion: Expansion, find: FindTrace, signal?: AbortSignal): Promise<Plan> {
    const { engine, scheduler, store, slices } = this.#parts;
    const listing = await engine.listing();
    const { workers, speed } = scheduler;
    const pace = {
      ...speed.state,
      virtual_workers: workers,
      realtime_workers: Math.max(1, Math.floor(workers / REALTIME_CORES)),
    };
    const know = (canonical: string) => {
      const id = runIdOf(canonical);
      // What is invalid has been measured, too: submitting does not run it again.
      return { id, stored: ['done', 'invalid'].includes(store.runs.state(id) ?? '') };
    };
    return slices.run(planSteps(expansion, listing, find, pace, know), signal);
  }

  /** Refuses what there is no room for. What is stored already is only looked for where it matters. */
  async #admit(expansion: Expansion, allowance: Allowance): Promise<void> {
    const { engine, slices, traces } = this.#parts;
    if ((await allowance.left()) === Infinity) return;
    const most = await slices.run(mostBytesSteps(expansion, await engine.listing()));
    await allowance.admit(most, async () => (await this.#plan(expansion, traces.find)).estimate_bytes);
  }

  /** Queues what is not there yet. The same spec again is the same experiment; what failed or was stopped is run again. */
  submit(asked: AskedSpec, context: Context = {}): Promise<Submitted> {
    const allowance = context.allowance ?? this.#parts.quota;
    // Seeds become traces before anything is known of the runs.
    return takeIn(allowance, 0, () => this.#submit(asked, context, allowance));
  }

  async #submit(asked: AskedSpec, context: Context, allowance: Allowance): Promise<Submitted> {
    const { engine, store, scheduler, sets } = this.#parts;
    const listing = await engine.listing();
    const resolved = await sets.resolve(asked, { keep: true, eyes: context.eyes });
    const measurement = isMeasured(asked, listing) ? (this.#measurementOf(context) ?? newMeasurement()) : undefined;
    const expansion = await this.#expand(resolved, measurement);
    await this.#admit(expansion, allowance);
    const own = ownRuns(expansion, context);
    const { maker = null } = context;
    const privateTo = context.privateTo ?? this.#privateOf(expansion.spec, maker);
    const secret = privateTo === undefined ? undefined : store.private.secretOf(privateTo);
    const id = experimentId(expansion.spec, listing.engine_version, { measurement, secret });
    const entering = this.#entering.get(id);
    if (entering !== undefined) {
      await entering;
      return { id, created: false };
    }
    // Asked for again, what was deleted is there again; but not what is being removed.
    if (store.labels.isRemoving('experiment', id)) await this.#parts.removal.experiment(id);
    if (store.labels.isDeleted('experiment', id)) store.owners.put('experiment', id, maker);
    store.labels.restore('experiment', id);
    const created = store.experiments.isReady(id) !== true;
    if (created) await this.#enter(id, expansion, own, { maker, privateTo });
    else await this.#retry(id, ['failed', 'cancelled'], own);
    // Who brings what others have made leaves the queue as it is.
    if (context.part === 'none') return { id, created };
    if (own !== null) await this.#leave(id, own);
    scheduler.pump();
    return { id, created };
  }

  /** The id that it has or would have, without starting it. Of what is measured each measurement has another. */
  async identify(spec: ExperimentSpec, measurement?: string): Promise<string> {
    const { engine, traces } = this.#parts;
    const { spec: resolved } = await this.#expand({ spec, find: traces.find, partMeans: new Map() });
    const listing = await engine.listing();
    return experimentId(resolved, listing.engine_version, isMeasured(spec, listing) ? { measurement } : {});
  }

  /** Its runs tell of the traces that they run over: with a private one it is private. */
  #privateOf(spec: ExperimentSpec, maker: Maker | null): Maker | undefined {
    const isPrivate = tracesOfSpec(spec).some((trace) => this.#parts.store.private.has('trace', trace));
    return isPrivate ? (maker ?? OPERATOR) : undefined;
  }

  /** The id that it will have for who submits it, which is private from now on if it will be. */
  async reserve(spec: ExperimentSpec, maker: Maker | null): Promise<string> {
    const { engine, store, traces } = this.#parts;
    const { spec: resolved } = await this.#expand({ spec, find: traces.find, partMeans: new Map() });
    const privateTo = this.#privateOf(resolved, maker);
    const secret = privateTo === undefined ? undefined : store.private.secretOf(privateTo);
    const id = experimentId(resolved, (await engine.listing()).engine_version, { secret });
    if (privateTo !== undefined) store.private.let('experiment', id, privateTo);
    return id;
  }

  async #enter(
    id: string,
    expansion: Expansion,
    own: ReadonlySet<string> | null,
    whose: Pick<EnterOptions, 'maker' | 'privateTo'>,
  ): Promise<void> {
    const { store } = this.#parts;
    const again = (run: string, manifest: RunManifest): void => {
      if (['failed', 'cancelled'].includes(store.runs.state(run) ?? '')) this.#requeue(run, manifest, true);
    };
    const options = {
      store,
      id,
      expansion,
      own,
      ...whose,
      created_at: new Date().toISOString(),
      jobOf: (run: string, manifest: RunManifest) => this.#jobOf(run, manifest),
      again,
    };
    const steps = function* () {
      // What a full disk has left of an earlier attempt.
      if (store.experiments.isReady(id) === false) yield* discardSteps(store, id);
      yield* enterSteps(options);
    };
    const entered = this.#write(steps()).finally(() => this.#entering.delete(id));
    this.#entering.set(id, entered);
    await entered;
  }

  /** `archived`: also those that were put away. */
  list({ archived = false } = {}): ExperimentListItem[] {
    const all = this.#parts.store.experiments.list();
    return archived ? all : all.filter(({ labels }) => labels?.archived !== true);
  }

  item(id: string): ExperimentListItem {
    const item = this.#parts.store.experiments.item(id);
    if (item !== null) return item;
    const gone = deletion(this.#parts.store, 'experiment', id);
    throw gone ?? new AppError('EXPERIMENT_UNKNOWN', `there is no experiment ${id}`, { where: id });
  }

  /** With all cells and runs when there are not too many, else with the first of them. */
  async get(id: string): Promise<ExperimentRecord> {
    const places = this.#parts.store.experiments.places(this.item(id).id);
    const all = places <= MOST_INLINE;
    const cells = await this.cells(id, { after: 0, limit: MOST_INLINE });
    // Before its runs, which go on meanwhile: who is told that all is over is given none that is not.
    const head = this.#head(id);
    const runs = await this.runs(id, { after: 0, limit: all ? MOST_INLINE : FIRST_PAGE });
    return {
      ...head,
      cells: cells.cells,
      ...(cells.next === null ? {} : { cells_next: cells.next }),
      runs: runs.runs,
      ...(runs.next === null ? {} : { runs_next: runs.next }),
      eta_s: this.eta(id),
    };
  }

  /** For those who need every run. */
  async whole(id: string): Promise<WholeExperiment> {
    const cells: Cell[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page = await this.cells(id, { after: next, limit: MOST_INLINE });
      cells.push(...page.cells);
      next = page.next;
    }
    const refs = (): Generator<RunRef> => this.#allRefs(id);
    const { store } = this.#parts;
    const [first] = store.experiments.refs(id, { from: 0, to: 1 });
    const engine_version = first === undefined ? null : (store.runs.manifest(first.ref.id)?.engine_version ?? null);
    return { ...this.#head(id), engine_version, cells, runs: { [Symbol.iterator]: refs }, eta_s: this.eta(id) };
  }

  /** Cells in the order of the matrix; `next` is what to give as `after` for those that follow. */
  cells(
    id: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<{ readonly cells: Cell[]; readonly next: number | null }> {
    const { store, slices } = this.#parts;
    const { id: known } = this.item(id);
    const steps = function* () {
      const cells: Cell[] = [];
      for (const { from, to } of inPieces(limit)) {
        const piece = store.experiments.cells(known, { from: after + from, to: after + to });
        cells.push(...piece);
        if (piece.length < to - from) return { cells, next: null };
        yield;
      }
      const more = store.experiments.cells(known, { from: after + limit, to: after + limit + 1 }).length > 0;
      return { cells, next: more ? after + limit : null };
    };
    return slices.run(steps());
  }

  /** Runs in the order of the matrix, or backwards; `next` is what to give as `after` for those that follow. */
  runs(id: string, query: RunsQuery): Promise<RunPage> {
    const { store, slices } = this.#parts;
    const { id: known } = this.item(id);
    const { cell, state, after, limit, sort = 'position' } = query;
    const own = cell === undefined ? undefined : store.experiments.placesOfCell(known, cell);
    if (own === null)
      throw new AppError('REQUEST_INVALID', `the experiment has no cell ${cell ?? ''}`, { where: 'cell' });
    if (state !== undefined && !store.experiments.hasAny(known, state))
      return Promise.resolve({ runs: [], next: null });
    const { from, to } = own ?? { from: 0, to: store.experiments.places(known) };
    const back = sort === '-position';
    const current = (ref: RunRef): RunRef => this.#current(ref);
    const steps = function* (): Generator<void, RunPage, undefined> {
      const runs: RunRef[] = [];
      let place = back ? Math.min(after === undefined || after === 0 ? to : after, to) : Math.max(after ?? 0, from);
      while (back ? place > from : place < to) {
        const piece = back
          ? { from: Math.max(from, place - PIECE), to: place }
          : { from: place, to: Math.min(to, place + PIECE) };
        for (const { position, ref } of store.experiments.refs(known, piece, back, state)) {
          if (runs.length === limit) return { runs, next: back ? position + 1 : position };
          runs.push(current(ref));
        }
        place = back ? piece.from : piece.to;
        yield;
      }
      return { runs, next: null };
    };
    return slices.run(steps());
  }

  *#allRefs(id: string): Generator<RunRef, void, undefined> {
    const { store } = this.#parts;
    for (const places of inPieces(store.experiments.places(id)))
      for (const { ref } of store.experiments.refs(id, places)) yield this.#current(ref);
  }

  #head(id: string): ExperimentListItem & Pick<ExperimentRecord, 'spec'> {
    const spec = this.#parts.store.experiments.spec(id);
    if (spec === null) throw new AppError('EXPERIMENT_UNKNOWN', `there is no experiment ${id}`, { where: id });
    return { ...this.item(id), spec };
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
    const { store, scheduler } = this.#parts;
    store.experiments.setStopped(id, true);
    const unwanted = (run: string): boolean => store.experiments.has(id, run) && !store.experiments.wanted(run);
    const steps = function* () {
      const bulk = store.bulk();
      for (const places of inPieces(store.experiments.places(id))) {
        scheduler.cancelWaiting(store.experiments.unwanted(id, places), bulk.piece);
        yield;
      }
      bulk.end();
    };
    await scheduler.without(unwanted, async () => {
      const going = [...scheduler.active.keys()].filter(unwanted);
      await Promise.all([this.#write(steps()), ...going.map((run) => scheduler.stop(run))]);
    });
  }

  /** `allowance`: into what room it must fit; left out: the data folder's. */
  async retry(id: string, allowance: Allowance = this.#parts.quota): Promise<void> {
    this.item(id);
    await takeIn(allowance, 0, async () => {
      if ((await allowance.left()) !== Infinity) await allowance.admit(await this.#bytesAgain(id));
      await this.#retry(id, RETRYABLE);
    });
    this.#parts.scheduler.pump();
  }

  /** What those of its runs will take at most that a retry makes again. */
  #bytesAgain(id: string): Promise<number> {
    const { store, slices } = this.#parts;
    const bytesOf = (run: string): number => this.#jobAgain(run)?.bytes ?? 0;
    const steps = function* (): Generator<void, number, undefined> {
      // A cell's runs take the same, and one that stands in several places is made once.
      const ofCells = new Map<string, number>();
      const seen = new Set<string>();
      let bytes = 0;
      for (const places of inPieces(store.experiments.places(id))) {
        for (const { id: run, cell } of store.experiments.inState(id, places, RETRYABLE)) {
          if (seen.has(run)) continue;
          seen.add(run);
          const known = ofCells.get(cell) ?? bytesOf(run);
          ofCells.set(cell, known);
          bytes += known;
        }
        yield;
      }
      return bytes;
    };
    return slices.run(steps());
  }

  /** As it would stand in the queue again. */
  #jobAgain(run: string): NewJob | null {
    const manifest = this.#parts.store.runs.partOfManifest(run, Queued);
    return manifest === null ? null : this.#jobOf(run, manifest);
  }

  /** What waits here, and is not for here. */
  async #leave(id: string, own: ReadonlySet<string>): Promise<void> {
    const { store } = this.#parts;
    const at = new Date().toISOString();
    const steps = function* () {
      const bulk = store.bulk();
      for (const places of inPieces(store.experiments.places(id))) {
        bulk.piece(() => {
          const others = store.experiments
            .inState(id, places, ['queued'])
            .flatMap(({ id: run }) => (own.has(run) ? [] : [run]));
          store.runs.cancel(others, ELSEWHERE, at);
          store.jobs.removeAll(others);
        });
        yield;
      }
      bulk.end();
    };
    await this.#write(steps());
  }

  async #retry(id: string, states: readonly RunState[], own: ReadonlySet<string> | null = null): Promise<void> {
    const { store, scheduler } = this.#parts;
    store.experiments.setStopped(id, false);
    const share = shareOf(store.owners.of('experiment', id));
    // A cell's runs ask the same of the queue.
    const jobs = new Map<string, Omit<NewJob, 'run_id'>>();
    const again = ({ id: run, cell, started }: StandingRun): void => {
      if (own?.has(run) === false) return;
      const job = jobs.get(cell) ?? this.#jobAgain(run);
      if (job === null) return;
      jobs.set(cell, job);
      if (started) scheduler.forget(run);
      store.runs.reset(run);
      store.jobs.add({ ...job, run_id: run, share });
    };
    const steps = function* () {
      const bulk = store.bulk();
      for (const places of inPieces(store.experiments.places(id))) {
        bulk.piece(() => store.experiments.inState(id, places, states).forEach(again));
        yield;
      }
      bulk.end();
    };
    await this.#write(steps());
  }

  /** Steps that write so much that the log must be emptied in between. */
  #write(steps: Generator<unknown, void, undefined>): Promise<void> {
    const { checkpoints, slices } = this.#parts;
    const spaced = function* () {
      while (steps.next().done !== true) yield checkpoints.room();
    };
    return slices.run(spaced());
  }

  run(id: string): RunRecord {
    const record = this.#parts.store.runs.get(id);
    if (record === null) throw new AppError('RUN_UNKNOWN', `there is no run ${id}`, { where: id });
    if (record.experiments.length === 0 && this.#parts.store.experiments.isOfDeleted(id))
      throw new AppError('DELETED', `the experiment of run ${id} was deleted`, {
        where: id,
        hint: 'It comes back with its experiment.',
      });
    const setback = this.#parts.scheduler.setbackOf(id);
    if (record.state === 'queued') return { ...record, reason: this.#parts.outlook.waitReason(id), setback };
    if (record.state !== 'running') {
      const { samples, samplesGone } = this.#parts.store;
      const kept = !samplesGone.isPartial(id) && samples.has(id);
      return { ...record, setback, samples: { kept, gone_at: samplesGone.at(id) } };
    }
    return { ...record, time_s: this.#parts.scheduler.recordingOf(id)?.time_s ?? record.time_s, setback };
  }

  async stopRun(id: string): Promise<void> {
    const { state } = this.run(id);
    const { scheduler } = this.#parts;
    if (state === 'queued') {
      scheduler.cancelWaiting([id]);
      scheduler.pump();
    }
    await scheduler.stop(id);
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

  /** `allowance`: into what room it must fit; left out: the data folder's. */
  async retryRun(id: string, allowance: Allowance = this.#parts.quota): Promise<void> {
    const { state } = this.run(id);
    if (!RETRYABLE.includes(state))
      throw new AppError(
        'RUN_NOT_RETRYABLE',
        `run ${id} is ${state}; only what failed, was stopped or is invalid can be retried`,
      );
    await takeIn(allowance, this.#jobAgain(id)?.bytes ?? 0, () => {
      this.#parts.store.transaction(() => {
        this.#again(id, RETRYABLE);
      });
    });
    this.#parts.scheduler.pump();
  }

  /** Somebody looks at it: its runs go first, where nobody has to take turns. */
  lookAt(id: string): void {
    const { store } = this.#parts;
    if (store.owners.of('experiment', id) !== null || store.jobs.isFirst(id)) return;
    const look = ++this.#looked;
    const priority = store.jobs.top() + 1;
    const steps = function* (newest: () => boolean) {
      const bulk = store.bulk();
      for (const { from, to } of inPieces(store.experiments.places(id))) {
        // Somebody has looked at something since: what is not at the front yet stays where it is.
        if (!newest()) break;
        bulk.piece(() => store.jobs.raise(id, priority, from, to));
        yield;
      }
      bulk.end();
    };
    void this.#write(steps(() => look === this.#looked)).catch(() => undefined);
  }

  #measurementOf({ measured_with, measurement }: Context): string | undefined {
    if (measured_with === undefined) return measurement;
    return this.#parts.store.experiments.measurement(this.item(measured_with).id);
  }

  async #expand({ spec, find, partMeans }: Resolved, measurement?: string, signal?: AbortSignal): Promise<Expansion> {
    const { engine, slices, traces, weights } = this.#parts;
    const context = {
      engine: await engine.listing(),
      findTrace: find,
      findWeights: weights.find,
      partMeans: new Map([...partMeans, ...(await traces.partMeans(spec))]),
      measurement,
    };
    const expansion = await slices.run(expandSteps(spec, context), signal);
    if (expansion.ok) return expansion;
    const faults = expansion.problems.map(({ path, message }) => ({ where: path.join('.'), detail: message }));
    const [first] = faults;
    throw new AppError('SPEC_INVALID', first?.detail ?? 'the spec is not valid', {
      ...(first === undefined || first.where === '' ? {} : { where: first.where }),
      faults,
    });
  }

  #jobOf(id: string, manifest: z.infer<typeof Queued>): NewJob {
    const { engine, scheduler, traces } = this.#parts;
    return jobOf(id, manifest, {
      find: traces.find,
      realtimeCores: Math.min(REALTIME_CORES, scheduler.workers),
      listing: engine.known,
    });
  }

  #requeue(id: string, manifest: z.infer<typeof Queued>, held = false): void {
    const { scheduler, store } = this.#parts;
    scheduler.forget(id);
    store.runs.reset(id);
    store.jobs.add({ ...this.#jobOf(id, manifest), share: shareOf(store.owners.ofRun(id)) }, held);
  }

  /** Back into the queue if it is in one of these states. */
  #again(id: string, states: readonly RunState[]): void {
    const { runs } = this.#parts.store;
    const state = runs.state(id);
    if (state === null || !states.includes(state)) return;
    const manifest = runs.partOfManifest(id, Queued);
    if (manifest !== null) this.#requeue(id, manifest);
  }

  #current(ref: RunRef): RunRef {
    if (ref.state === 'queued') return { ...ref, reason: this.#parts.outlook.waitReason(ref.id) };
    return { ...ref, time_s: this.#parts.scheduler.recordingOf(ref.id)?.time_s ?? ref.time_s };
  }
}
