import type { Recipe } from '#protocol/recipe';
import { oneShot, ProgramFailed } from './one-shot.ts';

/** A day of 0.125 ms steps with eight branches takes about a minute. */
const TIMEOUT_MS = 180_000;

/** A recipe that nothing can be made from; the message names the place. */
export class RecipeRefused extends Error {
  override readonly name = 'RecipeRefused';
}

/** Writes the recipe's trace. Throws RecipeRefused. */
export async function makeFromRecipe(recipe: Recipe, file: string, signal?: AbortSignal): Promise<void> {
  const args = ['make', '-', '--out', file];
  const input = JSON.stringify(recipe);
  const result = await oneShot('paceline-trace', args, { timeoutMs: TIMEOUT_MS, input, ...(signal && { signal }) });
  if (result.code === 0) return;
  const reason = result.stderr.trim().replace(/^paceline-trace: /, '');
  if (result.code === 2) throw new RecipeRefused(reason);
  throw new ProgramFailed(`paceline-trace: ${reason}`);
}
