// The scenario maker: a scenario, a slider, the capacity that follows, and a trace that keeps its recipe.
import { TraceRecord } from '#protocol/api';
import { Recipe } from '#protocol/recipe';
import { expect, test } from './fixtures.ts';
import { either } from './hands/hands.ts';

test('a scenario is chosen, changed and kept as a trace with its recipe', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/traces`);
  await page.getByRole('link', { name: 'Make one' }).click();
  await expect(page).toHaveURL(/\/traces\/make$/);
  await page.getByRole('button', { name: /Scenario/ }).click();
  await page.getByRole('option', { name: /mmWave B4/ }).click();
  await expect(page).toHaveURL(/scenario=mmwave-b4/);
  await expect(page.getByRole('img', { name: /2 stations, 8 buildings/ })).toBeVisible();

  const mean = page.locator('dt', { hasText: /^Mean$/ }).locator('+ dd');
  const before = await mean.textContent();
  const bandwidth = page.getByRole('slider', { name: 'Bandwidth' });
  await bandwidth.focus();
  await bandwidth.press('End');
  await expect(bandwidth).toHaveValue('400');
  await expect(mean).not.toHaveText(before ?? '');

  const map = page.getByRole('img', { name: /^Map/ });
  await expect(map).toHaveAccessibleName(/70 to 8\d.m from the nearest station/);
  const distance = page.getByRole('slider', { name: 'Stations moved away by' });
  await distance.focus();
  await distance.press('PageUp');
  await expect(distance).toHaveValue('30');
  await expect(map).toHaveAccessibleName(/100 to 1\d\d.m from the nearest station/);

  // The map and the chart stand on the same time.
  const moment = page.locator('figcaption p').filter({ hasText: /m from station [12], .*bps/ });
  const capacity = page.getByRole('slider', { name: /Capacity of the trace/ });
  await either({
    mouse: async () => {
      await map.hover();
      await expect(moment).toBeVisible();
      await capacity.hover();
      await expect(moment).toBeVisible();
      await page.getByRole('heading', { name: 'Make a trace' }).hover();
    },
    keyboard: async () => {
      await capacity.press('ArrowRight');
      await expect(moment).toBeVisible();
      await page.keyboard.press('Escape');
    },
  });
  await expect(moment).toBeHidden();

  await page.getByRole('textbox', { name: 'Name' }).fill('Wide street');
  await page.getByRole('button', { name: 'Save as a trace' }).click();
  await expect(page.getByRole('heading', { name: 'Wide street', level: 1 })).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  const record = TraceRecord.parse(await (await page.request.get(`${sharedServer.url}/api/v1/traces/${id}`)).json());
  expect(record.origin).toBe('recipe');
  const recipe = Recipe.parse(await (await page.request.get(`${sharedServer.url}/api/v1/traces/${id}/recipe`)).json());
  expect(recipe.name).toBe('Wide street');
  const { stations } = Object(recipe.radio) as { stations: number[][] };
  expect(recipe.radio).toMatchObject({ link: { bandwidth_mhz: 400 }, seed: 41 });
  expect(stations[0]?.[1]).toBeLessThan(0);
});

test('a link without a place has sliders of its own', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/traces/make?scenario=sawtooth-4-to-100mbps`);
  const mean = page.locator('dt', { hasText: /^Mean$/ }).locator('+ dd');
  await expect(mean).toHaveText('52.0 Mbps');
  await expect(page.getByRole('img', { name: /^Map/ })).toHaveCount(0);
  const highest = page.getByRole('slider', { name: 'Highest rate' });
  await highest.focus();
  await highest.press('End');
  await expect(mean).toHaveText('102 Mbps');
});
