// A queue with small programs in place of the engine, so that each way of ending can be had at will.
import { pino } from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import type { RunManifest } from '#protocol/manifest';
import { encodeControl } from '#protocol/samples';
import { FakePrograms, HELLO, linkRows, manifest } from '#bridge/testing/fake-programs';
import { runId } from '../identity.ts';
import { RunFeed } from '../jobs/feed.ts';
import { ProgramLogFolder } from '../jobs/program-logs.ts';
import { QlogFolder } from '../jobs/qlogs.ts';
import { Scheduler, type SchedulerOptions } from '../jobs/scheduler.ts';
import { Store } from '../store/store.ts';
import { testFolder } from './folder.ts';

export const SLOW = 'sleep 60';
/** What a program says that is in the middle of its run. */
export const BEGUN = [encodeControl(0, HELLO), linkRows(0, 30), encodeControl(1, { type: 'progress', time_s: 0.3 })];

export class TestQueue {
  readonly programs = new FakePrograms();
  readonly feed = new RunFeed((error) => {
    throw error;
  });
  readonly store: Store;
  readonly qlogs: QlogFolder;
  readonly programLogs: ProgramLogFolder;
  readonly #folder: string;
  readonly #open: Scheduler[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.store = new Store(`${folder}/paceline.db`);
    this.qlogs = new QlogFolder(`${folder}/qlog`);
    this.programLogs = new ProgramLogFolder(`${folder}/program-logs`);
  }

  scheduler(workers = 2, more: Partial<SchedulerOptions> = {}): Scheduler {
    const made = new Scheduler({
      store: this.store,
      dataDir: this.#folder,
      feed: this.feed,
      log: pino({ level: 'silent' }),
      workers,
      tracesDir: this.#folder,
      bpf: [],
      qlogs: this.qlogs,
      programLogs: this.programLogs,
      engineVersion: () => 'test',
      ...more,
    });
    this.#open.push(made);
    return made;
  }

  add(over: Partial<RunManifest> = {}): string {
    const planned = manifest(over);
    const id = runId(planned);
    const realtime = planned.engine === 'realtime';
    this.store.runs.insert(id, JSON.stringify(planned), new Date().toISOString());
    this.store.jobs.add({
      run_id: id,
      cores: realtime ? 2 : 1,
      packets: 100,
      realtime_s: realtime ? 1 : null,
      bytes: 0,
    });
    return id;
  }

  /** Resolves when the run is in one of these states. */
  reaches(run: string, ...states: string[]): Promise<void> {
    return this.until(run, () => states.includes(this.store.runs.state(run) ?? ''));
  }

  /** Resolves when the condition holds; looks whenever something has happened to the run. */
  until(run: string, condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        forget();
        resolve();
      };
      const forget = this.feed.on(run, look);
      look();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((scheduler) => scheduler.close()));
    // Killed is not yet gone.
    await expect.poll(() => this.programs.survivors(), { timeout: 5000, interval: 20 }).toEqual([]);
    this.store.close();
    this.programs.remove();
  }
}

/** A fresh one for each test. */
export function testQueue(): () => TestQueue {
  const folder = testFolder();
  let queue: TestQueue;
  beforeEach(() => {
    queue = new TestQueue(folder());
  });
  afterEach(() => queue.close());
  return () => queue;
}
