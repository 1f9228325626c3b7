import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TraceRecord } from '#protocol/api';
import { Recipe, type RecipeList, type RecipeSketch } from '#protocol/recipe';
import { makeFromRecipe, RecipeRefused } from '#bridge/recipes';
import type { Sketcher } from '#bridge/sketcher';
import { AppError } from '../errors.ts';
import type { Asking } from '../helpers.ts';
import type { NewTrace, TraceService } from './trace-service.ts';

const RECIPES = fileURLToPath(new URL('../../../traces/recipes', import.meta.url));

/** The shipped recipes, in the order of their names. */
export async function shippedRecipes(): Promise<RecipeList> {
  const files = (await readdir(RECIPES)).filter((name) => name.endsWith('.json')).sort();
  const recipes = await Promise.all(
    files.map(async (file) => ({
      id: basename(file, '.json'),
      recipe: Recipe.parse(JSON.parse(await readFile(join(RECIPES, file), 'utf8'))),
    })),
  );
  return { recipes };
}

export const refused = (error: unknown): never => {
  throw error instanceof RecipeRefused ? new AppError('RECIPE_REFUSED', error.message) : error;
};

export async function sketch(
  sketcher: Sketcher,
  recipe: Recipe,
  bins: number,
  { helpers, gone }: Asking,
): Promise<RecipeSketch> {
  return helpers.run(gone, (signal) => sketcher.sketch(recipe, bins, signal)).catch(refused);
}

/** Makes the trace and takes it in, with its recipe. */
export async function makeTrace(
  traces: TraceService,
  recipe: Recipe,
  tempDir: string,
  { helpers, gone, maker, isPrivate }: Asking & Pick<NewTrace, 'maker' | 'isPrivate'>,
): Promise<{ record: TraceRecord; added: boolean }> {
  await mkdir(tempDir, { recursive: true });
  const file = join(tempDir, `recipe-${randomUUID()}`);
  try {
    await helpers.run(gone, (signal) => makeFromRecipe(recipe, file, signal)).catch(refused);
    const { name, description, about: { technology, place } = {} } = recipe;
    const made = await traces.add(file, {
      name,
      description,
      technology,
      place,
      origin: 'recipe',
      maker,
      isPrivate,
      signal: gone,
    });
    if (made.added) await traces.keepRecipe(made.record.id, `${JSON.stringify(recipe, null, 2)}\n`);
    return made;
  } finally {
    await rm(file, { force: true });
  }
}
