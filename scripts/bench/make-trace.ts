import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Recipe } from '#protocol/recipe';
import { makeFromRecipe, sketchRecipe } from '#bridge/recipes';
import { median, type Bench } from './bench.ts';

const RECIPE = fileURLToPath(new URL('../../traces/recipes/mmwave-b4.json', import.meta.url));
const AIM_MS = 1000;
const SKETCH_AIM_MS = 100;
const REPEATS = 9;
/** As the page asks for while a slider moves. */
const COARSE_STEP_US = 5000;
const BINS = 600;

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** A 180 s scenario with two stations: into a file, and as the page sketches it. */
export const bench: Bench = async () => {
  const recipe = Recipe.parse(JSON.parse(readFileSync(RECIPE, 'utf8')));
  const coarse = { ...recipe, radio: { ...recipe.radio, step_us: COARSE_STEP_US } };
  const file = join(tmpdir(), `paceline-bench-${process.pid}.trace`);
  const made = await milliseconds(() => makeFromRecipe(recipe, file));
  await rm(file, { force: true });
  const sketched = await milliseconds(() => sketchRecipe(coarse, BINS));
  return [
    {
      what: 'a scenario of 180 s made, median',
      measured: `${made.toFixed(0)} ms`,
      aim: { text: `< ${AIM_MS} ms`, met: made < AIM_MS },
    },
    {
      what: 'a scenario of 180 s sketched for the page, median',
      measured: `${sketched.toFixed(0)} ms`,
      aim: { text: `< ${SKETCH_AIM_MS} ms`, met: sketched < SKETCH_AIM_MS },
    },
  ];
};
