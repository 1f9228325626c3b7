// Studies: their experiments are submitted like any other, so that what is stored is not run again, and what came out is held against the paper
// once all runs of an experiment have ended.
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Plan } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { SampleFamily } from '#protocol/sampled';
import type { ExperimentSpec } from '#protocol/spec';
import { StudyRecord, type Study, type StudyListItem, type StudyProgress } from '#protocol/study';
import { checkStudy } from '#analysis/check-study';
import { canonicalJson } from '#analysis/identity';
import { isMeasured } from '#analysis/kinds';
import { countVerdicts, figuresOfStudy, type StudyResults } from '#analysis/study-outcome';
import type { CellResult } from '#analysis/results';
import { familiesAsked } from '#analysis/study-samples';
import type { Engine } from '../engine.ts';
import { AppError } from '../errors.ts';
import { newMeasurement } from '../identity.ts';
import { analysisVersion } from './analysis-version.ts';
import type { ExperimentFigures } from '../experiments/figures.ts';
import type { Context, ExperimentService } from '../experiments/experiment-service.ts';
import type { ExperimentSampled } from '../experiments/sampled.ts';
import type { Store } from '../store/store.ts';

type StudySpec = Study['experiments'][string]['spec'];

interface Parts {
  readonly engine: Engine;
  readonly experiments: ExperimentService;
  readonly figures: ExperimentFigures;
  readonly sampled: ExperimentSampled;
  readonly store: Store;
  /** Told what is wrong with a study that is left out. */
  readonly fault: (problem: string) => void;
}

/** Of all experiments of a study. */
interface Sums {
  readonly runs_total: number;
  readonly runs_done: number;
  readonly estimate_s: { readonly low: number; readonly high: number };
  readonly estimate_bytes: number;
}

/** What came out, and of what: kept in the data folder, so that nobody waits for it twice. */
const Came = z.object({ figures: StudyRecord.shape.figures, answers: StudyRecord.shape.answers });
const Kept = Came.extend({ of: z.string() });
type Came = z.infer<typeof Came>;

/** What tells a study's experiment from others; traces are named by content once it has been planned. */
const recognised = ({ name, duration_s, repetitions, seed, traces, ccas }: ExperimentSpec): string =>
  canonicalJson({ name, duration_s, repetitions, seed, traces: traces.length, ccas: ccas.map(({ id }) => id) });

const MEASUREMENT = 'measurement of studies';
const GOING: readonly (string | null)[] = ['queued', 'running'];
/** So long a plan is as good as new, whatever has ended meanwhile. */
const PLAN_FRESH_MS = 10_000;

/** A plan, and what it was made of besides its spec. */
interface KeptPlan {
  readonly at: number;
  readonly of: string;
  readonly plan: Promise<Plan>;
}

/** Who runs a study, and how much they may. */
type Whose = Pick<Context, 'maker' | 'allowance'>;

export class StudyService {
  readonly #parts: Parts;
  readonly #read: () => readonly Study[];
  #studies: readonly Study[] | null = null;
  #sound: Promise<readonly Study[]> | null = null;
  /** By spec and engine. */
  readonly #ids = new Map<string, Promise<string>>();
  readonly #plans = new Map<string, KeptPlan>();
  readonly #outcomes = new Map<string, Promise<Came>>();

  /** They are read when somebody first asks for one: who starts the server waits for none. */
  constructor(parts: Parts, read: () => readonly Study[]) {
    this.#parts = parts;
    this.#read = read;
  }

  #known(): readonly Study[] {
    this.#studies ??= this.#read();
    return this.#studies;
  }

  /** Those that name only what there is; what is wrong with another is told once. */
  all(): Promise<readonly Study[]> {
    this.#sound ??= this.#check().catch((error: unknown) => {
      this.#sound = null;
      throw error;
    });
    return this.#sound;
  }

  async #check(): Promise<readonly Study[]> {
    const { engine, store, fault } = this.#parts;
    const listing = await engine.listing();
    const traces = new Set(store.traces.list().map(({ name }) => name));
    return this.#known().filter((study) => {
      const faults = checkStudy(study, listing, traces);
      for (const one of faults) fault(`${study.id}: ${one}`);
      return faults.length === 0;
    });
  }

  async study(id: string): Promise<Study> {
    const studies = await this.all();
    const study = studies.find((one) => one.id === id);
    if (study === undefined)
      throw new AppError('STUDY_UNKNOWN', `there is no study ${JSON.stringify(id)}`, {
        where: id,
        hint: `There are ${studies.map((one) => one.id).join(', ')}.`,
      });
    return study;
  }

  /** BibTeX of the papers of which a study has this experiment. */
  papersOf(spec: ExperimentSpec): string[] {
    const own = recognised(spec);
    return this.#known().flatMap(({ paper, experiments }) =>
      paper !== null && Object.values(experiments).some((one) => recognised(one.spec) === own) ? [paper.bibtex] : [],
    );
  }

  /** Has ready what the list tells: to plan all that studies run takes a second or so. */
  async prepare(signal: AbortSignal): Promise<void> {
    for (const study of await this.all()) {
      const standing = this.#standing();
      for (const [key, { spec }] of Object.entries(study.experiments)) {
        signal.throwIfAborted();
        await Promise.all([this.#plan(`${study.id} ${key}`, spec, standing, signal), this.#idOf(spec)]);
      }
    }
  }

  async list(): Promise<StudyListItem[]> {
    return Promise.all((await this.all()).map((study) => this.#item(study)));
  }

  async get(id: string): Promise<StudyRecord> {
    const study = await this.study(id);
    const [{ engine_version }, experiments] = await Promise.all([this.#parts.engine.listing(), this.#progress(study)]);
    const [item, { figures, answers }] = await Promise.all([
      this.#item(study, experiments),
      this.#came(study, experiments),
    ]);
    return { ...item, setup: study.setup, engine_version, experiments, answers, figures };
  }

  /** Queues what is not there yet. */
  async run(id: string, whose: Whose = {}): Promise<void> {
    for (const { spec } of Object.values((await this.study(id)).experiments)) await this.submit(spec, whose);
    this.#plans.clear();
  }

  /** The same of one experiment, and gives its id. What was measured and does not count is measured again. */
  async submit(spec: ExperimentSpec, whose: Whose = {}): Promise<string> {
    const { engine, experiments, store } = this.#parts;
    if (!isMeasured(spec, await engine.listing())) return (await experiments.submit(spec, whose)).id;
    const measurement = this.#measurement() ?? newMeasurement();
    store.settings.set(MEASUREMENT, measurement);
    const { id, created } = await experiments.submit(spec, { ...whose, measurement });
    if (!created) await experiments.retry(id);
    return id;
  }

  /** Of all that the studies of this data folder measure in real time: each is measured once. null: nothing was yet. */
  #measurement(): string | null {
    return this.#parts.store.settings.get(MEASUREMENT, z.string());
  }

  /** Ends what is going on; what is done stays. */
  /** @param may throws when one of them is not to be stopped: then none is */
  async stop(id: string, may: (experiment: string) => void = () => undefined): Promise<void> {
    const going = (await this.#progress(await this.study(id))).flatMap(({ experiment, state }) =>
      experiment !== null && GOING.includes(state) ? [experiment] : [],
    );
    going.forEach(may);
    for (const experiment of going) await this.#parts.experiments.stop(experiment);
    this.#plans.clear();
  }

  async #item(study: Study, known?: readonly StudyProgress[]): Promise<StudyListItem> {
    const experiments = known ?? (await this.#progress(study));
    const [sums, { figures }] = await Promise.all([this.#sums(study, experiments), this.#came(study, experiments)]);
    const { id, title, question, paper } = study;
    const running = experiments.some(({ state }) => GOING.includes(state));
    return { id, title, question, paper, ...sums, running, verdicts: countVerdicts(figures) };
  }

  async #progress(study: Study): Promise<StudyProgress[]> {
    return Promise.all(
      Object.entries(study.experiments).map(async ([key, { title, why, origin, spec }]): Promise<StudyProgress> => {
        const { experiments } = this.#parts.store;
        const item = experiments.item(await this.#idOf(spec));
        const counting = item === null ? 0 : experiments.counting(item.id);
        return {
          key,
          title,
          origin,
          why,
          duration_s: spec.duration_s,
          repetitions: spec.repetitions,
          seed: spec.seed,
          experiment: item?.id ?? null,
          state: item?.state ?? null,
          runs_total: item?.runs_total ?? 0,
          runs_done: counting,
          runs_failed: item === null ? 0 : item.runs_failed + item.runs_done - counting,
        };
      }),
    );
  }

  /** As it would be if it were submitted. */
  async #idOf(spec: StudySpec): Promise<string> {
    const { engine_version } = await this.#parts.engine.listing();
    const measurement = this.#measurement() ?? undefined;
    const key = hash('sha256', canonicalJson({ engine_version, spec, measurement }));
    const known = this.#ids.get(key) ?? this.#parts.experiments.identify(spec, measurement);
    this.#ids.set(key, known);
    // A trace may come back: what cannot be planned now is asked again.
    known.catch(() => this.#ids.delete(key));
    return known;
  }

  async #sums(study: Study, experiments: readonly StudyProgress[]): Promise<Sums> {
    const standing = this.#standing();
    const plans = await Promise.all(
      Object.entries(study.experiments).map(async ([key, { spec }]) => {
        const own = experiments.find((one) => one.key === key);
        const { runs, estimate_s, estimate_bytes } = await this.#plan(`${study.id} ${key}`, spec, standing);
        const over = own?.state === 'done';
        return {
          runs,
          done: own?.runs_done ?? 0,
          low: over ? 0 : estimate_s.low,
          high: over ? 0 : estimate_s.high,
          bytes: over ? 0 : estimate_bytes,
        };
      }),
    );
    const sum = (of: (plan: (typeof plans)[number]) => number): number =>
      plans.reduce((total, plan) => total + of(plan), 0);
    return {
      runs_total: sum(({ runs }) => runs),
      runs_done: sum(({ done }) => done),
      estimate_s: { low: sum(({ low }) => low), high: sum(({ high }) => high) },
      estimate_bytes: sum(({ bytes }) => bytes),
    };
  }

  /** What plans depend on besides their specs: results, traces, and what counts as measured. */
  #standing(): string {
    const { runs, traces } = this.#parts.store;
    return hash(
      'sha256',
      canonicalJson([runs.changes, traces.names().map(({ id, name }) => [id, name]), this.#measurement()]),
    );
  }

  #plan(key: string, spec: StudySpec, of: string, signal?: AbortSignal): Promise<Plan> {
    const known = this.#plans.get(key);
    if (known?.of === of || (known !== undefined && performance.now() - known.at < PLAN_FRESH_MS)) return known.plan;
    const plan = this.#parts.experiments.plan(spec, { measurement: this.#measurement() ?? undefined }, signal);
    this.#plans.set(key, { at: performance.now(), of, plan });
    plan.catch(() => this.#plans.delete(key));
    return plan;
  }

  /** Made anew when the study, the engine or what is done of it has changed. */
  async #came(study: Study, experiments: readonly StudyProgress[]): Promise<Came> {
    const { engine, store } = this.#parts;
    const { engine_version } = await engine.listing();
    const over = experiments.filter(({ state }) => state === 'done' || state === 'failed');
    const standing = over.map(({ key, experiment, runs_done, runs_failed }) => [
      key,
      experiment,
      runs_done,
      runs_failed,
    ]);
    const of = hash('sha256', canonicalJson({ study, engine_version, analysis: analysisVersion(), standing }));
    const setting = `study ${study.id}`;
    const kept = store.settings.get(setting, Kept);
    if (kept?.of === of) return kept;
    const going = this.#outcomes.get(of);
    if (going !== undefined) return going;
    const made = this.#outcome(study, over)
      .then((came) => {
        try {
          store.settings.set(setting, { of, ...came });
        } catch {
          // A full disk: it is made again for whoever asks next.
        }
        return came;
      })
      .finally(() => this.#outcomes.delete(of));
    this.#outcomes.set(of, made);
    return made;
  }

  async #outcome(study: Study, over: readonly StudyProgress[]): Promise<Came> {
    const { engine, figures } = this.#parts;
    const { ccas } = await engine.listing();
    const asked = familiesAsked(study);
    const results = new Map<string, readonly CellResult[]>();
    for (const { key, experiment } of over)
      if (experiment !== null) results.set(key, await this.#results(experiment, ccas, asked.get(key) ?? []));
    const known: StudyResults = results;
    const told: Came['answers'] = [];
    for (const key of study.answers) {
      const own = over.find((one) => one.key === key)?.experiment ?? null;
      const answers = own === null ? [] : await figures.answers(own, ccas);
      const { title = key, origin = 'modelled' } = study.experiments[key] ?? {};
      if (answers.length > 0) told.push({ experiment: key, title, origin, answers });
    }
    return { figures: figuresOfStudy(study, known), answers: told };
  }

  /** With what is read off samples, where a claim asks for it. */
  async #results(
    experiment: string,
    ccas: readonly CcaDescriptor[],
    families: readonly SampleFamily[],
  ): Promise<readonly CellResult[]> {
    const results = await this.#parts.figures.results(experiment, ccas);
    if (families.length === 0) return results;
    const cells = await this.#parts.sampled.cells(experiment, ccas, families);
    const sampled = new Map(cells.map(({ key, values }) => [key, values]));
    return results.map((result) => ({ ...result, sampled: sampled.get(result.cell.key) ?? {} }));
  }
}
