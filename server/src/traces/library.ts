import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import type { TraceService } from './trace-service.ts';

const LIBRARY = fileURLToPath(new URL('../../../traces', import.meta.url));

const Catalog = z.array(
  z.object({
    name: z.string(),
    file: z.string().regex(/^[\w.-]+$/),
    description: z.string(),
    sha256: z.string(),
  }),
);

/** Brings the shipped traces into the data folder; those that are there already cost nothing. */
export async function importLibrary(traces: TraceService, store: Store, log: Logger, folder = LIBRARY): Promise<void> {
  const catalog = Catalog.parse(JSON.parse(await readFile(join(folder, 'catalog.json'), 'utf8')));
  for (const { name, file, description, sha256 } of catalog) {
    const known = store.traces.get(sha256);
    if (known === null) await traces.add(join(folder, file), { name, origin: 'library', description });
    else if (known.name !== name || known.description !== description || known.origin !== 'library')
      traces.describe(sha256, { name, origin: 'library', description });
  }
  log.debug({ traces: catalog.length }, 'the shipped traces are there');
}
