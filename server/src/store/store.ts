import { AccessStore } from './access.ts';
import { Bulks, type Bulk } from './bulk.ts';
import { openDatabase, type Db, type OpenOptions } from './database.ts';
import { ExperimentStore } from './experiments.ts';
import { JobStore } from './jobs.ts';
import { LabelStore } from './labels.ts';
import { ImportedStore } from './imported.ts';
import { MeasurementStore } from './measurements.ts';
import { OwnerStore } from './owners.ts';
import { OwnAlgorithmStore } from './own-algorithms.ts';
import { RunFacts } from './run-facts.ts';
import { RunSearch } from './run-search.ts';
import { RunStore } from './runs.ts';
import { SampledStore } from './sampled.ts';
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
  readonly runs: RunStore;
  readonly facts: RunFacts;
  readonly search: RunSearch;
  readonly samples: SampleStore;
  readonly sampled: SampledStore;
  readonly measurements: MeasurementStore;
  readonly imported: ImportedStore;
  readonly jobs: JobStore;
  readonly settings: SettingStore;
  readonly shares: ShareStore;
  readonly templates: TemplateStore;
  readonly access: AccessStore;
  readonly owners: OwnerStore;
  readonly #bulks: Bulks;

  constructor(path: string, options?: OpenOptions) {
    this.db = openDatabase(path, options);
    this.#bulks = new Bulks(this.db);
    this.labels = new LabelStore(this.db);
    this.traces = new TraceStore(this.db, this.labels);
    this.weights = new WeightsStore(this.db);
    this.ownAlgorithms = new OwnAlgorithmStore(this.db);
    this.experiments = new ExperimentStore(this.db, this.labels);
    this.runs = new RunStore(this.db);
    this.facts = new RunFacts(this.db);
    this.search = new RunSearch(this.db);
    this.samples = new SampleStore(this.db);
    this.sampled = new SampledStore(this.db);
    this.measurements = new MeasurementStore(this.db);
    this.imported = new ImportedStore(this.db);
    this.jobs = new JobStore(this.db);
    this.settings = new SettingStore(this.db);
    this.shares = new ShareStore(this.db);
    this.templates = new TemplateStore(this.db);
    this.access = new AccessStore(this.db);
    this.owners = new OwnerStore(this.db);
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

  close(): void {
    this.#bulks.settle();
    this.db.close();
  }
}
