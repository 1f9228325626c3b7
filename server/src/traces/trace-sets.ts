// Sets of traces become the traces that they mean: seeds of a recipe are made, what lies in the library is looked up. What plans and runs
// know are traces by content, each with the name of its set.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindTrace, TraceFacts } from '#analysis/check-spec';
import { limitWindows } from '#analysis/limits';
import { meanOf, type PartWindow } from '#analysis/trace-part';
import { membersOf, setName, setsThereAre } from '#analysis/trace-library';
import { makeFromRecipe } from '#bridge/recipes';
import { importTrace, inspectStoredTrace } from '#bridge/traces';
import type { TraceRecord } from '#protocol/api';
import { SET_LIMITS } from '#protocol/limits';
import type { Recipe } from '#protocol/recipe';
import type { AskedSpec, ExperimentSpec, LibrarySet, ListedTrace, SeedSet } from '#protocol/spec';
import { AppError } from '../errors.ts';
import type { Helpers } from '../helpers.ts';
import type { Eyes } from '../store/private.ts';
import { makeTrace, refused, shippedRecipes } from './recipes.ts';
import type { TraceService } from './trace-service.ts';

interface Parts {
  readonly traces: TraceService;
  readonly helpers: Helpers;
  readonly tempDir: string;
}

export interface Resolved {
  readonly spec: ExperimentSpec;
  /** Knows the traces of sets too, also those that are not kept. */
  readonly find: FindTrace;
  /** Mean capacity of the part that runs of those that are not kept, by content hash. */
  readonly partMeans: ReadonlyMap<string, number>;
}

/** What was made of a recipe before: a trace never changes. */
interface Made {
  readonly facts: TraceFacts;
  /** Of the part that runs, where limits are of it. */
  readonly partMean: number | null;
}

interface Resolving {
  /** What seeds make goes into the library; otherwise it is looked at and forgotten. */
  readonly keep: boolean;
  readonly gone?: AbortSignal | undefined;
  /** Of who asks; left out: everything is seen. */
  readonly eyes?: Eyes | undefined;
}

interface Looking {
  readonly gone: AbortSignal;
  /** What of a trace of such a period has to be measured. */
  readonly parts: (period_ms: number) => readonly PartWindow[];
}

const MADE_KEPT = 1000;

const fault = (where: string, detail: string): AppError =>
  new AppError('SPEC_INVALID', detail, { where, faults: [{ where, detail }] });

const seedsOf = ({ seeds }: SeedSet): number[] =>
  Array.isArray(seeds) ? [...new Set(seeds)] : Array.from({ length: seeds.count }, (_, i) => seeds.from + i);

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Whether nothing but sets of traces keeps it from being a spec of traces. */
const hasSets = (spec: AskedSpec): boolean =>
  spec.traces.some((entry) => !('trace' in entry) && !('rate_mbps' in entry));

export class TraceSets {
  readonly #parts: Parts;
  readonly #made = new Map<string, Made>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async resolve(
    spec: AskedSpec,
    { keep, gone = new AbortController().signal, eyes = 'all' }: Resolving,
  ): Promise<Resolved> {
    const { traces } = this.#parts;
    const seen = traces.finder(eyes);
    if (!hasSets(spec)) return { spec: spec as ExperimentSpec, find: seen, partMeans: new Map() };
    const listed: ListedTrace[] = [];
    const facts = new Map<string, TraceFacts>();
    const partMeans = new Map<string, number>();
    const most = spec.traces.reduce((sum, entry) => sum + ('recipe' in entry ? seedsOf(entry).length : 1), 0);
    this.#refuseMany(most);
    for (const [i, entry] of spec.traces.entries()) {
      if ('trace' in entry || 'rate_mbps' in entry) listed.push(entry);
      else if ('recipe' in entry) {
        const parts = (period_ms: number): PartWindow[] => limitWindows(spec, period_ms);
        for (const { set, member } of await this.#seeds(entry, `traces.${i}`, { keep, gone, parts, seen })) {
          const { id } = member.facts;
          listed.push({ trace: id, set });
          facts.set(id, member.facts);
          if (member.partMean !== null) partMeans.set(id, member.partMean);
        }
      } else listed.push(...this.#library(entry, `traces.${i}`, eyes));
    }
    this.#refuseMany(listed.length);
    const find: FindTrace = (reference) => seen(reference) ?? facts.get(reference);
    return { spec: { ...spec, traces: listed }, find, partMeans };
  }

  #refuseMany(count: number): void {
    if (count > SET_LIMITS.traces.max)
      throw fault('traces', `these are ${count} traces, sets included; at most ${SET_LIMITS.traces.max} are allowed`);
  }

  #library(asked: LibrarySet, where: string, eyes: Eyes): ListedTrace[] {
    const all = this.#parts.traces.list({ eyes });
    const found = membersOf(all, asked);
    if (found.length === 0)
      throw fault(where, `no trace of the library is one of these; there are ${setsThereAre(all)}`);
    const set = `${found.length} ${setName(asked)}`;
    return found.map(({ id }) => ({ trace: id, set }));
  }

  async #seeds(
    asked: SeedSet,
    where: string,
    how: { readonly keep: boolean; readonly seen: FindTrace } & Looking,
  ): Promise<{ readonly set: string; readonly member: Made }[]> {
    const recipe = await this.#recipeOf(asked.recipe, `${where}.recipe`, how.seen);
    const seeds = seedsOf(asked);
    const set = `${counted(seeds.length, 'seed')} of ${networkOf(recipe)}`.slice(0, 200);
    const members: { set: string; member: Made }[] = [];
    for (const seed of seeds) {
      const seeded = withSeed(recipe, seed);
      if (seeded === null)
        throw fault(`${where}.seeds`, `nothing in “${recipe.name}” is random: every seed is the same trace`);
      members.push({ set, member: how.keep ? await this.#keep(seeded, how.gone) : await this.#look(seeded, how) });
    }
    return members;
  }

  async #recipeOf(name: string, where: string, seen: FindTrace): Promise<Recipe> {
    const { recipes } = await shippedRecipes();
    const shipped = recipes.find(({ id }) => id === name);
    if (shipped !== undefined) return shipped.recipe;
    const { traces } = this.#parts;
    const trace = seen(name);
    const ids = recipes.map(({ id }) => id).join(', ');
    if (trace === undefined)
      throw fault(where, `there is no recipe or trace “${name}”; recipes are ${ids}; traces made from one go, too`);
    if (traces.isPrivate(trace.id))
      throw fault(where, `${trace.name} is private, and traces of other seeds would not be: publish it first`);
    return traces.recipe(trace.id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'TRACE_WITHOUT_RECIPE')
        throw fault(where, `${trace.name} was not made from a recipe; recipes are ${ids}`);
      throw error;
    });
  }

  /** Made and kept in the library, unless it is there. */
  async #keep(recipe: Recipe, gone: AbortSignal): Promise<Made> {
    const { traces, helpers, tempDir } = this.#parts;
    const known = this.#made.get(JSON.stringify(recipe));
    const kept = known === undefined ? undefined : traces.find(known.facts.id);
    if (kept !== undefined) return { facts: kept, partMean: null };
    const { record } = await makeTrace(traces, recipe, tempDir, { helpers, gone });
    const { id, name, info } = record;
    return this.#remember(recipe, { facts: { id, name, ...figuresOf(info) }, partMean: null });
  }

  /** Made and looked at: a plan starts nothing and keeps nothing. */
  async #look(recipe: Recipe, { gone, parts }: Looking): Promise<Made> {
    const { helpers, tempDir } = this.#parts;
    const known = this.#made.get(JSON.stringify(recipe));
    if (known !== undefined && parts(known.facts.period_ms).length === 0) return { ...known, partMean: null };
    const folder = join(tempDir, `seed-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    try {
      const file = join(folder, 'made');
      await helpers.run(gone, (signal) => makeFromRecipe(recipe, file, signal)).catch(refused);
      const { info } = await helpers.run(gone, (signal) =>
        importTrace(file, folder, { made: true, limits: helpers.files, signal }),
      );
      const facts = { id: info.sha256, name: recipe.name, ...figuresOf(info) };
      const measured: { window: PartWindow; mean: number }[] = [];
      for (const window of parts(info.period_ms)) {
        const { preview } = await helpers.run(gone, (signal) =>
          inspectStoredTrace(join(folder, `${info.sha256}.trace`), {
            ...{ bins: 1, fromMs: window.from_ms, toMs: window.to_ms, signal },
          }),
        );
        measured.push({ window, mean: preview.mean_mbps[0] ?? info.mean_mbps });
      }
      return this.#remember(recipe, { facts, partMean: measured.length === 0 ? null : meanOf(measured) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #remember(recipe: Recipe, made: Made): Made {
    const oldest = this.#made.keys().next();
    if (this.#made.size >= MADE_KEPT && oldest.done !== true) this.#made.delete(oldest.value);
    this.#made.set(JSON.stringify(recipe), made);
    return made;
  }
}

const figuresOf = ({ mean_mbps, period_ms }: TraceRecord['info']): Pick<TraceFacts, 'mean_mbps' | 'period_ms'> => ({
  mean_mbps,
  period_ms,
});

/** What its seeds have in common: a recipe of one of them names that one. */
const networkOf = ({ name }: Pick<Recipe, 'name'>): string => name.replace(/(, seed \d+)+$/, '');

/** The recipe with another seed of its model; null: its model draws nothing. */
function withSeed(recipe: Recipe, seed: number): Recipe | null {
  const { schema, name, description, about, targets: _, ...models } = recipe;
  const [model] = Object.entries(models).filter(([, own]) => own !== undefined && 'seed' in own);
  if (model === undefined) return null;
  const [key, own] = model;
  // What the trace is called and was called is its own.
  const { technology, place } = about ?? {};
  const said = { ...(technology === undefined ? {} : { technology }), ...(place === undefined ? {} : { place }) };
  return {
    schema,
    name: `${networkOf({ name })}, seed ${seed}`.slice(-200),
    description,
    about: said,
    [key]: { ...own, seed },
  };
}
