// Two hundred runs on one page: the table's head stays, its rows come as they are scrolled to, and the page with all its figures stays small.
import type { ExperimentSpecInput } from '#protocol/spec';
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

/** As many runs, of many limits, of many algorithms, and in repetitions. */
const SHAPES: readonly ExperimentSpecInput[] = [
  {
    name: 'many limits',
    traces: [{ rate_mbps: 10 }, { rate_mbps: 20 }],
    ccas: [{ id: 'cubic' }, { id: 'newreno' }],
    buffers: Array.from({ length: 50 }, (_, i) => ({ packets: 10 + i })),
  },
  {
    name: 'many algorithms',
    traces: [{ trace: 'Cellular walk, LTE-like' }, { rate_mbps: 12 }],
    ccas: ['cubic', 'newreno', 'bbr', 'bbr2', 'bbr3', 'vegas', 'copa', 'westwood', 'ledbat', 'sprout'].map((id) => ({
      id,
    })),
    buffers: Array.from({ length: 10 }, (_, i) => ({ bdp: i + 1 })),
  },
  {
    name: 'repetitions',
    traces: [{ trace: 'Cellular walk, LTE-like' }],
    ccas: ['cubic', 'newreno', 'bbr', 'vegas', 'copa'].map((id) => ({ id })),
    buffers: Array.from({ length: 10 }, (_, i) => ({ bdp: i + 1 })),
    repetitions: 4,
  },
];

test('the whole page of two hundred runs is less than 3000 elements, and what is not there is read when it is asked for', async ({
  page,
}) => {
  const api = new Api(server);
  for (const shape of SHAPES)
    await test.step(shape.name ?? '', async () => {
      const record = await api.measure({ ...shape, duration_s: 1 });
      expect(record.runs_total).toBe(200);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${server.url}/e/${record.id}`);
        await expect(page.getByRole('region', { name: 'Results' }).getByRole('row').nth(5)).toBeAttached();
        await page.getByRole('region', { name: 'Cells at a glance' }).scrollIntoViewIfNeeded();
        await expect(page.getByRole('region', { name: 'Cells at a glance' }).getByRole('link').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        // What is drawn: the head has a link for each file of the page's code.
        expect(await page.locator('body *').count(), `${width} px`).toBeLessThan(3000);
      }
      // Each cell can be pressed and says its value; the figures' rows are a button away.
      await expect(page.getByRole('button', { name: /: utilisation .*repetitions$/ })).toHaveCount(record.cells.length);
      await page.getByRole('button', { name: 'Cells as a table' }).press('Enter');
      const rows = page.getByRole('region', { name: 'Cells, as a table' }).getByRole('row');
      await expect(rows).toHaveCount(26);
      await page.getByRole('button', { name: 'Next rows' }).press('Enter');
      await expect(
        page.getByText(`Rows 26 to ${Math.min(50, record.cells.length)} of ${record.cells.length}`),
      ).toHaveCount(2);
    });
});
