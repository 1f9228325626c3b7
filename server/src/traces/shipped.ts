// The shipped traces, as `paceline-trace library` makes them.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { RecipeAbout } from '#protocol/recipe';
import { RecordingLicence, RecordingSource } from '#protocol/recording';
import { TraceInfo } from '#protocol/trace';

/** What `paceline-trace library` makes of the recipes and recordings. */
export const LIBRARY = fileURLToPath(new URL('../../../traces/made', import.meta.url));

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
