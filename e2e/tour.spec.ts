// The first look: the tour offers itself once, goes by keyboard over the real pages and ends when somebody wants; on paper and on very wide
// screens pages are what they should be.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { NewExperiment } from './support/new-experiment.ts';

/** The page behind it may have a field to search in, too. */
const palette = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search and commands' });

test('the tour offers itself once, goes by keyboard, and never comes back by itself', async ({
  page,
  sharedServer: server,
}) => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Take the tour: five steps' }).press('Enter');
  const card = page.getByRole('dialog');
  for (const [n, title] of [
    [1, 'Begin with something that works'],
    [2, 'Choose links'],
    [3, 'Choose algorithms'],
    [4, 'See the cost, then run'],
  ] as const) {
    await expect(card).toContainText(`Step ${n} of 5`);
    await expect(card).toHaveAccessibleName(title);
    await expect(card).toBeFocused();
    await card.getByRole('button', { name: 'Next' }).press('Enter');
  }
  await expect(card).toContainText('Step 5 of 5');
  await expect(page).toHaveURL(`${server.url}/`);
  expect(await axeFaults(page)).toEqual([]);
  await card.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(page).toHaveURL(/\/new$/);
  // A reload goes on where it was.
  await page.reload();
  await expect(card).toContainText('Step 4 of 5');
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);

  await page.goto(server.url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /Take the tour/ })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeFocused();
  // Nobody waits for the list before Enter.
  await page.keyboard.type('take the tour');
  await page.keyboard.press('Enter');
  await expect(card).toContainText('Step 1 of 5');
  await card.getByRole('button', { name: 'End the tour' }).click();
  await expect(card).toHaveCount(0);
  await page.goto(`${server.url}/settings`);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await expect(card).toContainText('Step 1 of 5');
});

test('what is typed before the palette is there is not lost, and the card of the tour stays where it is', async ({
  page,
  sharedServer: server,
}) => {
  // The code of the palette and the content of the page come late.
  const late = { overlays: 1500, api: 2500 };
  await page.route('**/assets/Overlays-*.js', async (route) => {
    await new Promise((done) => setTimeout(done, late.overlays));
    await route.continue();
  });
  await page.route('**/api/**', async (route) => {
    await new Promise((done) => setTimeout(done, late.api));
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: /^Search/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tourx');
  await page.keyboard.press('Backspace');
  await expect(palette(page)).toHaveValue('tour');
  await expect(page.getByRole('menuitem', { name: /Take the tour/ })).toBeVisible();
  await page.getByRole('menuitem', { name: /Take the tour/ }).click();
  const card = page.getByRole('dialog', { name: 'Begin with something that works' });
  const before = await card.boundingBox();
  await expect(page.getByRole('region', { name: 'Start from' }).getByRole('link').first()).toBeVisible();
  expect(await card.boundingBox()).toEqual(before);
});

test('who wants no tour says so once', async ({ page, sharedServer: server }) => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'No tour, thank you' }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Upload a trace' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Take the tour/ })).toHaveCount(0);
});

test('the form says what the last change costs', async ({ page, sharedServer: server }) => {
  const form = new NewExperiment(page);
  await form.open(server.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic']);
  await form.fullScores(false);
  // Against the plan before, whenever that came: two presses at once are one change.
  for (const [i, limits] of [['1 BDP'], ['1 BDP', '5 BDP'], ['1 BDP', '5 BDP', '10 BDP']].entries()) {
    await form.chooseLimits(limits);
    await expect.poll(() => form.plannedRuns()).toBe(i + 1);
  }
  await expect(form.bar).toContainText(/\+ \d.runs?.*: 3.limits instead of 2/);
  await form.fill('Repetitions', '100');
  await expect(form.bar).toContainText(/\+ 297.runs.*: 100.repetitions instead of 1/);
  await form.fill('Repetitions', '10');
  await expect(form.bar).toContainText(/− 270.runs.*: 10.repetitions instead of 100/);
});

test('on paper pages are white, whole and without what is only pressed', async ({ page, sharedServer: server }) => {
  const { id } = await new Api(server).measure({
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }, { id: 'bbr' }],
    duration_s: 2,
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${server.url}/e/${id}`);
  const table = page.getByRole('region', { name: 'Table', exact: true });
  await expect(table.getByRole('cell').first()).toBeVisible();
  // What prepares the page for paper comes with what opens over it.
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'More', exact: true })).toBeHidden();
  await expect(table.getByRole('columnheader', { name: /Algorithm/ })).toBeVisible();
  await expect(table.getByText('BBR', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', /.*/);
});

test('a screen of 3840 px stretches nothing absurdly', async ({ visitor, sharedServer: server }) => {
  const page = await visitor({ viewport: { width: 3840, height: 2160 } });
  for (const path of ['/', '/new', '/traces', '/settings']) {
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const widest = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll('main :is(section, form, p, table)')].map((e) => e.clientWidth)),
    );
    expect(widest, path).toBeLessThanOrEqual(1640);
  }
});
