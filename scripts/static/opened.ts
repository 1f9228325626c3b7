// Opens an address of a site in a browser, as whoever comes to it first.
import type { Browser } from '@playwright/test';

const SHOWN_MS = 60_000;

/** Sentences; none: it shows a page, and nothing that it asked for was missing. */
export async function opened(browser: Browser, site: string, address: string): Promise<string[]> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const faults: string[] = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${address}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${address}: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${address}: ${response.url()} has status ${response.status()}`);
    });
    await page.goto(site + address, { timeout: SHOWN_MS });
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor({ timeout: SHOWN_MS });
    await page.waitForLoadState('networkidle', { timeout: SHOWN_MS });
    const problem = page.getByText(/cannot be (shown|reached)$/);
    if ((await problem.count()) > 0) faults.push(`${address}: ${await problem.first().innerText()}`);
  } catch (error) {
    faults.push(`${address}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`);
  } finally {
    await context.close();
  }
  return faults;
}
