import { RecipeSketch, type Recipe } from '#protocol/recipe';
import { oneShot, ProgramFailed, type OneShot } from './one-shot.ts';

/** A day of 0.125 ms steps with eight branches takes about a minute. */
const TIMEOUT_MS = 180_000;

/** A recipe that nothing can be made from; the message names the place. */
export class RecipeRefused extends Error {
  override readonly name = 'RecipeRefused';
}

/** Statistics, a preview of `bins` bins and the plan of what a recipe makes. Throws RecipeRefused. */
export async function sketchRecipe(recipe: Recipe, bins: number, signal?: AbortSignal): Promise<RecipeSketch> {
  const { stdout } = await trace(['sketch', '-', '--bins', String(bins)], recipe, signal);
  return RecipeSketch.parse(JSON.parse(stdout));
}

/** Writes the recipe's trace. Throws RecipeRefused. */
export async function makeFromRecipe(recipe: Recipe, file: string): Promise<void> {
  await trace(['make', '-', '--out', file], recipe);
}

async function trace(args: readonly string[], recipe: Recipe, signal?: AbortSignal): Promise<OneShot> {
  const input = JSON.stringify(recipe);
  const result = await oneShot('paceline-trace', args, { timeoutMs: TIMEOUT_MS, input, ...(signal && { signal }) });
  if (result.code === 0) return result;
  const reason = result.stderr.trim().replace(/^paceline-trace: /, '');
  if (result.code === 2) throw new RecipeRefused(reason);
  throw new ProgramFailed(`paceline-trace: ${reason}`);
}
