// Keeping order: named, starred, tagged, noted, found again, duplicated, put away, deleted, and brought back. With the keyboard where hands
// would rather stay on it.
import { expect, test } from './fixtures.ts';
import { pressNothing } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';

const SPEC = { traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 1 };
const HOSTILE = [
  '# Why',
  '',
  'It is **worth** a look <img src=x onerror="document.title=1"> <script>document.title=2</script>',
  '',
  '[a trap](javascript:document.title=3) ![a picture](https://example.org/seen.png) [a page](https://example.org/)',
].join('\n');

/** Pictures for people to look at; no test does. */
const SCREENS = process.env['PACELINE_SCREENS'] !== undefined;

test('an experiment is named, tagged, noted, found, put away and deleted, and each of it can be undone', async ({
  page,
  server,
}) => {
  const api = new Api(server);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const shoot = async (name: string): Promise<void> => {
    if (!SCREENS) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `build/test-results/screens/organise-${name}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
  const first = await api.measure({ ...SPEC, name: 'First' });
  await api.measure({ ...SPEC, name: 'Second', seed: 2 });
  await page.goto(`${server.url}/e/${first.id}`);
  const heading = page.getByRole('heading', { level: 1 });

  await test.step('its name is changed in its place, by keyboard: Esc leaves it, Enter keeps it', async () => {
    await page.getByRole('button', { name: 'Rename' }).press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect(name).toBeFocused();
    await name.fill('Never mind');
    await name.press('Escape');
    await expect(heading).toHaveText(/^First /);
    await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused();
    await page.keyboard.press('Enter');
    await name.fill('Cubic <b>by night</b>');
    await name.press('Enter');
    await expect(heading).toHaveText(/^Cubic <b>by night<\/b> /);
  });

  await test.step('a star, and tags that are offered again', async () => {
    await api.label('experiment', first.id, { tags: ['thesis'] });
    await page.getByRole('button', { name: /^Star of/ }).click();
    await expect(page.getByRole('button', { name: /^Star of/, pressed: true })).toBeVisible();
    await page.getByRole('button', { name: 'Add a tag' }).press('Enter');
    const field = page.getByRole('combobox', { name: 'New tag' });
    await field.fill('for paper');
    await field.press('Enter');
    await expect(page.getByRole('button', { name: 'Take the tag for-paper away' })).toBeVisible();
    await field.press('Escape');
    await page.getByRole('button', { name: 'Take the tag thesis away' }).click();
    await expect(page.getByText('thesis', { exact: true })).toHaveCount(0);
    expect(await page.evaluate(() => document.title)).not.toMatch(/^\d$/);
  });

  await test.step('a note in Markdown, seen before it is kept; nothing of it runs or is fetched', async () => {
    await page.getByRole('button', { name: 'Add a note' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Note, as Markdown' }).fill(HOSTILE);
    await dialog.getByText('Preview').click();
    await expect(dialog.locator('strong')).toHaveText('worth');
    expect(await axeFaults(page), 'the dialog').toEqual([]);
    await shoot('note');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const note = page.getByRole('region', { name: 'Note' });
    await expect(note.getByRole('link', { name: 'a page' })).toHaveAttribute('href', 'https://example.org/');
    await expect(note.getByRole('link')).toHaveCount(1);
    await expect(note.locator('img, script')).toHaveCount(0);
    await expect(page).not.toHaveTitle(/^\d$/);
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
    await shoot('experiment');
  });

  await test.step('deleted, it is out of the list; its news says so and takes it back', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    const news = page.getByRole('region', { name: /notification/ });
    await expect(news).toContainText('deleted');
    await expect(page.getByRole('link', { name: 'Second' })).toBeVisible();
    await expect(page.getByRole('link', { name: /by night/ })).toHaveCount(0);
    await page.keyboard.press('F6');
    await expect(news).toBeFocused();
    expect(await axeFaults(page), 'the news').toEqual([]);
    await shoot('deleted');
    const undo = news.getByRole('button', { name: 'Undo' });
    for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
    await expect(undo).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: /by night/ })).toBeVisible();
    await expect(news).toHaveCount(0);
  });

  await test.step('it is found by a tag; several rows are tagged and put away at once', async () => {
    const table = page.getByRole('table');
    await page.getByRole('searchbox', { name: 'Filter experiments' }).fill('tag:for-paper');
    await expect(table.getByRole('row')).toHaveCount(2);
    await page.getByRole('searchbox', { name: 'Filter experiments' }).fill('');
    await page.getByRole('checkbox', { name: 'Select Second' }).check({ force: true });
    await page.getByRole('checkbox', { name: /^Select Cubic/ }).check({ force: true });
    const bulk = page.getByRole('group', { name: 'With those selected' });
    await expect(bulk).toContainText('2 selected');
    await shoot('selected');
    await bulk.getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('combobox', { name: 'New tag' }).fill('both');
    await page.getByRole('combobox', { name: 'New tag' }).press('Enter');
    await expect(table.getByText('both', { exact: true })).toHaveCount(2);
    await bulk.getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByRole('link', { name: 'Second' })).toHaveCount(0);
    await page.getByText('Show archived (2)').click();
    await expect(page.getByRole('link', { name: 'Second' })).toBeVisible();
    await expect(page).toHaveURL(/archived=1/);
    // Also without the news: a key takes it back.
    await pressNothing(page.getByRole('heading', { name: 'Recent experiments' }));
    await page.keyboard.press('z');
    await expect(table.getByText('archived', { exact: true })).toHaveCount(0);
  });

  await test.step('on a phone there is room for all of it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.setViewportSize({ width: 390, height: 844 });
    // Down the page; its table need not be moved sideways.
    await page.getByRole('table').evaluate((table) => table.scrollIntoView());
    await expect(page.getByRole('button', { name: 'More for Second' })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole('checkbox', { name: 'Select Second' }).check({ force: true });
    await shoot('phone');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('deleted from its row, too', async () => {
    await page.getByRole('button', { name: 'More for Second' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('link', { name: 'Second' })).toHaveCount(0);
  });

  await test.step('a duplicate is a new experiment of the same spec', async () => {
    await page.getByRole('button', { name: /^More for Cubic/ }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(page.getByRole('textbox', { name: 'Name of the experiment' })).toHaveValue(
      'Cubic <b>by night</b> copy',
    );
  });
});

test('at the address of what was deleted stands the way back', async ({ page, server }) => {
  const api = new Api(server);
  const { id } = await api.measure({ ...SPEC, name: 'Gone' });
  await api.remove('experiment', id);
  await page.goto(`${server.url}/e/${id}`);
  await expect(page.getByText('This experiment was deleted')).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Gone / })).toBeVisible();
});
