import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isMaker, type Maker } from '#protocol/access';
import type { TraceChange, TraceRecord } from '#protocol/api';
import type { TraceEdit } from '#protocol/edit';
import { Recipe } from '#protocol/recipe';
import type { ExperimentSpec } from '#protocol/spec';
import { plainLine, shortened } from '#protocol/text';
import type { SourceChoices, TraceDynamics, TraceMarks, TracePreview, TraceReport } from '#protocol/trace';
import type { FindTrace, TraceFacts } from '#analysis/check-spec';
import { limitWindows } from '#analysis/limits';
import { meanOf, type PartWindow } from '#analysis/trace-part';
import { marksOfRecipe } from '#bridge/recipes';
import { importTrace, inspectStoredTrace, TraceRefused, type TraceOptions } from '#bridge/traces';
import { AppError, refusedTrace } from '../errors.ts';
import { damaged, damageOf } from './stored-file.ts';
import { deletion } from '../organise/deleted.ts';
import type { Helpers } from '../helpers.ts';
import { SharedAnswers } from '../shared-answers.ts';
import { OPERATOR, type Eyes } from '../store/private.ts';
import type { Store } from '../store/store.ts';

/** Mean rates of the thumbnail. */
const SPARK_BINS = 200;
const NAME_CHARACTERS = 200;
/** Of a trace that is renamed time and again the last ones are kept. */
const FORMER_NAMES = 20;
const PREVIEWS_KEPT = 64;
const DYNAMICS_KEPT = 64;
const MARKS_KEPT = 64;
const NO_MARKS: TraceMarks = { count: 0, marks: [], snr: null };
/** A file of a trace in a few pieces instead of one every 16 KiB. */
const INFLATED_AT_ONCE = 1 << 18;

export interface NewTrace {
  readonly name: string;
  readonly origin: TraceRecord['origin'];
  readonly description?: string;
  readonly licence?: string | undefined;
  readonly source?: string | undefined;
  readonly technology?: string | undefined;
  readonly place?: string | undefined;
  /** What the file does not say of itself. */
  readonly choices?: SourceChoices;
  /** What was done to another trace. */
  readonly edit?: TraceEdit;
  /** Whose it is when it is new; left out: everybody's. */
  readonly maker?: Maker | null | undefined;
  /** Nobody else is to see it. */
  readonly isPrivate?: boolean | undefined;
  /** Whoever brings it has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface Window {
  readonly bins: number;
  readonly from_ms?: number | undefined;
  readonly to_ms?: number | undefined;
}

/** The traces that experiments may name: their text in a folder, what is known about them in the store. */
export class TraceService {
  readonly dir: string;
  readonly #store: Store;
  /** A trace never changes, so neither does its preview. */
  readonly #previews = new SharedAnswers<TracePreview>(PREVIEWS_KEPT);
  readonly #dynamics = new SharedAnswers<TraceDynamics>(DYNAMICS_KEPT);
  readonly #marks = new SharedAnswers<TraceMarks>(MARKS_KEPT);
  readonly #helpers: Helpers;

  /** By what it was asked for; forgotten when a name may mean another trace. */
  readonly #facts = new Map<string, TraceFacts>();

  constructor(store: Store, dir: string, helpers: Helpers) {
    this.#helpers = helpers;
    this.#store = store;
    this.dir = dir;
  }

  /** Takes a file in. The same content twice is the same trace, under the name it was first given. */
  async add(
    file: string,
    {
      name,
      origin,
      description = '',
      licence,
      source,
      technology,
      place,
      choices,
      edit,
      maker = null,
      isPrivate = false,
      signal: gone,
    }: NewTrace,
  ): Promise<{ record: TraceRecord; added: boolean }> {
    const bring = (): Promise<TraceReport> =>
      this.#helpers
        .run(gone, (signal) =>
          importTrace(file, this.dir, {
            bins: SPARK_BINS,
            made: origin === 'recipe',
            limits: this.#helpers.files,
            signal,
            ...(choices && { choices }),
          }),
        )
        .catch((error: unknown) => {
          throw error instanceof TraceRefused ? refusedTrace(name, error.problem) : error;
        });
    const { info, preview } = await bring();
    // The program leaves a file alone that is there already.
    if ((await damageOf(this.path(info.sha256), info.sha256)) !== null) {
      await rm(this.path(info.sha256), { force: true });
      await bring();
    }
    const record: TraceRecord = {
      id: info.sha256,
      name: plainName(name),
      origin,
      description,
      licence: licence ?? '',
      source: source ?? '',
      technology: technology ?? '',
      place: place ?? '',
      formerly: [],
      created_at: new Date().toISOString(),
      info,
      spark: preview.mean_mbps,
      ...(edit && { edit }),
    };
    const { owners, labels } = this.#store;
    const added = this.#store.transaction(() => this.#enter(record, maker, isPrivate));
    this.#facts.clear();
    if (added) return { record, added };
    // Brought again after it was deleted.
    labels.restore('trace', record.id);
    // Brought again with something to say of it.
    const known = this.get(record.id);
    const said = definedOf({ licence, source, technology, place });
    const owner = owners.of('trace', record.id);
    const isTheirs = owner === null || isMaker(owner, maker);
    if (known.origin === 'library' || !isTheirs || Object.keys(said).length === 0) return { record: known, added };
    return { record: this.change(record.id, said), added };
  }

  /** False when it is there already. Who brings what another keeps private has it as well, and may let everybody see it. */
  #enter(record: TraceRecord, maker: Maker | null, isPrivate: boolean): boolean {
    const { owners, labels, traces, private: hidden } = this.#store;
    const { id } = record;
    const who = maker ?? OPERATOR;
    const added = traces.insert(record);
    if (added || labels.isDeleted('trace', id)) {
      owners.put('trace', id, maker);
      hidden.publish('trace', id);
      if (isPrivate) hidden.let('trace', id, who);
    } else if (hidden.isUnseen('trace', id, who)) {
      if (isPrivate) hidden.let('trace', id, who);
      else hidden.publish('trace', id);
    }
    return added;
  }

  /** Takes in a gzip file of canonical text about which everything is known already. */
  async adopt(
    file: string,
    { info, ...about }: NewTrace & Pick<TraceRecord, 'created_at' | 'info' | 'spark' | 'formerly'>,
  ): Promise<void> {
    await this.restore(file, info.sha256);
    this.#store.traces.insert({
      name: about.name,
      origin: about.origin,
      description: about.description ?? '',
      licence: about.licence ?? '',
      source: about.source ?? '',
      technology: about.technology ?? '',
      place: about.place ?? '',
      formerly: about.formerly,
      created_at: about.created_at,
      spark: about.spark,
      id: info.sha256,
      info,
    });
    this.#facts.clear();
  }

  /** Puts the canonical text in its place, from a gzip file. */
  async restore(file: string, id: string): Promise<void> {
    const target = this.path(id);
    const unfinished = `${target}.${process.pid}`;
    await mkdir(this.dir, { recursive: true });
    await pipeline(
      createReadStream(file),
      createGunzip({ chunkSize: INFLATED_AT_ONCE }),
      createWriteStream(unfinished),
    );
    await rename(unfinished, target);
  }

  /** Beside the text; a trace never changes, so neither does what it was made from. */
  async keepRecipe(id: string, recipe: string): Promise<void> {
    await writeFile(join(this.dir, `${id}.recipe.json`), recipe);
  }

  async recipe(id: string): Promise<Recipe> {
    const { name } = this.get(id);
    const text = await readFile(join(this.dir, `${id}.recipe.json`), 'utf8').catch((error: unknown) => {
      throw new AppError('TRACE_WITHOUT_RECIPE', `${name} was not made from a recipe`, { where: id }, { cause: error });
    });
    try {
      return Recipe.parse(JSON.parse(text));
    } catch (error) {
      throw new AppError(
        'FILE_DAMAGED',
        `the file of the recipe of ${name} is damaged`,
        { where: id },
        { cause: error },
      );
    }
  }

  /** What a person says of a trace. */
  change(id: string, { name, ...said }: TraceChange): TraceRecord {
    const record = this.get(id);
    if (record.origin === 'library')
      throw new AppError('TRACE_SHIPPED', `${record.name} is shipped with Paceline, which describes it`, {
        where: id,
        hint: 'Bring a trace of your own to name it as you like.',
      });
    this.describe({ ...renamed(record, name), ...definedOf(said) });
    return this.get(id);
  }

  /** The same for those that come from the library, whenever that has changed. */
  describe(record: TraceRecord): void {
    this.#store.traces.describe(record);
    this.#facts.clear();
  }

  get(id: string): TraceRecord {
    const record = this.#store.traces.get(id);
    if (record !== null) return record;
    throw deletion(this.#store, 'trace', id) ?? new AppError('TRACE_UNKNOWN', `there is no trace ${id}`, { where: id });
  }

  /** For good, with its files. */
  async remove(id: string): Promise<void> {
    this.#store.transaction(() => {
      this.#store.traces.remove(id);
      this.#store.labels.drop('trace', id);
    });
    this.forget();
    await rm(this.path(id), { force: true });
    await rm(join(this.dir, `${id}.recipe.json`), { force: true });
  }

  /** What names mean has changed. */
  forget(): void {
    this.#facts.clear();
  }

  /** The newest first. `archived`: also those that were put away; `eyes`: of who asks. */
  list({ archived = true, eyes = 'all' }: { readonly archived?: boolean; readonly eyes?: Eyes } = {}): TraceRecord[] {
    const unseen = this.#store.private.unseen('trace', eyes);
    return this.#store.traces
      .list()
      .filter(({ id, labels }) => !unseen.has(id) && (archived || labels?.archived !== true));
  }

  isPrivate(id: string): boolean {
    return this.#store.private.has('trace', id);
  }

  /** Of the canonical text. */
  path(id: string): string {
    return join(this.dir, `${id}.trace`);
  }

  /** The same, of a file that is there and whole. */
  async file(id: string): Promise<string> {
    const { name, origin } = this.get(id);
    const path = this.path(id);
    const damage = await damageOf(path, id);
    if (damage === null) return path;
    const again =
      origin === 'library' ? 'Start the server again: it brings' : 'Bring the trace again: the same content puts';
    throw damaged(name, damage, id, `${again} the file back, or put it there from a backup of the data folder.`);
  }

  preview(id: string, { bins, from_ms, to_ms }: Window, gone?: AbortSignal): Promise<TracePreview> {
    this.get(id);
    return this.#previews.ask([id, bins, from_ms, to_ms].join(' '), gone, async (signal) => {
      const { preview } = await this.#report(id, signal, {
        bins,
        ...(from_ms === undefined ? {} : { fromMs: from_ms }),
        ...(to_ms === undefined ? {} : { toMs: to_ms }),
      });
      return preview;
    });
  }

  /** Mean capacity of the part that runs of each trace whose limits are of that. */
  async partMeans(spec: ExperimentSpec): Promise<Map<string, number>> {
    const means = new Map<string, number>();
    for (const ref of spec.traces) {
      const trace = 'trace' in ref ? this.find(ref.trace) : undefined;
      if (trace === undefined) continue;
      const parts: { window: PartWindow; mean: number }[] = [];
      for (const window of limitWindows(spec, trace.period_ms)) {
        const { mean_mbps } = await this.preview(trace.id, { bins: 1, ...window });
        parts.push({ window, mean: mean_mbps[0] ?? trace.mean_mbps });
      }
      if (parts.length > 0) means.set(trace.id, meanOf(parts));
    }
    return means;
  }

  /** How it moves: computed when first asked for. */
  dynamics(id: string, gone?: AbortSignal): Promise<TraceDynamics> {
    this.get(id);
    return this.#dynamics.ask(id, gone, async (signal) => {
      const { dynamics } = await this.#report(id, signal, { bins: 1, dynamics: true });
      if (dynamics === undefined) throw new Error('paceline-trace tells no dynamics: is it of another version?');
      return dynamics;
    });
  }

  /** What the model behind it knows beside its capacity; nothing of one that was not made, or that its recipe does not make any more. */
  marks(id: string, gone?: AbortSignal): Promise<TraceMarks> {
    this.get(id);
    return this.#marks.ask(id, gone, async (signal) => {
      const recipe = await this.recipe(id).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TRACE_WITHOUT_RECIPE') return null;
        throw error;
      });
      if (recipe === null) return NO_MARKS;
      const { sha256, marks } = await this.#helpers.run(signal, (running) => marksOfRecipe(recipe, running));
      return sha256 === id ? marks : NO_MARKS;
    });
  }

  async #report(id: string, gone: AbortSignal, options: TraceOptions): Promise<TraceReport> {
    const path = await this.file(id);
    return this.#helpers.run(gone, (signal) => inspectStoredTrace(path, { ...options, signal }));
  }

  /** What the planner asks for every run. */
  readonly find: FindTrace = (reference) => {
    const known = this.#facts.get(reference);
    if (known !== undefined) return known;
    const { traces, private: hidden } = this.#store;
    // A name means what all see first: nobody’s private trace takes it away.
    const facts = factsOf(
      traces.get(reference) ?? traces.named(reference, hidden.all('trace')) ?? traces.named(reference),
    );
    if (facts !== undefined) this.#facts.set(reference, facts);
    return facts;
  };

  /** The same for who looks with these eyes: what they may not see is not there. */
  finder(eyes: Eyes): FindTrace {
    if (eyes === 'all') return this.find;
    const { traces, private: hidden } = this.#store;
    const unseen = hidden.unseen('trace', eyes);
    const known = new Map<string, TraceFacts | undefined>();
    return (reference) => {
      if (known.has(reference)) return known.get(reference);
      const exact = traces.get(reference);
      const facts = factsOf(exact !== null && !unseen.has(exact.id) ? exact : traces.named(reference, unseen));
      known.set(reference, facts);
      return facts;
    };
  }
}

function factsOf(record: TraceRecord | null): TraceFacts | undefined {
  if (record === null) return undefined;
  const { id, name, info } = record;
  return { id, name, mean_mbps: info.mean_mbps, period_ms: info.period_ms };
}

/** What was given. */
const definedOf = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Its old name goes on meaning it, as long as no other trace takes it. */
function renamed(record: TraceRecord, name: string | undefined): TraceRecord {
  const next = name === undefined ? record.name : plainName(name);
  return { ...record, name: next, formerly: namesBefore(record, next) };
}

/** The names that a trace had when it is called otherwise, the last one last. */
export const namesBefore = ({ name, formerly }: Pick<TraceRecord, 'name' | 'formerly'>, next: string): string[] =>
  [...new Set([...formerly.filter((old) => old !== name), name])].filter((old) => old !== next).slice(-FORMER_NAMES);

const plainName = (name: string): string => shortened(plainLine(name), NAME_CHARACTERS).trim() || 'unnamed';
