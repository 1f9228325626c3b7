import { randomUUID } from 'node:crypto';
import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { RunSetback } from '#protocol/api';
import type { RunManifest } from '#protocol/manifest';
import type { Capability } from '#protocol/workers';
import { hasOwnAlgorithm } from '#bridge/named-texts';
import type { ChangeLink } from '#bridge/run';
import { Simulators } from '#bridge/simulators';
import type { Fleet } from '../fleet/fleet.ts';
import type { Job } from '../store/jobs.ts';
import type { RunEnd } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { FULL_DISK, troubleOf } from '../store/trouble.ts';
import { Hold } from './hold.ts';
import { Recording } from './recording.ts';
import { execute, type Attempt, type RunnerContext } from './runner.ts';
import { after, amongOthers, isSuspect, nextTry, withoutIt, type SetbackKind } from './setbacks.ts';
import { SpeedMeter, SpeedState } from './speed.ts';

const SPEED = 'speed';
/** The run whose program was killed last, also by a server that is gone. */
const LAST_KILLED = 'last_killed';
/** How long to wait before trying again what should not have failed. */
const ERROR_RETRY_MS = 5000;
/** Kept free, so that how runs end can still be written down when the rest of the disk is full. */
const RESERVE_BYTES = 4 * 2 ** 20;
const NOTHING = { stderr_tail: null, summary: null, cost: null, time_s: 0 };

/** A run that is going on. */
export interface Active {
  readonly job: Job;
  readonly recording: Recording;
  readonly duration_s: number;
  readonly startedAt: number;
  readonly controller: AbortController;
  readonly over: Promise<void>;
  /** Null: in a process of this machine. */
  readonly elsewhere: Capability | null;
  /** How long it takes says nothing of those that the native program makes. */
  readonly interpreted: boolean;
  /** null: its link is what the manifest says. */
  changeLink: ChangeLink | null;
  /** The server is going: the run goes back to the queue instead of ending. */
  requeue: boolean;
}

export interface SchedulerOptions extends RunnerContext {
  readonly store: Store;
  /** Where everything is written to; its disk is watched. */
  readonly dataDir: string;
  /** Cores of this machine that runs may use together. */
  readonly workers: number;
  /** Other machines that make runs; those that none of them can are made here. */
  readonly fleet?: Fleet;
  /** Asks for the native programs again, after they could not be used. */
  readonly findEngine?: () => Promise<unknown>;
}

/** A run that waits for its next try. */
interface Delayed {
  readonly timer: NodeJS.Timeout;
  readonly until: number;
}

/** Starts what waits in the queue as cores become free, here or on other machines. */
export class Scheduler {
  readonly workers: number;
  readonly speed: SpeedMeter;
  readonly active = new Map<string, Active>();
  /** While there is a reason to start nothing at all. */
  readonly hold: Hold;
  /** The job that would be next if it found its cores; everything behind it waits with it, so that it is not starved. */
  blocked: Job | null = null;
  readonly #options: SchedulerOptions;
  readonly #store: Store;
  readonly #log: Logger;
  readonly #simulators = new Simulators();
  readonly #owner = randomUUID();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #delayed = new Map<string, Delayed>();
  /** Runs that wait after something came between: few, and asked for often. */
  readonly #setBackRuns = new Set<string>();
  /** Which runs are being taken out of the queue. */
  readonly #unwanted = new Set<(run: string) => boolean>();
  /** What has happened and could not be written down yet, in order. */
  readonly #unwritten: (() => void)[] = [];
  #read: { readonly run: string; readonly manifest: RunManifest } | null = null;
  #closed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#log = options.log;
    this.workers = options.workers;
    this.hold = new Hold(options.log, () => void this.#tryAgain());
    this.speed = new SpeedMeter(this.#store.settings.get(SPEED, SpeedState));
  }

  /** Takes up what a server that is gone has left, and begins. */
  start(): void {
    this.#options.fleet?.onChange(() => this.pump());
    this.#write(() => {
      const { qlogs, programLogs } = this.#options;
      for (const files of [qlogs, programLogs]) files.keepOnly((run) => this.#store.runs.state(run) !== null);
      const waits = this.#store.transaction(() => this.#recover());
      for (const [run, ms] of waits) this.#delay(run, ms);
      for (const run of this.#store.jobs.withSetbacks()) this.#setBackRuns.add(run);
    });
    this.pump();
  }

  /** What a run has recorded goes: it will be made again. */
  forget(run: string): void {
    this.#store.samples.delete(run);
    this.#options.qlogs.delete(run);
    this.#options.programLogs.delete(run);
  }

  recordingOf(run: string): Recording | null {
    return this.active.get(run)?.recording ?? null;
  }

  /** Starts as many waiting runs as there are free cores. Call it whenever something was added or changed. */
  pump(): void {
    if (this.#closed || this.hold.current !== null) return;
    const before = this.blocked?.run_id;
    this.blocked = null;
    try {
      this.blocked = this.#startAll(() => this.#store.jobs.next());
      const first = this.blocked;
      // What waits for room on other machines keeps nobody from others of them.
      if (first !== null && this.#options.fleet !== undefined)
        this.#startAll(() => this.#store.jobs.nextOf(first.realtime_s === null ? 'realtime' : 'virtual'), 'elsewhere');
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble !== null) this.hold.begin(trouble);
      else {
        this.#log.error({ err: error }, 'the next run could not be started');
        this.#later(ERROR_RETRY_MS, () => this.pump());
      }
    }
    const waits = this.blocked;
    if (waits !== null && waits.realtime_s !== null && waits.run_id !== before)
      this.#options.feed.emit(waits.run_id, 'state');
  }

  /** Starts one after the other; gives the one that has to wait, if it is that which ends it. */
  #startAll(next: () => Job | null, where: 'anywhere' | 'elsewhere' = 'anywhere'): Job | null {
    for (let job = next(); job !== null; job = next()) {
      const { run_id } = job;
      if ([...this.#unwanted].some((isUnwanted) => isUnwanted(run_id))) return null;
      const manifest = this.#manifestOf(run_id);
      if (manifest === null) continue;
      const place = this.#placeOf(manifest);
      if (this.#mustWait(job, place) || (where === 'elsewhere' && place === null)) return job;
      if (this.#freeBytes() < RESERVE_BYTES) {
        this.hold.begin(FULL_DISK);
        return null;
      }
      this.#launch(job, manifest, place);
    }
    return null;
  }

  /** What other machines must be able to do; null: it is made here. */
  #placeOf(manifest: RunManifest): Capability | null {
    return this.#options.fleet?.placeOf(manifest) ?? null;
  }

  /** What has come between a waiting run and its end. */
  setbackOf(run: string): RunSetback | null {
    if (!this.#setBackRuns.has(run)) return null;
    const next = nextTry(this.#store.jobs.setbacks(run));
    if (next === null) return null;
    const until = this.#delayed.get(run)?.until;
    return { ...next, retry_in_s: until === undefined ? null : Math.max(0, (until - performance.now()) / 1000) };
  }

  /** Ends a run at once; resolves when its processes are gone. */
  async stop(run: string): Promise<void> {
    const active = this.active.get(run);
    active?.controller.abort();
    await active?.over;
  }

  /** Takes runs that have not been started out of the queue, as one piece of what `write` writes. */
  cancelWaiting(
    runs: readonly string[],
    write: (work: () => void) => void = (work) => this.#store.transaction(work),
  ): void {
    if (runs.length === 0) return;
    const at = new Date().toISOString();
    write(() => {
      this.#store.runs.cancel(runs, 'stopped before it began', at);
      this.#store.jobs.removeAll(runs);
    });
    for (const run of runs) {
      clearTimeout(this.#delayed.get(run)?.timer);
      this.#delayed.delete(run);
      this.#setBackRuns.delete(run);
      this.#options.feed.emit(run, 'state', 'cancelled');
    }
  }

  /** While `work` goes on, no run starts that `unwanted` names, nor one behind it: it is about to be taken out of the queue. */
  async without(unwanted: (run: string) => boolean, work: () => Promise<void>): Promise<void> {
    this.#unwanted.add(unwanted);
    try {
      await work();
    } finally {
      this.#unwanted.delete(unwanted);
      this.pump();
    }
  }

  /** Stops all runs; they will run again when the data folder is next used. */
  async close(): Promise<void> {
    this.#closed = true;
    this.hold.close();
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    for (const active of this.active.values()) {
      active.requeue = true;
      active.controller.abort();
    }
    await Promise.all([...this.active.values()].map(({ over }) => over));
    await this.#simulators.close();
  }

  /** What servers that are gone had in hand: whose fault their end was, if it was anybody's. Gives who waits how long. */
  #recover(): [string, number][] {
    const lost = this.#store.jobs.recover(this.#owner);
    const waits: [string, number][] = [];
    const { jobs } = this.#store;
    for (const run of lost.length === 0 ? [] : jobs.withSetbacks()) {
      const before = jobs.setbacks(run);
      if (before.server > 0 && !lost.includes(run)) jobs.recount(run, withoutIt(before));
    }
    for (const run of lost) {
      this.forget(run);
      const before = this.#store.jobs.setbacks(run);
      const next =
        lost.length > 1
          ? { after_ms: 0, setbacks: amongOthers(before), reason: '' }
          : after(before, 'server', 'the server ended while this run was going');
      if (next.after_ms === null) {
        this.#finish(run, { ...NOTHING, state: 'failed', reason: next.reason });
      } else {
        this.#log.warn({ run }, 'a run was interrupted and will run again');
        this.#store.runs.reset(run);
        this.#store.jobs.setBack(run, next.setbacks, next.after_ms > 0);
        if (next.after_ms > 0) waits.push([run, next.after_ms]);
      }
    }
    return waits;
  }

  /** Cores, and the other runs where one must be alone: to be told apart from them, should the server end. */
  #mustWait({ cores, setbacks }: Job, place: Capability | null): boolean {
    if (this.active.size === 0) return false;
    const active = [...this.active.values()];
    if (isSuspect(setbacks) || active.some(({ job }) => isSuspect(job.setbacks))) return true;
    if (place !== null) return this.#options.fleet?.hasRoom(place, cores) !== true;
    const here = active.filter(({ elsewhere }) => elsewhere === null);
    return here.length > 0 && here.reduce((sum, { job }) => sum + job.cores, 0) + cores > this.workers;
  }

  /** That runs in virtual time can have together, wherever they are. */
  get cores(): number {
    const elsewhere = this.#options.fleet?.cores ?? 0;
    return elsewhere > 0 ? elsewhere : this.workers;
  }

  #freeBytes(): number {
    const { blocks, bavail, bsize } = statfsSync(this.#options.dataDir);
    // Some file systems do not know.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  }

  #launch(job: Job, manifest: RunManifest, elsewhere: Capability | null): void {
    const run = job.run_id;
    this.#store.transaction(() => {
      this.#store.jobs.lease(run, this.#owner);
      this.forget(run);
      this.#store.runs.start(run, new Date().toISOString());
    });
    const recording = new Recording(run, this.#store);
    const controller = new AbortController();
    const startedAt = performance.now();
    const onChangeable = (change: ChangeLink): void => {
      const active = this.active.get(run);
      if (active !== undefined) active.changeLink = change;
    };
    const maker =
      elsewhere === null ? undefined : this.#options.fleet?.maker({ run, cores: job.cores, capability: elsewhere });
    const context = { ...this.#options, simulators: this.#simulators, ...(maker && { elsewhere: maker }) };
    const over = execute(manifest, recording, controller.signal, onChangeable, context).then((attempt) => {
      this.#conclude(job, attempt, (performance.now() - startedAt) / 1000);
    });
    const { duration_s } = manifest;
    const interpreted = hasOwnAlgorithm(manifest);
    const going = { job, recording, duration_s, startedAt, controller, over, elsewhere, interpreted };
    this.active.set(run, { ...going, changeLink: null, requeue: false });
    this.#options.feed.emit(run, 'state');
  }

  /** Null when it cannot be read: then the run has failed, and is in nobody's way. */
  #manifestOf(run: string): RunManifest | null {
    // The one that waits is asked for again and again.
    if (this.#read?.run === run) return this.#read.manifest;
    try {
      const manifest = this.#store.runs.manifest(run);
      this.#read = manifest === null ? null : { run, manifest };
      if (manifest !== null) return manifest;
    } catch (error) {
      if (troubleOf(error) !== null) throw error;
      this.#log.error({ err: error, run }, 'a run’s manifest cannot be read');
    }
    this.#finish(run, { ...NOTHING, state: 'failed', reason: 'its manifest cannot be read: run the experiment again' });
    this.#options.feed.emit(run, 'state', 'failed');
    return null;
  }

  #conclude(job: Job, attempt: Attempt, wall_s: number): void {
    const run = job.run_id;
    const { requeue = false, interpreted = false } = this.active.get(run) ?? {};
    this.active.delete(run);
    if (attempt.kind === 'ended' && !(requeue && attempt.end.state === 'cancelled')) {
      if (attempt.end.state === 'done' && job.realtime_s === null && !interpreted)
        this.speed.learn(job.packets, attempt.wall_s ?? wall_s);
      this.#settle(run, attempt.end);
    } else if (attempt.kind === 'setback' && !requeue) {
      this.#setBack(run, attempt.cause, attempt.reason, attempt.end);
    } else {
      if (attempt.kind === 'held') this.hold.begin(attempt.hold);
      this.#back(run, () => this.#store.jobs.release(run));
    }
    this.pump();
  }

  /** Something came between: it is tried again, unless that has happened too often. */
  #setBack(run: string, kind: SetbackKind, why: string, end: RunEnd): void {
    const seen = kind === 'killed' ? this.#killed(run) : kind;
    const { after_ms, setbacks, reason } = after(this.#store.jobs.setbacks(run), seen, why);
    if (after_ms === null) {
      this.#settle(run, { ...end, reason });
      return;
    }
    this.#log.warn({ run, reason, after_ms }, 'a run was interrupted and will run again');
    this.#delay(run, after_ms);
    this.#setBackRuns.add(run);
    this.#back(run, () => this.#store.jobs.setBack(run, setbacks, true));
  }

  /** One run that is killed again and again is the one that somebody, or the kernel, is after; several in turn are not. */
  #killed(run: string): SetbackKind {
    const last = this.#store.settings.get(LAST_KILLED, z.string());
    this.#write(() => this.#store.settings.set(LAST_KILLED, run));
    return last === null || last === run ? 'killed' : 'killed_too';
  }

  /** Back into the queue, as if it had never been started. */
  #back(run: string, give: () => void): void {
    this.#write(() => {
      this.#store.transaction(() => {
        this.forget(run);
        this.#store.runs.reset(run);
        give();
      });
      this.#options.feed.emit(run, 'state');
    });
  }

  #delay(run: string, ms: number): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(run);
      this.#write(() => {
        this.#store.jobs.wake(run);
        this.#options.feed.emit(run, 'state');
      });
      this.pump();
    }, ms);
    this.#delayed.set(run, { timer, until: performance.now() + ms });
  }

  /** Writes down how a run has ended. */
  #settle(run: string, end: RunEnd): void {
    this.#write(() => {
      this.#store.transaction(() => {
        this.#finish(run, end);
        this.#store.settings.set(SPEED, this.speed.state);
      });
      this.#options.feed.emit(run, 'state', end.state);
      if (end.state === 'done') this.hold.forget();
    });
  }

  #finish(run: string, end: RunEnd): void {
    this.#store.runs.finish(run, end, new Date().toISOString());
    this.#store.jobs.remove(run);
    this.#setBackRuns.delete(run);
  }

  /** Now, or as soon as it can be written; until then nothing is started. */
  #write(work: () => void): void {
    this.#unwritten.push(work);
    if (this.hold.current === null || this.#unwritten.length === 1) this.#writeAll();
  }

  /** False when the disk does not take everything. */
  #writeAll(): boolean {
    for (let work = this.#unwritten.shift(); work !== undefined; work = this.#unwritten.shift()) {
      try {
        work();
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble !== null) {
          this.#unwritten.unshift(work);
          this.hold.begin(trouble);
          return false;
        }
        this.#log.error({ err: error }, 'something that has happened to a run could not be stored');
      }
    }
    return true;
  }

  /** What held the queue may be over. */
  async #tryAgain(): Promise<void> {
    if (this.#closed) return;
    const held = this.hold.current;
    if (held === null) return;
    try {
      if (held.cause === 'engine') await this.#options.findEngine?.();
      if (this.#freeBytes() < RESERVE_BYTES) this.hold.begin(FULL_DISK);
      else if (this.#writeAll()) {
        this.#store.settings.set(SPEED, this.speed.state);
        this.hold.release();
        this.pump();
      }
    } catch (error) {
      this.hold.begin(troubleOf(error) ?? held);
    }
  }

  #later(ms: number, work: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}
