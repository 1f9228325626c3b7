import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ChangeLink } from '#bridge/run';
import type { Job } from '../store/jobs.ts';
import type { RunEnd } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { Recording } from './recording.ts';
import { execute, type RunnerContext } from './runner.ts';
import { SpeedMeter, SpeedState } from './speed.ts';

const SPEED = 'speed';
/** A run that has brought the server down (or was there when it went) so often is not tried again by itself. */
const MOST_ATTEMPTS = 3;
/** How long to wait before trying again what a full disk has prevented. */
const DISK_RETRY_MS = 5000;

/** A run that is going on. */
export interface Active {
  readonly job: Job;
  readonly recording: Recording;
  readonly duration_s: number;
  readonly startedAt: number;
  readonly controller: AbortController;
  readonly over: Promise<void>;
  /** null: its link is what the manifest says. */
  changeLink: ChangeLink | null;
  /** The server is going: the run goes back to the queue instead of ending. */
  requeue: boolean;
}

export interface SchedulerOptions extends RunnerContext {
  readonly store: Store;
  /** Cores that runs may use together. */
  readonly workers: number;
}

/** Starts what waits in the queue as cores become free, one process group per run. */
export class Scheduler {
  readonly workers: number;
  readonly speed: SpeedMeter;
  readonly active = new Map<string, Active>();
  /** The job that would be next if it found its cores; everything behind it waits with it, so that it is not starved. */
  blocked: Job | null = null;
  readonly #options: SchedulerOptions;
  readonly #store: Store;
  readonly #log: Logger;
  readonly #owner = randomUUID();
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#log = options.log;
    this.workers = options.workers;
    this.speed = new SpeedMeter(this.#store.settings.get(SPEED, SpeedState));
  }

  /** Takes up what a server that is gone has left, and begins. */
  start(): void {
    this.#options.qlogs.keepOnly((run) => this.#store.runs.state(run) !== null);
    for (const run of this.#store.jobs.recover(this.#owner)) {
      this.forget(run);
      if (this.#store.jobs.attempts(run) < MOST_ATTEMPTS) {
        this.#log.warn({ run }, 'a run was interrupted and will run again');
        this.#store.runs.reset(run);
      } else {
        const reason = `the server ended ${MOST_ATTEMPTS} times while this run was going`;
        this.#settle(run, { state: 'failed', reason, stderr_tail: null, summary: null, cost: null, time_s: 0 });
      }
    }
    this.pump();
  }

  /** What a run has recorded goes: it will be made again, or the disk is full. */
  forget(run: string): void {
    this.#store.samples.delete(run);
    this.#options.qlogs.delete(run);
  }

  recordingOf(run: string): Recording | null {
    return this.active.get(run)?.recording ?? null;
  }

  /** Starts as many waiting runs as there are free cores. Call it whenever something was added or changed. */
  pump(): void {
    if (this.#closed) return;
    const before = this.blocked?.run_id;
    this.blocked = null;
    try {
      for (let job = this.#store.jobs.next(); job !== null; job = this.#store.jobs.next()) {
        if (this.#coresInUse() + job.cores > this.workers && this.active.size > 0) {
          this.blocked = job;
          break;
        }
        this.#launch(job);
      }
    } catch (error) {
      this.#log.error({ err: error }, 'the next run could not be started');
      this.#later(() => {
        this.pump();
      });
    }
    const waits = this.blocked;
    if (waits !== null && waits.realtime_s !== null && waits.run_id !== before)
      this.#options.feed.emit(waits.run_id, 'state');
  }

  /** Ends a run at once; resolves when its processes are gone. */
  async stop(run: string): Promise<void> {
    const active = this.active.get(run);
    active?.controller.abort();
    await active?.over;
  }

  /** Takes runs that have not been started out of the queue. */
  cancelWaiting(runs: readonly string[]): void {
    const at = new Date().toISOString();
    const end = { stderr_tail: null, summary: null, cost: null, time_s: 0 };
    this.#store.transaction(() => {
      for (const run of runs) {
        this.#store.runs.finish(run, { ...end, state: 'cancelled', reason: 'stopped before it began' }, at);
        this.#store.jobs.remove(run);
      }
    });
    for (const run of runs) this.#options.feed.emit(run, 'state');
    this.pump();
  }

  /** Stops all runs; they will run again when the data folder is next used. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const active of this.active.values()) {
      active.requeue = true;
      active.controller.abort();
    }
    await Promise.all([...this.active.values()].map(({ over }) => over));
  }

  #coresInUse(): number {
    return [...this.active.values()].reduce((sum, { job }) => sum + job.cores, 0);
  }

  #launch(job: Job): void {
    const run = job.run_id;
    const manifest = this.#store.runs.manifest(run);
    if (manifest === null) throw new Error(`run ${run} has no manifest`);
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
    const over = execute(manifest, recording, controller.signal, onChangeable, this.#options)
      .then((end) => {
        this.#end(job, end, (performance.now() - startedAt) / 1000);
      })
      .catch((error: unknown) => {
        // The lease is still held: the next server runs it again.
        this.#log.error({ err: error, run }, 'a run could not be brought to its end');
        this.active.delete(run);
      });
    const { duration_s } = manifest;
    this.active.set(run, { job, recording, duration_s, startedAt, controller, over, changeLink: null, requeue: false });
    this.#options.feed.emit(run, 'state');
  }

  #end(job: Job, end: RunEnd, wall_s: number): void {
    const run = job.run_id;
    const requeue = this.active.get(run)?.requeue === true && end.state === 'cancelled';
    this.active.delete(run);
    if (requeue) {
      this.#store.transaction(() => {
        this.forget(run);
        this.#store.runs.reset(run);
        this.#store.jobs.release(run);
      });
    } else {
      if (end.state === 'done' && job.realtime_s === null) this.speed.learn(job.packets, wall_s);
      this.#settle(run, end);
    }
    this.pump();
  }

  /** Writes down how a run has ended. On a full disk its samples make room, and if that is not enough it is tried again later. */
  #settle(run: string, end: RunEnd): void {
    const { store, feed } = this.#options;
    const write = (): void => {
      store.transaction(() => {
        store.runs.finish(run, end, new Date().toISOString());
        store.jobs.remove(run);
        store.settings.set(SPEED, this.speed.state);
      });
      feed.emit(run, 'state');
    };
    try {
      write();
    } catch (error) {
      this.#log.error({ err: error, run }, 'the end of a run could not be stored');
      try {
        this.forget(run);
        write();
      } catch {
        this.#later(() => {
          this.#settle(run, end);
        });
      }
    }
  }

  #later(work: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, DISK_RETRY_MS);
    this.#timers.add(timer);
  }
}
