// Phase plots that follow the replay, pairs that lead to their runs, cells on all counts, and the triangle whose point is the weights.
import type { Locator, Page } from '@playwright/test';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { either } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { saveFigure } from './support/downloads.ts';

const SPEC: ExperimentSpecInput = {
  name: 'Charts of all kinds',
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }],
  full_scores: true,
  duration_s: 10,
};

const rowsOf = (csv: Buffer): string[] =>
  csv
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** To the upper corner of the triangle. */
async function dragToTop(page: Page, handle: Locator): Promise<void> {
  const box = await handle.boundingBox();
  const figure = page.getByRole('figure', { name: 'Who is first under which weights' });
  const top = await figure.getByText('throughput alone').boundingBox();
  if (box === null || top === null) throw new Error('the triangle is not on the screen');
  // The handle's name stands above it.
  const grip = [box.x + box.width / 2, box.y + box.height - 14] as const;
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(grip[0], grip[1] - 20);
  await page.mouse.move(top.x + top.width / 2, top.y + top.height + 6);
  await page.mouse.up();
}

/** Keys that follow one another are one entry of the history: these come after a rest. */
async function moveToTop(handle: Locator): Promise<void> {
  await handle.page().waitForTimeout(2500);
  for (let i = 0; i < 5; i++) await handle.press('Shift+ArrowUp');
}

test('from the weights to a pair and through its run', async ({ page, sharedServer, visitor }) => {
  const record = await new Api(sharedServer).measure(SPEC);
  await page.goto(`${sharedServer.url}/e/${record.id}`);

  await test.step('the triangle moves the same weights as the sliders', async () => {
    const handle = page.getByRole('slider', { name: /^Weights of Real-time/ });
    await handle.scrollIntoViewIfNeeded();
    await expect(handle).toHaveAttribute('aria-valuenow', '20');
    await handle.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowUp');
    await expect(handle).toHaveAttribute('aria-valuenow', '50');
    await expect(page).toHaveURL(/w=real-time(:|%3A)0\.5/);
    await expect(page.getByRole('slider', { name: /^Throughput/ })).toHaveValue('0.5');
    // To the upper corner: throughput is all.
    await either({ mouse: () => dragToTop(page, handle), keyboard: () => moveToTop(handle) });
    await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(95);
    await page.goBack();
    await expect(handle).toHaveAttribute('aria-valuenow', '50');
    const shares = rowsOf(await saveFigure(page, 'Who is first under which weights', 'CSV'));
    const first = new Map(shares.slice(1).map((row) => [row.split(',')[0], Number(row.split(',')[1])]));
    expect([...first.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
  });

  await test.step('what is kept of an axis is in the address, and a line selects its cell', async () => {
    const parallel = page.locator('[data-plot="parallel"]');
    await parallel.scrollIntoViewIfNeeded();
    const from = parallel.getByRole('slider', { name: 'from' });
    await from.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('PageUp');
    await expect(page).toHaveURL(/parallel\.keep=utilisation/);
    await expect(parallel.getByRole('figure')).toContainText(/of 6 cells within what is kept/);
    await parallel.getByRole('button', { name: 'Keep all' }).click();
    await expect(page).not.toHaveURL(/parallel\.keep/);
    await parallel.getByRole('button', { name: /^Line of BBR, 5 BDP/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/cells=/);
  });

  await test.step('a pair leads to its run', async () => {
    const pairs = page.locator('[data-plot="pairs"]');
    await pairs.scrollIntoViewIfNeeded();
    const rows = rowsOf(await saveFigure(page, 'Who leaves what to whom', 'CSV'));
    // Beside the baseline and beside itself, for each algorithm and limit.
    expect(rows).toHaveLength(1 + 12);
    const cell = pairs.getByRole('link', { name: /^BBR, 1 BDP: [\d.]+\s%; to its run$/ }).first();
    const run = (await cell.getAttribute('href'))?.replace('/r/', '');
    expect(record.runs.find(({ id }) => id === run)?.role).toBe('baseline_pair');
    await cell.click();
    await expect(page).toHaveURL(new RegExp(`/r/${run}`));
  });

  await test.step('the phase plot ends where the replay stands', async () => {
    const phase = page.locator('[data-plot="phase"]');
    await phase.scrollIntoViewIfNeeded();
    await phase.getByRole('combobox', { name: 'Axes' }).selectOption('delivery rate against bytes in flight');
    const title = 'Delivery rate against bytes in flight';
    await expect(phase.getByRole('figure', { name: title })).toBeVisible();
    const lastTime = async (): Promise<number> =>
      Math.max(
        ...rowsOf(await saveFigure(page, title, 'CSV'))
          .slice(1)
          .map((row) => Number(row.split(',')[0])),
      );
    expect(await lastTime()).toBeCloseTo(10, 0);
    const svg = (await saveFigure(page, title, 'SVG')).toString();
    for (const text of ['no queue', 'mean BDP', 'mean capacity']) expect(svg).toContain(text);

    const phone = await visitor({ viewport: { width: 390, height: 844 } });
    const address = new URL(page.url());
    expect(address.searchParams.get('phase.axes')).toBe('delivery');
    address.searchParams.set('at', '4');
    await phone.goto(address.href);
    const there = phone.locator('[data-plot="phase"]');
    await there.scrollIntoViewIfNeeded();
    await expect(there.getByRole('figure', { name: title })).toBeVisible();
    const times = rowsOf(await saveFigure(phone, title, 'CSV'))
      .slice(1)
      .map((row) => Number(row.split(',')[0]));
    expect(Math.max(...times)).toBeGreaterThan(3.5);
    expect(Math.max(...times)).toBeLessThanOrEqual(4);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });
});
