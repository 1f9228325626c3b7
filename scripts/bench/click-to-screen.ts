import { chromium, type Page } from '@playwright/test';
import { PacelineServer } from '../../e2e/server.ts';
import { runToFirstPicture } from '../../e2e/support/first-picture.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { webPage } from '../setup/web.mjs';
import { median, type Bench } from './bench.ts';

const REPEATS = 10;
const AIM_MS = 300;

/** Fills the form with an experiment of one run that is still going when it is stopped. */
async function prepare(page: Page, url: string, seed: number): Promise<void> {
  await page.goto(`${url}/new`);
  const spec = { traces: [{ trace: 'Cellular walk, LTE-like' }], ccas: [{ id: 'cubic' }], seed, duration_s: 80_000 };
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('textbox', { name: 'Experiment as JSON' }).fill(JSON.stringify(spec));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Nothing else is going on when the button is pressed.
  await page.waitForLoadState('networkidle');
}

/** A person presses Run in a real browser; the server, the queue and the C++ program do the rest. */
export const bench: Bench = async () => {
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
    for (let seed = 1; seed <= REPEATS; seed++) {
      await prepare(page, server.url, seed);
      times.push(await runToFirstPicture(page));
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('did not finish').waitFor();
    }
    const typical = median(times);
    return [
      {
        what: 'click on Run to the first samples on the screen',
        measured: `${typical.toFixed(0)} ms (median of ${REPEATS}, ${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)})`,
        aim: { text: `< ${AIM_MS} ms`, met: typical < AIM_MS },
      },
    ];
  } finally {
    await browser.close();
    await server.dispose();
  }
};
