import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { TraceRecord } from '#protocol/api';
import { RecipeAbout } from '#protocol/recipe';
import { RecordingLicence, RecordingSource } from '#protocol/recording';
import { TraceInfo } from '#protocol/trace';
import type { Store } from '../store/store.ts';
import { damageOf } from './stored-file.ts';
import { namesBefore, type TraceService } from './trace-service.ts';

/** What `paceline-trace library` makes of the recipes and recordings. */
const LIBRARY = fileURLToPath(new URL('../../../traces/made', import.meta.url));

/** What the recipes make is as free as the recipes. */
const LICENCE = 'MIT (Paceline)';

const Shipped = z.object({
  name: z.string(),
  file: z.string().regex(/^[\w.-]+$/),
  description: z.string(),
  about: RecipeAbout,
  info: TraceInfo,
  spark: z.array(z.number()),
});
const Library = z.array(
  z.union([
    Shipped.extend({ recipe: z.string().regex(/^recipes\/[\w.-]+$/) }),
    Shipped.extend({
      recording: z.string().regex(/^recordings\/[\w.-]+$/),
      licence: RecordingLicence,
      source: RecordingSource,
    }),
  ]),
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
export const aboutShipped = (shipped: ShippedTrace) => ({
  name: shipped.name,
  origin: 'library' as const,
  description: shipped.description,
  ...ownerOf(shipped),
  technology: shipped.about.technology ?? '',
  place: shipped.about.place ?? '',
  formerly: shipped.about.formerly ?? [],
});

function ownerOf(shipped: ShippedTrace): { licence: string; source: string } {
  if ('recipe' in shipped) return { licence: LICENCE, source: `traces/${shipped.recipe}` };
  const { recording, licence, source } = shipped;
  return {
    licence: `${licence.name}, ${licence.url} – ${licence.owner}`,
    source: [
      `traces/${recording}`,
      source.citation,
      `Published at ${source.url} as ${source.file}`,
      `Changes: ${source.changes}`,
    ].join('\n'),
  };
}

/** Brings the shipped traces into the data folder; those that are there already cost nothing. */
export async function importLibrary(traces: TraceService, store: Store, log: Logger, folder = LIBRARY): Promise<void> {
  const library = await shippedTraces(folder);
  // One moment for all: they are listed by name.
  const created_at = new Date().toISOString();
  const taken = new Set(store.traces.names().flatMap(({ origin, name }) => (origin === 'library' ? [] : [name])));
  await Promise.all(
    library.map(async (shipped) => {
      const { file, info, spark } = shipped;
      const known = store.traces.get(info.sha256);
      const about = namedHere(aboutShipped(shipped), known, taken);
      const keepRecipe = async (): Promise<void> =>
        'recipe' in shipped
          ? traces.keepRecipe(info.sha256, await readFile(join(folder, '..', shipped.recipe), 'utf8'))
          : undefined;
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
