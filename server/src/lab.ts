import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BpfObject } from '#bridge/bpf';
import { Sketcher } from '#bridge/sketcher';
import { Engine } from './engine.ts';
import { Helpers } from './helpers.ts';
import type { Limits } from './limits.ts';
import { Quota } from './quota.ts';
import { DataDirBusy } from './errors.ts';
import { tidyUp } from './experiments/enter.ts';
import { ExperimentService } from './experiments/experiment-service.ts';
import type { ConfiguredProgram } from './external-programs.ts';
import { RunFeed } from './jobs/feed.ts';
import { QlogFolder } from './jobs/qlogs.ts';
import { Outlook } from './jobs/outlook.ts';
import { RunReader } from './jobs/run-reader.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { Slices } from './slices.ts';
import { Sparks } from './jobs/sparks.ts';
import { lockDataDir } from './store/database.ts';
import { Store } from './store/store.ts';
import { TraceService } from './traces/trace-service.ts';
import { TraceSources } from './traces/trace-sources.ts';
import { WeightsService } from './traces/weights-service.ts';

export interface LabOptions {
  readonly dataDir: string;
  readonly workers: number;
  readonly log: Logger;
  /** Compiled congestion controls that the operator offers. */
  readonly bpf?: readonly BpfObject[];
  readonly external?: readonly ConfiguredProgram[];
  /** Absent: whoever opens it asks for himself. */
  readonly limits?: Limits;
  /** Bytes that the folder may hold; absent: as much as the disk. */
  readonly maxData?: number | undefined;
}

/** Everything but the ways in: the server and the command line both work through this. */
export interface Lab {
  readonly dataDir: string;
  readonly bpf: readonly BpfObject[];
  /** Uploads on their way in. */
  readonly tempDir: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly helpers: Helpers;
  readonly quota: Quota;
  readonly traces: TraceService;
  readonly sources: TraceSources;
  readonly sketcher: Sketcher;
  readonly weights: WeightsService;
  readonly experiments: ExperimentService;
  readonly scheduler: Scheduler;
  readonly outlook: Outlook;
  readonly slices: Slices;
  readonly reader: RunReader;
  readonly sparks: Sparks;
  readonly feed: RunFeed;
  readonly qlogs: QlogFolder;
  readonly close: () => Promise<void>;
}

/** Opens a data folder and makes it this process's own. What others have left in it goes on with `scheduler.start()`. */
export function openLab({ dataDir, workers, log, bpf = [], external = [], limits, maxData }: LabOptions): Lab {
  const tracesDir = join(dataDir, 'traces');
  const tempDir = join(dataDir, 'tmp');
  mkdirSync(tracesDir, { recursive: true });
  const lock = lockDataDir(join(dataDir, 'lock.db'));
  if (lock === null)
    throw new DataDirBusy(`${dataDir} is in use by another Paceline; stop it or choose another --data-dir`);
  // What an upload that was cut off has left.
  rmSync(tempDir, { recursive: true, force: true });
  mkdirSync(tempDir, { recursive: true });
  const store = new Store(join(dataDir, 'paceline.db'));
  tidyUp(store);
  const engine = new Engine(bpf, external);
  const feed = new RunFeed((error) => log.error({ err: error }, 'the change of a run could not be told'));
  const qlogs = new QlogFolder(join(dataDir, 'qlog'));
  const helpers = new Helpers(limits ?? null);
  const quota = new Quota(dataDir, maxData ?? null);
  const traces = new TraceService(store, tracesDir, helpers);
  const sources = new TraceSources(helpers);
  const sketcher = new Sketcher();
  const weights = new WeightsService(store, tracesDir, helpers);
  const scheduler = new Scheduler({
    store,
    dataDir,
    feed,
    log,
    workers,
    tracesDir,
    qlogs,
    bpf,
    external,
    engineVersion: () => engine.version,
    findEngine: () => engine.listing(),
  });
  const outlook = new Outlook(scheduler, store);
  const reader = new RunReader(store, (run) => scheduler.recordingOf(run));
  const slices = new Slices();
  const experiments = new ExperimentService({ store, engine, traces, weights, scheduler, outlook, slices });
  const close = async (): Promise<void> => {
    await Promise.all([scheduler.close(), sketcher.close()]);
    store.close();
    lock.release();
  };
  return {
    dataDir,
    bpf,
    tempDir,
    store,
    engine,
    helpers,
    quota,
    traces,
    sources,
    sketcher,
    weights,
    experiments,
    scheduler,
    outlook,
    slices,
    reader,
    sparks: new Sparks(store, reader),
    feed,
    qlogs,
    close,
  };
}
