import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { TraceRecord } from '#protocol/api';
import { RecipeAbout } from '#protocol/recipe';
import { TraceInfo } from '#protocol/trace';
import type { Store } from '../store/store.ts';
import { damageOf } from './stored-file.ts';
import { namesBefore, type TraceService } from './trace-service.ts';

/** What `paceline-trace library` makes of the recipes. */
const LIBRARY = fileURLToPath(new URL('../../../traces/made', import.meta.url));

/** What the recipes make is as free as the recipes. */
const LICENCE = 'MIT (Paceline)';

const Library = z.array(
  z.object({
    name: z.string(),
    file: z.string().regex(/^[\w.-]+$/),
    description: z.string(),
    about: RecipeAbout,
    recipe: z.string().regex(/^recipes\/[\w.-]+$/),
    info: TraceInfo,
    spark: z.array(z.number()),
  }),
);
export type ShippedTrace = z.infer<typeof Library>[number];

/** The shipped traces, as they are called in this version. */
export async function shippedTraces(folder = LIBRARY): Promise<ShippedTrace[]> {
  const index = join(folder, 'library.json');
  if (!existsSync(index))
    throw new Error(`the shipped traces have not been made: npm run setup -- --only native,traces`);
  return Library.parse(JSON.parse(await readFile(index, 'utf8')));
}

/** What is said of a shipped trace, whatever its folder knows of it. */
export const aboutShipped = ({ name, description, about, recipe }: ShippedTrace) => ({
  name,
  origin: 'library' as const,
  description,
  licence: LICENCE,
  source: `traces/${recipe}`,
  technology: about.technology ?? '',
  place: about.place ?? '',
  formerly: about.formerly ?? [],
});

/** Brings the shipped traces into the data folder; those that are there already cost nothing. */
export async function importLibrary(traces: TraceService, store: Store, log: Logger, folder = LIBRARY): Promise<void> {
  const library = await shippedTraces(folder);
  // One moment for all: they are listed by name.
  const created_at = new Date().toISOString();
  const taken = new Set(store.traces.names().flatMap(({ origin, name }) => (origin === 'library' ? [] : [name])));
  await Promise.all(
    library.map(async (shipped) => {
      const { file, recipe, info, spark } = shipped;
      const known = store.traces.get(info.sha256);
      const about = namedHere(aboutShipped(shipped), known, taken);
      const keepRecipe = async (): Promise<void> =>
        traces.keepRecipe(info.sha256, await readFile(join(folder, '..', recipe), 'utf8'));
      if (known === null) {
        await traces.adopt(join(folder, file), { ...about, created_at, info, spark });
        await keepRecipe();
      } else {
        if ((await damageOf(traces.path(known.id), known.id)) !== null)
          await traces.restore(join(folder, file), known.id);
        const now = { ...known, ...about, info };
        if (isDeepStrictEqual(now, known)) return;
        await keepRecipe();
        traces.describe(now);
      }
    }),
  );
  log.debug({ traces: library.length }, 'the shipped traces are there');
}

/**
 * The names that a shipped trace has and had in this folder. A name that it is to have only now, and that a trace of one's own has already,
 * stays that trace's: specs that use it mean that one.
 */
function namedHere(
  about: ReturnType<typeof aboutShipped>,
  known: TraceRecord | null,
  taken: ReadonlySet<string>,
): ReturnType<typeof aboutShipped> {
  const isTaken = known?.name !== about.name && taken.has(about.name);
  const name = isTaken ? `${about.name} (shipped)` : about.name;
  const had = known === null ? [] : namesBefore(known, name);
  return { ...about, name, formerly: [...new Set([...about.formerly, ...had])].filter((old) => old !== name) };
}
