import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { z } from 'zod';
import { TraceInfo } from '#protocol/trace';
import type { Store } from '../store/store.ts';
import { damageOf } from './stored-file.ts';
import type { TraceService } from './trace-service.ts';

/** What `paceline-trace library` makes of the recipes. */
const LIBRARY = fileURLToPath(new URL('../../../traces/made', import.meta.url));

/** What the recipes make is as free as the recipes. */
const LICENCE = 'MIT (Paceline)';

const Library = z.array(
  z.object({
    name: z.string(),
    file: z.string().regex(/^[\w.-]+$/),
    description: z.string(),
    recipe: z.string().regex(/^recipes\/[\w.-]+$/),
    info: TraceInfo,
    spark: z.array(z.number()),
  }),
);

/** Brings the shipped traces into the data folder; those that are there already cost nothing. */
export async function importLibrary(traces: TraceService, store: Store, log: Logger, folder = LIBRARY): Promise<void> {
  const index = join(folder, 'library.json');
  if (!existsSync(index))
    throw new Error(`the shipped traces have not been made: npm run setup -- --only native,traces`);
  const library = Library.parse(JSON.parse(await readFile(index, 'utf8')));
  // One moment for all: they are listed by name.
  const created_at = new Date().toISOString();
  await Promise.all(
    library.map(async ({ name, file, description, recipe, info, spark }) => {
      const about = { name, origin: 'library', description, licence: LICENCE, source: `traces/${recipe}` } as const;
      const known = store.traces.get(info.sha256);
      if (known === null) {
        await traces.adopt(join(folder, file), { ...about, created_at, info, spark });
        await traces.keepRecipe(info.sha256, await readFile(join(folder, '..', recipe), 'utf8'));
      } else {
        if ((await damageOf(traces.path(known.id), known.id)) !== null)
          await traces.restore(join(folder, file), known.id);
        const now = { ...known, ...about, info };
        if (JSON.stringify(now) !== JSON.stringify(known)) traces.describe(now);
      }
    }),
  );
  log.debug({ traces: library.length }, 'the shipped traces are there');
}
