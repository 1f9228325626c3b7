import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { Recipe } from '#protocol/recipe';
import { makeFromRecipe } from '#bridge/recipes';
import { PacelineServer } from '../../e2e/server.ts';
import { sliderToPicture } from '../../e2e/support/slider-to-picture.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench, type Measurement } from './bench.ts';

const recipeFile = (id: string): string => fileURLToPath(new URL(`../../traces/recipes/${id}.json`, import.meta.url));

/** 180 s with two stations and eight buildings: the most that a shipped scenario asks for. */
const BUSIEST = 'mmwave-b4';
const SCENARIOS = [BUSIEST, 'mmwave-b1', 'lte-downlink-drive', 'city-drive'];
const SLIDERS = ['Greatest speed', 'Bandwidth', 'Blockers passing'];
const MAKE_AIM_MS = 1000;
const SKETCH_AIM_MS = 100;
const REPEATS = 9;
/** Longer than a slider rests before the exact sketch is asked for, so that the next step finds nothing under way. */
const PAUSE_MS = 500;

async function making(): Promise<Measurement> {
  const recipe = Recipe.parse(JSON.parse(readFileSync(recipeFile(BUSIEST), 'utf8')));
  const file = join(tmpdir(), `paceline-bench-${process.pid}.trace`);
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    await makeFromRecipe(recipe, file);
    times.push(performance.now() - start);
  }
  await rm(file, { force: true });
  const typical = median(times);
  return {
    what: 'a scenario of 180 s made, median',
    measured: `${typical.toFixed(0)} ms`,
    aim: { text: `< ${MAKE_AIM_MS} ms`, met: typical < MAKE_AIM_MS },
  };
}

/** A person steps the sliders of the scenario maker in a real browser. */
async function redrawing(): Promise<Measurement> {
  await webPage();
  const path = chromiumPath();
  const server = await PacelineServer.start();
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const times: number[] = [];
    for (const scenario of SCENARIOS) {
      await page.goto(`${server.url}/traces/make?scenario=${scenario}`);
      await page.getByRole('img', { name: /^Map/ }).waitFor();
      for (const name of SLIDERS)
        for (let i = 0; i < REPEATS; i++) {
          await page.waitForTimeout(PAUSE_MS);
          times.push(await sliderToPicture(page, page.getByRole('slider', { name }), 'ArrowRight'));
        }
    }
    const typical = median(times);
    const p95 = [...times].sort((a, b) => a - b)[Math.floor(0.95 * times.length)] ?? NaN;
    return {
      what: 'a slider of the scenario maker to the frame with map and capacity redrawn',
      measured: `${typical.toFixed(0)} ms (median of ${times.length}, p95 ${p95.toFixed(0)} ms)`,
      aim: { text: `<= ${SKETCH_AIM_MS} ms`, met: typical <= SKETCH_AIM_MS },
    };
  } finally {
    await browser.close();
    await server.dispose();
  }
}

export const bench: Bench = async () => [await making(), await redrawing()];
