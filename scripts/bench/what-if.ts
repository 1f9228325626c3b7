import { chromium, type Locator, type Page } from '@playwright/test';
import { Api } from '../../e2e/support/api.ts';
import { PacelineServer } from '../../e2e/server.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench, type Measurement } from './bench.ts';

const MOVES = 40;
/** Between two moves, so that each is over before the next. */
const APART_MS = 700;
const FIRST_AIM_MS = 300;
const FIRSTS = 5;

const specOf = (rate_mbps: number) => ({
  name: 'What if',
  duration_s: 30,
  traces: [{ rate_mbps }],
  ccas: [{ id: 'cubic' }],
  base_rtt_ms: [40],
  buffers: [{ bdp: 1 }],
});

/** In the page: how long it took from each move to the picture of it, milliseconds. */
const LISTEN = `window.moved = []; new PerformanceObserver((list) => {
  for (const { name, duration } of list.getEntries()) if (name === 'what-if') window.moved.push(duration);
}).observe({ entryTypes: ['measure'] });`;

const taken = (page: Page): Promise<number[]> => page.evaluate<number[]>('window.moved.splice(0)');
const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1] ?? NaN;

async function byKey(page: Page, slider: Locator): Promise<number[]> {
  await slider.focus();
  for (let i = 0; i < MOVES; i++) {
    await slider.press(i % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
    await page.waitForTimeout(APART_MS);
  }
  return taken(page);
}

/** A pointer that is dragged to and fro over the middle of the rail for two seconds. */
async function byDrag(page: Page, slider: Locator): Promise<number[]> {
  const box = await slider.boundingBox();
  if (box === null) throw new Error('the slider is not in sight');
  const to = (share: number): Promise<void> => page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
  await to(0.4);
  await page.mouse.down();
  for (let i = 0; i < 120; i++) {
    await to(0.4 + 0.2 * Math.sin(i / 20));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.waitForTimeout(APART_MS);
  return taken(page);
}

async function moved(page: Page, server: PacelineServer, mbps: number, aim: number): Promise<Measurement> {
  const spec = specOf(mbps);
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent(JSON.stringify(spec))}`);
  await page.getByRole('figure', { name: 'Throughput' }).locator('canvas').first().waitFor();
  await page.waitForTimeout(2 * APART_MS);
  await taken(page);
  const slider = page.getByRole('slider', { name: 'Base RTT', exact: true });
  const [keys, drag] = [await byKey(page, slider), await byDrag(page, slider)];
  const begin = performance.now();
  // Another seed each time: what is stored already would be found.
  await new Api(server).measure({ ...spec, seed: mbps });
  const asked = performance.now() - begin;
  return {
    what: `what if: 30 s of ${mbps} Mbps, from the hand's move to the picture`,
    measured: `${median(keys).toFixed(0)} ms, p95 ${p95(keys).toFixed(0)} ms (${keys.length} moves by key); dragged ${drag.length} pictures in 2 s, each ${median(drag).toFixed(0)} ms behind the hand, p95 ${p95(drag).toFixed(0)} ms; asked of the server beside it ${asked.toFixed(0)} ms`,
    aim: { text: `p95 <= ${aim} ms`, met: p95(keys) <= aim },
  };
}

/** From the click on a run's page to the first picture; the browser has none of the engine yet. */
async function firstUse(open: () => Promise<Page>, server: PacelineServer): Promise<Measurement> {
  const { runs } = await new Api(server).measure(specOf(50));
  const times: number[] = [];
  for (let i = 0; i < FIRSTS; i++) {
    const page = await open();
    await page.goto(`${server.url}/r/${runs[0]?.id ?? ''}`);
    const link = page.getByRole('link', { name: 'What if …' });
    await link.waitFor();
    await page.waitForTimeout(3000);
    const click = await page.evaluate<number>(
      `new Promise((clicked) => { addEventListener('click', () => clicked(performance.now()), { once: true, capture: true });
        [...document.querySelectorAll('a')].find((a) => a.textContent === 'What if …').click(); })`,
    );
    const end = await page.evaluate<number>(
      `new Promise((ended) => { const look = () => {
        const [entry] = performance.getEntriesByName('what-if');
        if (entry === undefined) requestAnimationFrame(look); else ended(entry.startTime + entry.duration);
      }; look(); })`,
    );
    times.push(end - click);
    await page.context().close();
  }
  return {
    what: 'what if: from the click on a run to the first picture, the engine fetched and compiled',
    measured: `${median(times).toFixed(0)} ms (median of ${FIRSTS}; ${times.map((ms) => ms.toFixed(0)).join(', ')})`,
    aim: { text: `<= ${FIRST_AIM_MS} ms`, met: median(times) <= FIRST_AIM_MS },
  };
}

export const bench: Bench = async () => {
  await webPage();
  const path = chromiumPath();
  const server = await PacelineServer.start();
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(LISTEN);
    return context.newPage();
  };
  try {
    const page = await open();
    return [await firstUse(open, server), await moved(page, server, 50, 100), await moved(page, server, 500, 400)];
  } finally {
    await browser.close();
    await server.stop();
  }
};
