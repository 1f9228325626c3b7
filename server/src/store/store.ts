import { AccessStore } from './access.ts';
import { Bulks, type Bulk } from './bulk.ts';
import { CostStore } from './costs.ts';
import { openDatabase, type Db, type OpenOptions } from './database.ts';
import { ExperimentStore } from './experiments.ts';
import { HoldingStore } from './holdings.ts';
import { JobStore } from './jobs.ts';
import { LabelStore } from './labels.ts';
import { ImportedStore } from './imported.ts';
import { MeasurementStore } from './measurements.ts';
import { OwnerStore } from './owners.ts';
import { OwnAlgorithmStore } from './own-algorithms.ts';
import { PrivateStore } from './private.ts';
import { RunFacts } from './run-facts.ts';
import { RunSearch } from './run-search.ts';
import { RunStore } from './runs.ts';
import { SampledStore } from './sampled.ts';
import { SamplesGone } from './samples-gone.ts';
import { SampleStore } from './samples.ts';
import { SettingStore } from './settings.ts';
import { ShareStore } from './shares.ts';
import { TemplateStore } from './templates.ts';
import { TraceStore } from './traces.ts';
import { WeightsStore } from './weights.ts';

/** Everything that is kept, in one SQLite file. */
export class Store {
  readonly db: Db;
  readonly labels: LabelStore;
  readonly traces: TraceStore;
  readonly weights: WeightsStore;
  readonly ownAlgorithms: OwnAlgorithmStore;
  readonly experiments: ExperimentStore;
  readonly costs: CostStore;
  readonly runs: RunStore;
  readonly facts: RunFacts;
  readonly search: RunSearch;
  readonly samples: SampleStore;
  readonly sampled: SampledStore;
  readonly samplesGone: SamplesGone;
  readonly measurements: MeasurementStore;
  readonly imported: ImportedStore;
  readonly jobs: JobStore;
  readonly settings: SettingStore;
  readonly shares: ShareStore;
  readonly templates: TemplateStore;
  readonly access: AccessStore;
  readonly owners: OwnerStore;
  readonly holdings: HoldingStore;
  readonly private: PrivateStore;
  readonly #bulks: Bulks;

  constructor(path: string, options?: OpenOptions) {
    this.db = openDatabase(path, options);
    this.#bulks = new Bulks(this.db);
    this.labels = new LabelStore(this.db);
    this.traces = new TraceStore(this.db, this.labels);
    this.weights = new WeightsStore(this.db);
    this.ownAlgorithms = new OwnAlgorithmStore(this.db);
    this.experiments = new ExperimentStore(this.db, this.labels);
    this.costs = new CostStore(this.db);
    this.runs = new RunStore(this.db);
    this.facts = new RunFacts(this.db);
    this.search = new RunSearch(this.db);
    this.samples = new SampleStore(this.db);
    this.sampled = new SampledStore(this.db);
    this.samplesGone = new SamplesGone(this.db);
    this.measurements = new MeasurementStore(this.db);
    this.imported = new ImportedStore(this.db);
    this.jobs = new JobStore(this.db);
    this.settings = new SettingStore(this.db);
    this.shares = new ShareStore(this.db);
    this.templates = new TemplateStore(this.db);
    this.access = new AccessStore(this.db);
    this.owners = new OwnerStore(this.db);
    this.holdings = new HoldingStore(this.db);
    this.private = new PrivateStore(this.db, this.settings);
  }

  /** All of `work` or nothing of it. */
  transaction<T>(work: () => T): T {
    this.#bulks.settle();
    return this.db.transaction(work)();
  }

  /** For a work of many pieces, which are committed together while nobody else writes. */
  bulk(): Bulk {
    return this.#bulks.begin();
  }

  /** Bytes of the database that hold something: what was deleted leaves room that is used again, and no smaller file. */
  usedBytes(): number {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      Number(this.db.pragma(name, { simple: true })),
    );
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0);
  }

  /** Bytes of its file that hold nothing. */
  freeBytes(): number {
    return (
      Number(this.db.pragma('freelist_count', { simple: true })) * Number(this.db.pragma('page_size', { simple: true }))
    );
  }

  /** Gives the room that holds nothing back to the disk; holds everybody up, and needs as much room once more. */
  shrink(): void {
    this.#bulks.settle();
    this.db.exec('VACUUM');
    this.db.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#bulks.settle();
    this.db.close();
  }
}
