import { chromium, type Browser, type Page } from '@playwright/test';
import { PacelineServer } from '../../e2e/server.ts';
import { Api } from '../../e2e/support/api.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench } from './bench.ts';

const REPEATS = 5;
const CELLS = 200;
const AIM_MS = 500;
const AIM_NODES = 3000;

interface Shown {
  readonly ms: number;
  /** The table alone, and the whole page with its figures. */
  readonly table: number;
  readonly page: number;
}

/** From the press on the experiment in the list to the first frame that has rows of the table. */
async function open(browser: Browser, url: string, name: string): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name, exact: true }).waitFor();
    const ms = await page.evaluate<number>(pressUntilRows(name));
    await page.waitForLoadState('networkidle');
    return { ms, table: await nodes(page, '[aria-label="Results"] *'), page: await nodes(page, '*') };
  } finally {
    await context.close();
  }
}

/** In the page: from the press to the frame after the one in which rows were there, milliseconds. */
const pressUntilRows = (name: string): string => `new Promise((resolve) => {
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === ${JSON.stringify(name)});
  const pressed = performance.now();
  link.click();
  const look = () =>
    document.querySelector('[aria-label="Results"] tbody tr[aria-rowindex]') === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now() - pressed));
  look();
})`;

const nodes = (page: Page, selector: string): Promise<number> => page.locator(selector).count();

/** Two hundred runs as a table: how soon after the press that leads to them, and how much of a page they are. */
export const bench: Bench = async () => {
  await webPage();
  const path = chromiumPath();
  const server = await PacelineServer.start();
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const { name } = await new Api(server).measure({
      name: 'two hundred runs',
      duration_s: 1,
      traces: [{ rate_mbps: 10 }, { rate_mbps: 20 }],
      ccas: [{ id: 'cubic' }, { id: 'newreno' }],
      buffers: Array.from({ length: CELLS / 4 }, (_, i) => ({ packets: 10 + i })),
    });
    const all: Shown[] = [];
    for (let i = 0; i < REPEATS; i++) all.push(await open(browser, server.url, name));
    const times = all.map(({ ms }) => ms);
    const typical = median(times);
    const table = Math.max(...all.map((shown) => shown.table));
    const nodesOfPage = Math.max(...all.map(({ page }) => page));
    return [
      {
        what: `table of ${CELLS} runs, from the press on the experiment to its rows`,
        measured: `${typical.toFixed(0)} ms (median of ${REPEATS}, ${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)} ms)`,
        aim: { text: `< ${AIM_MS} ms`, met: typical < AIM_MS },
      },
      {
        what: `elements of the page of ${CELLS} runs, with its figures`,
        measured: `${nodesOfPage}, of them ${table} of the table`,
        aim: { text: `< ${AIM_NODES}`, met: nodesOfPage < AIM_NODES },
      },
    ];
  } finally {
    await browser.close();
    await server.dispose();
  }
};
