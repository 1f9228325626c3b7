import { chromium, type Page } from '@playwright/test';
import { PacelineServer } from '../../e2e/server.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench, type Measurement } from './bench.ts';

const REPEATS = 7;
const AIM_MS = 200;
/** A server that was started so long ago has prepared what it is asked. */
const SETTLED_MS = 8000;
const PAGES = ['/runs', '/traces', '/studies', '/ccas', '/doctor', '/'] as const;

/** In the page: milliseconds from the press of a link until the page behind it stands, its heading and what it waited for. */
const PRESS = `(to) => new Promise((stands) => {
  const link = document.querySelector('nav a[href="' + to + '"]');
  const before = document.querySelector('main h1');
  const begin = performance.now();
  link.click();
  const look = () => {
    const heading = document.querySelector('main h1');
    const waits = document.querySelector('main [role="status"][aria-label^="Loading"]') !== null;
    if (location.pathname === to && heading !== null && heading !== before && !waits)
      requestAnimationFrame(() => stands(performance.now() - begin));
    else requestAnimationFrame(look);
  };
  look();
})`;

const pressed = (page: Page, path: string): Promise<number> =>
  page.evaluate<number>(`(${PRESS})(${JSON.stringify(path)})`);

/** The same page by its address, with what the browser has kept: beside it. */
async function reloaded(page: Page, url: string): Promise<number> {
  const begin = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('main h1').first().waitFor();
  return performance.now() - begin;
}

/** From one page to another within the browser. */
export const bench: Bench = async () => {
  await webPage();
  const path = chromiumPath();
  const server = await PacelineServer.start();
  const settled = new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.locator('main h1').first().waitFor();
    await settled;
    const rows: Measurement[] = [];
    const [first, again, addresses] = [
      new Map<string, number>(),
      new Map<string, number[]>(),
      new Map<string, number[]>(),
    ];
    for (let round = 0; round < REPEATS; round++)
      for (const to of PAGES) {
        const ms = await pressed(page, to);
        if (round === 0) first.set(to, ms);
        else again.set(to, [...(again.get(to) ?? []), ms]);
      }
    for (let round = 0; round < 3; round++)
      for (const to of PAGES)
        addresses.set(to, [...(addresses.get(to) ?? []), await reloaded(page, `${server.url}${to}`)]);
    for (const to of PAGES) {
      const typical = median(again.get(to) ?? []);
      const firstMs = first.get(to) ?? NaN;
      const address = median(addresses.get(to) ?? []);
      rows.push({
        what: `the page ${to}, from another`,
        measured: `${firstMs.toFixed(0)} ms the first time, ${typical.toFixed(0)} ms then (median of ${REPEATS - 1}); by its address ${address.toFixed(0)} ms, ${(address / typical).toFixed(1)} times as long`,
        aim: { text: `<= ${AIM_MS} ms, the first time too`, met: Math.max(firstMs, typical) <= AIM_MS },
      });
    }
    return rows;
  } finally {
    await browser.close();
    await server.dispose();
  }
};
