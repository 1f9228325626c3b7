import { chromium, type Browser } from '@playwright/test';
import { PacelineServer } from '../../e2e/server.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench, type Measurement } from './bench.ts';

const REPEATS = 5;
const AIM_MS = 1000;

/** A line as from a server elsewhere: what is fetched matters, and how often one thing waits for another. */
const LINES = [
  { what: 'on this machine', line: null },
  { what: 'over 10 Mbps and 40 ms', line: { latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 } },
] as const;

interface Paint {
  readonly ms: number;
  /** Its heading is there. */
  readonly stands_ms: number;
  readonly kB: number;
}

/** A browser that has never been here. */
async function coldPaint(browser: Browser, url: string, line: (typeof LINES)[number]['line']): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    if (line !== null) await session.send('Network.emulateNetworkConditions', { offline: false, ...line });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(url, { waitUntil: 'commit' });
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      undefined,
      { polling: 50 },
    );
    const ms = Number(await paint.jsonValue());
    // What it took until the page stands.
    await page.getByRole('heading', { level: 1 }).waitFor();
    const stands_ms = await page.evaluate(() => performance.now());
    return { ms, stands_ms, kB: bytes / 1000 };
  } finally {
    await context.close();
  }
}

/** From the address to the first text on the screen, with nothing in the browser's cache. */
export const bench: Bench = async () => {
  await webPage();
  const path = chromiumPath();
  const server = await PacelineServer.start();
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const rows: Measurement[] = [];
    for (const { what, line } of LINES) {
      const paints: Paint[] = [];
      for (let i = 0; i < REPEATS; i++) paints.push(await coldPaint(browser, server.url, line));
      const times = paints.map(({ ms }) => ms);
      const typical = median(times);
      const stands = median(paints.map(({ stands_ms }) => stands_ms));
      const fetched = median(paints.map(({ kB }) => kB));
      rows.push({
        what: `first contentful paint of the home page, cold, ${what}`,
        measured: `${typical.toFixed(0)} ms, the page after ${stands.toFixed(0)} ms and ${fetched.toFixed(0)} kB (median of ${REPEATS}, ${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)} ms)`,
        aim: { text: `< ${AIM_MS} ms`, met: typical < AIM_MS },
      });
    }
    return rows;
  } finally {
    await browser.close();
    await server.dispose();
  }
};
