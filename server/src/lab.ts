import { accessSync, constants, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EngineListing } from '#protocol/cca';
import type { BpfObject } from '#bridge/bpf';
import { OwnEngines } from '#bridge/own-engines';
import { Sketcher } from '#bridge/sketcher';
import { Access } from './access.ts';
import { Engine } from './engine.ts';
import { Helpers } from './helpers.ts';
import { Holdings } from './holdings.ts';
import type { Limits } from './limits.ts';
import { Quota } from './quota.ts';
import { Retention } from './retention/retention.ts';
import { SamplesAgain } from './retention/samples-again.ts';
import { DataDirBusy, DataDirUnusable } from './errors.ts';
import { tidyUp } from './experiments/enter.ts';
import { ExperimentFigures } from './experiments/figures.ts';
import { ExperimentService } from './experiments/experiment-service.ts';
import { RunTables } from './experiments/run-table.ts';
import { ExperimentSampled } from './experiments/sampled.ts';
import type { ConfiguredProgram } from './external-programs.ts';
import { Fleet } from './fleet/fleet.ts';
import { RunFeed } from './jobs/feed.ts';
import { ProgramLogFolder } from './jobs/program-logs.ts';
import { QlogFolder } from './jobs/qlogs.ts';
import { Oracles } from './jobs/oracle.ts';
import { Organiser } from './organise/organiser.ts';
import { OwnAlgorithms } from './own/own-algorithms.ts';
import { Removal } from './organise/removal.ts';
import { Pace } from './jobs/pace.ts';
import { Outlook } from './jobs/outlook.ts';
import { RunReader } from './jobs/run-reader.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { Slices } from './slices.ts';
import { Sparks } from './jobs/sparks.ts';
import { Checkpoints } from './store/checkpoint.ts';
import { DatabaseLost, lockDataDir } from './store/database.ts';
import { quickCheck, tracesIn } from './store/integrity.ts';
import { Store } from './store/store.ts';
import { allStudies } from './studies/read-studies.ts';
import { StudyService } from './studies/study-service.ts';
import { damaged, troubleOf } from './store/trouble.ts';
import { storyOf } from './traces/handovers.ts';
import { Templates } from './templates/templates.ts';
import { TraceService } from './traces/trace-service.ts';
import { TraceSets } from './traces/trace-sets.ts';
import { TraceSources } from './traces/trace-sources.ts';
import { WeightsService } from './traces/weights-service.ts';
import { Webhooks } from './webhook/webhooks.ts';

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
  /** Bytes that each person may hold of it, but operators; absent: as much as there is room. */
  readonly maxDataEach?: number | undefined;
  /** Bytes that the database may take before samples are let go; absent: they never are. */
  readonly retain?: number | undefined;
  /** False: of runs in virtual time no samples are kept. */
  readonly samples?: boolean;
  /** Milliseconds since 1970: by it what was deleted grows old. */
  readonly now?: () => number;
  /** A folder that has traces and no database is taken for new: the traces are taken in again. */
  readonly recoverTraces?: boolean;
  /** Of Redis, over which workers on other machines make runs; absent: all are made here. */
  readonly redisUrl?: string | undefined;
  /** Hosts beyond the public ones that may be told what has ended. */
  readonly allowWebhook?: readonly string[];
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
  readonly holdings: Holdings;
  readonly traces: TraceService;
  readonly sources: TraceSources;
  readonly sketcher: Sketcher;
  readonly weights: WeightsService;
  readonly ownAlgorithms: OwnAlgorithms;
  readonly templates: Templates;
  /** Who has a token, and what was done. */
  readonly access: Access;
  readonly experiments: ExperimentService;
  readonly organiser: Organiser;
  readonly removal: Removal;
  readonly retention: Retention;
  readonly samplesAgain: SamplesAgain;
  readonly figures: ExperimentFigures;
  readonly sampled: ExperimentSampled;
  readonly runTables: RunTables;
  readonly studies: StudyService;
  readonly scheduler: Scheduler;
  /** Null: there are no other machines. */
  readonly fleet: Fleet | null;
  readonly outlook: Outlook;
  readonly pace: Pace;
  readonly slices: Slices;
  readonly reader: RunReader;
  readonly sparks: Sparks;
  readonly oracles: Oracles;
  readonly feed: RunFeed;
  readonly qlogs: QlogFolder;
  readonly programLogs: ProgramLogFolder;
  /** Tells nobody until it is started. */
  readonly webhooks: Webhooks;
  readonly close: () => Promise<void>;
}

/** Opens a data folder and makes it this process's own. What others have left in it goes on with `scheduler.start()`. */
export function openLab(options: LabOptions): Lab {
  try {
    return open(options);
  } catch (error) {
    const { dataDir } = options;
    if (error instanceof DatabaseLost) throw new DataDirUnusable(lostWords(dataDir, error), { cause: error });
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    throw new DataDirUnusable(`${dataDir}: ${trouble.reason}. ${trouble.hint}`, { cause: error });
  }
}

const lostWords = (dataDir: string, { message }: DatabaseLost): string =>
  `${message}, but ${tracesIn(join(dataDir, 'traces')).length} traces lie in ${join(dataDir, 'traces')}: the results are lost, or elsewhere. ` +
  'Bring it back from a backup (paceline restore --from DIR); or begin anew with these traces: --recover-traces.';

/** How long a start waits for the check of its database: some 2 GB, when they are in memory. */
const CHECK_PATIENCE_MS = 2000;

/** Reads every page of the database: at once as far as that is quick, a large one meanwhile. A damaged one is not worked with. */
export async function checkDatabase({ dataDir, scheduler }: Lab, patienceMs = CHECK_PATIENCE_MS): Promise<void> {
  const file = join(dataDir, DATABASE);
  const check = await quickCheck(file, patienceMs);
  if ('later' in check) {
    check.later
      .then((late) => {
        if (late !== null) scheduler.hold.begin(damaged(file, late));
      })
      // A check that cannot be made is no damage.
      .catch(() => undefined);
  } else if (check.found !== null) {
    const { reason, hint } = damaged(file, check.found);
    throw new DataDirUnusable(`${reason}. ${hint}`);
  }
}

export const DATABASE = 'paceline.db';

function open(options: LabOptions): Lab {
  const { dataDir, workers, log, bpf = [], external = [], limits, maxData, retain, recoverTraces = false } = options;
  const tracesDir = join(dataDir, 'traces');
  const tempDir = join(dataDir, 'tmp');
  mkdirSync(dataDir, { recursive: true });
  // Says why, where making a folder in it would only say that it was not made.
  accessSync(dataDir, constants.W_OK);
  mkdirSync(tracesDir, { recursive: true });
  const lock = lockDataDir(join(dataDir, 'lock.db'));
  if (lock === null)
    throw new DataDirBusy(`${dataDir} is in use by another Paceline; stop it or choose another --data-dir`);
  const store = openStore(dataDir, tracesDir, recoverTraces, lock);
  // What an upload that was cut off has left.
  mkdirSync(tempDir, { recursive: true });
  for (const name of readdirSync(tempDir)) rmSync(join(tempDir, name), { recursive: true, force: true });
  tidyUp(store);
  const feed = new RunFeed((error) => log.error({ err: error }, 'the change of a run could not be told'));
  const qlogs = new QlogFolder(join(dataDir, 'qlog'));
  const programLogs = new ProgramLogFolder(join(dataDir, 'program-logs'));
  const helpers = new Helpers(limits ?? null);
  const ownEngines = new OwnEngines();
  const ownAlgorithms = new OwnAlgorithms(store, helpers, (text, signal) => ownEngines.describe(text, signal));
  const engine = new Engine(bpf, external, ownAlgorithms.descriptors);
  const quota = new Quota(dataDir, maxData ?? null, () => store.freeBytes());
  const traces = new TraceService(store, tracesDir, helpers);
  const sources = new TraceSources(helpers);
  const sketcher = new Sketcher();
  const weights = new WeightsService(store, tracesDir, helpers);
  const program = (sha256: string): string | null => ownAlgorithms.text(sha256);
  const { redisUrl } = options;
  const listing = (): Promise<EngineListing> => engine.listing();
  const fleet =
    redisUrl === undefined
      ? null
      : new Fleet({ url: redisUrl, tracesDir, program, listing, settings: store.settings, log });
  const scheduler = new Scheduler({
    store,
    ...(fleet && { fleet }),
    dataDir,
    feed,
    log,
    workers,
    tracesDir,
    qlogs,
    programLogs,
    bpf,
    external,
    samples: options.samples ?? true,
    ownEngines,
    program,
    engineVersion: () => engine.version,
    findEngine: listing,
  });
  const outlook = new Outlook(scheduler, store);
  const reader = new RunReader(store, (run) => scheduler.recordingOf(run));
  const slices = new Slices();
  const checkpoints = new Checkpoints(join(dataDir, DATABASE));
  const now = options.now ?? Date.now;
  const removal = new Removal({ store, scheduler, traces, weights, ownAlgorithms, slices, checkpoints, now });
  const runFiles = [qlogs, programLogs];
  const holdings = new Holdings(
    { store, slices, removal, quota, traces, weights, runFiles },
    options.maxDataEach ?? null,
  );
  const experiments = new ExperimentService({
    store,
    engine,
    traces,
    sets: new TraceSets({ traces, helpers, tempDir }),
    weights,
    scheduler,
    outlook,
    slices,
    checkpoints,
    quota,
    removal,
  });
  const figures = new ExperimentFigures(store, slices, feed);
  const sampled = new ExperimentSampled(store, slices, reader, (manifest) => storyOf(traces, manifest));
  const retention = new Retention(
    { store, sampled, slices, checkpoints, engineVersion: () => engine.version, now },
    retain ?? null,
  );
  const fault = (problem: string): void => log.warn(`a study is left out: ${problem}`);
  const webhooks = new Webhooks({ store, feed, log, allowed: options.allowWebhook ?? [] });
  const close = async (): Promise<void> => {
    await Promise.all([
      scheduler.close().then(() => Promise.all([ownEngines.close(), fleet?.close()])),
      sketcher.close(),
      webhooks.close(),
    ]);
    await Promise.all([removal.close(), retention.close()]);
    await checkpoints.close();
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
    holdings,
    traces,
    sources,
    sketcher,
    weights,
    ownAlgorithms,
    templates: new Templates(store, now),
    access: new Access(store.access, now),
    experiments,
    organiser: new Organiser({ store, experiments, traces, weights, ownAlgorithms, slices, now }),
    removal,
    retention,
    samplesAgain: new SamplesAgain({
      dataDir,
      store,
      engine,
      experiments,
      reader,
      helpers,
      quota,
      retention,
      ownEngines,
      program,
    }),
    figures,
    sampled,
    runTables: new RunTables(store, slices),
    studies: new StudyService({ engine, experiments, figures, sampled, store, fault }, () =>
      allStudies(join(dataDir, 'studies'), fault),
    ),
    scheduler,
    fleet,
    pace: new Pace(feed),
    outlook,
    slices,
    reader,
    sparks: new Sparks(store, reader),
    oracles: new Oracles({ dataDir, engine, experiments, helpers, reader, store }),
    feed,
    qlogs,
    programLogs,
    webhooks,
    close,
  };
}

function openStore(
  dataDir: string,
  tracesDir: string,
  recoverTraces: boolean,
  lock: { readonly release: () => void },
): Store {
  try {
    return new Store(join(dataDir, DATABASE), { mustExist: !recoverTraces && tracesIn(tracesDir).length > 0 });
  } catch (error) {
    lock.release();
    throw error;
  }
}
