import { Sha256 } from '#protocol/manifest';
import type { Recipe } from '#protocol/recipe';
import { TraceMarks } from '#protocol/trace';
import { oneShot, ProgramFailed } from './one-shot.ts';

/** A day of 0.125 ms steps with eight branches takes about a minute. */
const TIMEOUT_MS = 180_000;

/** A recipe that nothing can be made from; the message names the place. */
export class RecipeRefused extends Error {
  override readonly name = 'RecipeRefused';
}

const MarksOf = TraceMarks.extend({ sha256: Sha256.describe('of the trace that they are of') });

/** Writes the recipe's trace. Throws RecipeRefused. */
export async function makeFromRecipe(recipe: Recipe, file: string, signal?: AbortSignal): Promise<void> {
  await ask(['make', '-', '--out', file], recipe, signal);
}

/** What the recipe's model knows of its trace, which is told by its hash. Throws RecipeRefused. */
export async function marksOfRecipe(
  recipe: Recipe,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly marks: TraceMarks }> {
  const { sha256, ...marks } = MarksOf.parse(JSON.parse(await ask(['marks', '-'], recipe, signal)));
  return { sha256, marks };
}

async function ask(args: readonly string[], recipe: Recipe, signal: AbortSignal | undefined): Promise<string> {
  const input = JSON.stringify(recipe);
  const result = await oneShot('paceline-trace', args, { timeoutMs: TIMEOUT_MS, input, ...(signal && { signal }) });
  if (result.code === 0) return result.stdout;
  const reason = result.stderr.trim().replace(/^paceline-trace: /, '');
  if (result.code === 2) throw new RecipeRefused(reason);
  throw new ProgramFailed(`paceline-trace: ${reason}`);
}
