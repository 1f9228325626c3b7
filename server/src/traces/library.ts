import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { TraceRecord } from '#protocol/api';
import type { Store } from '../store/store.ts';
import { aboutShipped, LIBRARY, shippedTraces } from './shipped.ts';
import { damageOf } from './stored-file.ts';
import { namesBefore, type TraceService } from './trace-service.ts';

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
