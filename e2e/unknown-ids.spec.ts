// Links to what is not there: each page says so, and the browser's console, which researchers do look at, stays empty.
import { expect, test } from './fixtures.ts';

const ID = 'a'.repeat(20);
const HASH = '0'.repeat(64);

const NOTHING = [
  [`/e/${ID}`, 'experiment'],
  ['/e/none', 'experiment'],
  [`/r/${ID}`, 'run'],
  ['/r/none', 'run'],
  [`/traces/${HASH}`, 'trace'],
  ['/traces/none', 'trace'],
  [`/traces/${HASH}/edit`, 'trace'],
  [`/traces/compare?ids=${HASH}`, 'trace'],
  [`/overlay?runs=${ID}`, 'run'],
  [`/compare?runs=${ID}`, 'run'],
  ['/compare?runs=none', 'run'],
  [`/compare?regress=${ID}`, 'experiment'],
  [`/new?from=${ID}`, 'experiment'],
] as const;

for (const [path, kind] of NOTHING) {
  // The fixture fails the test for anything that is logged or thrown.
  test(`${path} says that there is no such ${kind}, and logs nothing`, async ({ page, sharedServer }) => {
    await page.goto(sharedServer.url + path);
    await expect(page.getByRole('alert')).toContainText(`There is no such ${kind}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
  });
}
