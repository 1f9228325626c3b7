// Two hundred cells in the table of results: its head stays, its rows come as they are scrolled to, and the page stays small.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { PacelineServer } from './server.ts';

let server: PacelineServer;
test.beforeAll(async () => {
  server = await PacelineServer.start();
});
test.afterAll(() => server.dispose());

test('two hundred rows are read at any place, found by their words, and few are in the page at a time', async ({
  page,
}) => {
  const record = await new Api(server).measure({
    name: 'many cells',
    duration_s: 1,
    traces: [{ rate_mbps: 10 }, { rate_mbps: 20 }],
    ccas: [{ id: 'cubic' }, { id: 'newreno' }],
    buffers: Array.from({ length: 50 }, (_, i) => ({ packets: 10 + i })),
  });
  expect(record.cells).toHaveLength(200);
  await page.goto(`${server.url}/e/${record.id}`);
  const table = page.getByRole('region', { name: 'Results' }).getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  expect(await table.locator('*').count()).toBeLessThan(3000);
  const box = page.getByRole('region', { name: 'Results' });
  await box.scrollIntoViewIfNeeded();
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(table.locator('tr[aria-rowindex="201"]')).toBeVisible();
  await expect(table.getByRole('columnheader', { name: /^Algorithm/ })).toBeInViewport({ ratio: 0.1 });
  await page.getByRole('textbox', { name: 'Show rows with' }).fill('newreno 20');
  await expect(page.getByText(/ of 200 rows/)).toBeVisible();
  await expect(page).toHaveURL(/find=newreno/);
  await page.reload();
  await expect(page.getByText(/ of 200 rows/)).toBeVisible();

  // Two groups of two hundred lines, by keyboard too, in the address; the group's own line stays below the head.
  await page.getByRole('textbox', { name: 'Show rows with' }).fill('');
  await page.getByRole('button', { name: /Group by/ }).click();
  await page.getByRole('option', { name: 'algorithm' }).click();
  await expect(page).toHaveURL(/group=cca/);
  await expect(table).toHaveAttribute('aria-rowcount', '203');
  expect(await table.locator('*').count()).toBeLessThan(3000);
  await box.evaluate((element) => {
    element.scrollIntoView({ block: 'end' });
    element.scrollTo(0, 40 * 31);
  });
  const cubic = table.getByRole('button', { name: 'Cubic 100 cells' });
  await expect(cubic).toBeInViewport();
  const [head, group] = [await table.locator('thead th').first().boundingBox(), await cubic.boundingBox()];
  expect(Math.abs((group?.y ?? 0) - (head?.y ?? 0) - (head?.height ?? 0))).toBeLessThan(12);
  await cubic.press('Enter');
  await expect(cubic).toHaveAttribute('aria-expanded', 'false');
  await expect(table).toHaveAttribute('aria-rowcount', '103');
  await page.reload();
  await expect(table).toHaveAttribute('aria-rowcount', '203');
  await expect(table.getByRole('row', { name: /Cubic 100 cells/ }).getByRole('rowheader')).toBeVisible();
});
