// What the model behind a trace knows of it, for the command line: of a shipped recipe, of what it makes, and of a trace in a data folder.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFromRecipe, marksOfRecipe } from '#bridge/recipes';
import { Recipe } from '#protocol/recipe';
import type { TraceMarks } from '#protocol/trace';
import { shippedTraces } from '../traces/shipped.ts';
import { decimal } from './decimal.ts';

const SHIPPED = fileURLToPath(new URL('../../../traces/', import.meta.url));

const readRecipe = async (file: string): Promise<Recipe> => Recipe.parse(JSON.parse(await readFile(file, 'utf8')));

/** The recipe that made it: beside it, as in a data folder, or shipped with what it makes. */
async function recipeOf(file: string, sha256: string): Promise<Recipe | null> {
  const beside = file.replace(/\.trace$/, '.recipe.json');
  if (beside !== file && existsSync(beside)) return readRecipe(beside);
  if (!existsSync(join(SHIPPED, 'made', 'library.json'))) return null;
  const found = (await shippedTraces()).find(({ info }) => info.sha256 === sha256);
  return found !== undefined && 'recipe' in found ? readRecipe(join(SHIPPED, found.recipe)) : null;
}

/** null: it was not made, or nothing is known of how. */
export async function marksOfFile(file: string, sha256: string): Promise<TraceMarks | null> {
  const recipe = await recipeOf(file, sha256);
  if (recipe === null) return null;
  const made = await marksOfRecipe(recipe);
  return made.sha256 === sha256 ? made.marks : null;
}

/** Gives `work` the file of the trace that the recipe makes. */
export async function withTraceOf<T>(recipe: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'paceline-trace-'));
  try {
    const file = join(folder, 'made.trace');
    await makeFromRecipe(await readRecipe(recipe), file);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lines of `paceline trace info`. */
export function marksFacts({ count, marks, snr }: TraceMarks): string[][] {
  const lengths = marks.map(({ lasts_s }) => lasts_s * 1000).toSorted((a, b) => a - b);
  const levels = snr?.mean_db.toSorted((a, b) => a - b) ?? [];
  const first = marks.slice(0, 5).map(({ at_s }) => decimal(at_s));
  return [
    [
      'handovers',
      count === 0
        ? 'none'
        : `${count === 1 ? 'once' : `${count} times`}, median ${decimal(lengths[Math.floor((lengths.length - 1) / 2)] ?? 0)} ms; at ${first.join(', ')}${count > first.length ? ' …' : ''} s`,
    ],
    ...(snr === null
      ? []
      : [
          [
            'signal (SNR)',
            `${decimal(levels[0] ?? 0)} to ${decimal(levels.at(-1) ?? 0)} dB in means of ${decimal(snr.every_ms / 1000)} s, median ${decimal(levels[Math.floor((levels.length - 1) / 2)] ?? 0)} dB`,
          ],
        ]),
  ];
}
