// The library of traces: one's own first, sorted and searched, also by names of earlier versions; hundreds of uploads; the form's list.
import { TraceRecord } from '#protocol/api';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** The names of the first rows, or of all. */
const rows = (page: Page, first?: number) =>
  expect.poll(async () =>
    (await page.locator('tbody tr[aria-rowindex] td:nth-child(3) a').allInnerTexts()).slice(0, first),
  );
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });

/** A trace of its own for each number. */
const body = (packets: number): string =>
  Array.from({ length: 500 }, (_, i) => `${i + 1} ${1 + ((i * packets) % 7)}\n`).join('');

test('traces are found again: newest first, sorted, searched, filtered', async ({ page, server, visitor }) => {
  const api = `${server.url}/api/v1/traces`;
  const upload = async (query: Record<string, string>, packets: number): Promise<TraceRecord> =>
    TraceRecord.parse(
      await (
        await page.request.post(`${api}?${new URLSearchParams(query).toString()}`, {
          data: `# ms count\n${body(packets)}501 ${packets}\n`,
          headers: { 'content-type': 'text/plain' },
        })
      ).json(),
    );
  const tram = await upload({ name: 'tram.down', technology: '4G LTE', place: 'City' }, 1);
  const lake = await upload({ name: 'lake.down' }, 2);

  await test.step('the newest upload comes first, then the one before, then what is shipped', async () => {
    await page.goto(`${server.url}/traces`);
    await rows(page, 3).toEqual(['lake.down', 'tram.down', '1 Gbps to nothing, modelled']);
    await expect(head(page, 'Added')).toHaveAttribute('aria-sort', 'descending');
    await expect(page.getByText('36 traces', { exact: true })).toBeVisible();
  });

  await test.step('what is known of a trace can be said on its page', async () => {
    await page.getByRole('link', { name: 'lake.down' }).click();
    await page.getByRole('button', { name: 'Name, licence, source' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Walk by the lake');
    await page.getByRole('textbox', { name: 'Technology' }).fill('5G');
    await page.getByRole('textbox', { name: 'Place' }).fill('Lake');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('dt', { hasText: 'Called before' }).locator('+ dd')).toHaveText('lake.down');
    await expect(page.locator('dt', { hasText: 'Place' }).locator('+ dd')).toHaveText('Lake');
    await page.goto(`${server.url}/traces`);
  });

  await test.step('heads sort, by keyboard too, and the address keeps it', async () => {
    await head(page, 'Mean, Mbps').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/sort=-mean/);
    await expect(head(page, 'Mean, Mbps')).toHaveAttribute('aria-sort', 'descending');
    await expect(head(page, 'Added')).not.toHaveAttribute('aria-sort');
    await rows(page, 1).toEqual(['1 Gbps to nothing, modelled']);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/sort=mean/);
    await head(page, 'Technology').getByRole('button').click();
    await expect(page).toHaveURL(/sort=technology/);
    await rows(page, 2).toEqual(['3G HSPA+ city drive, recorded', '3G drive, 9.2 Mbps']);
    await head(page, 'Length').getByRole('button').click();
    await head(page, 'Length').getByRole('button').click();
    await rows(page, 2).toEqual(['tram.down', 'Walk by the lake']);
    const other = await visitor();
    await other.goto(page.url());
    await expect(other.getByRole('columnheader', { name: 'Length' })).toHaveAttribute('aria-sort', 'ascending');
    await page.goBack();
    await expect(page).toHaveURL(/sort=-duration/);
  });

  const search = page.getByRole('searchbox', { name: 'Search traces' });
  await test.step('words find a trace by what it was called before', async () => {
    await page.goto(`${server.url}/traces`);
    await search.fill('4G drive, 60 Mbps');
    await rows(page).toEqual(['4G drive, 76 Mbps']);
    await expect(page.getByText('1 of 36 traces')).toBeVisible();
    await search.fill('lake.down');
    await rows(page).toEqual(['Walk by the lake']);
  });

  await test.step('a recording by others says whose it is, and that it was not made from a recipe', async () => {
    await search.fill('minneapolis walk');
    await rows(page).toEqual(['5G mmWave walk, recorded']);
    await expect(page.locator('tbody tr', { hasText: '5G mmWave walk' }).getByText('by others')).toBeVisible();
    await page.getByRole('link', { name: '5G mmWave walk, recorded' }).click();
    const said = (term: string) => page.locator('dt', { hasText: term }).locator('+ dd');
    await expect(said('Licence')).toContainText('CC BY 4.0');
    await expect(said('Licence').getByRole('link').first()).toHaveAttribute(
      'href',
      'https://creativecommons.org/licenses/by/4.0/',
    );
    await expect(said('Source')).toContainText('Lumos5G: Mapping and Predicting');
    await expect(said('Source')).toContainText('Changes: the first 120 of its 800 seconds');
    await expect(page.locator('dt', { hasText: 'Recipe' })).toHaveCount(0);
    await page.goto(`${server.url}/traces`);
  });

  await test.step('technology and place are chosen, with how many there would be', async () => {
    await search.fill('');
    const technology = page.getByRole('toolbar', { name: 'Technology' });
    await technology.getByRole('button', { name: '4G LTE, 7' }).click();
    await expect(page).toHaveURL(/technology=4G/);
    await page.getByRole('toolbar', { name: 'Place' }).getByRole('button', { name: 'City, 1' }).click();
    await rows(page).toEqual(['tram.down']);
    await expect(technology.getByRole('button', { name: '5G, 1', exact: true })).toBeEnabled();
    await expect(technology.getByRole('button', { name: '3G HSPA, 0' })).toBeDisabled();
  });

  await test.step('that there is none is said, and one press shows all again', async () => {
    await search.fill('nowhere');
    await expect(page.getByRole('heading', { name: 'No trace is like that' })).toBeVisible();
    await expect(
      page.getByText('None of 36 traces has “nowhere”, the technology 4G LTE, and the place City.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Show all traces' }).click();
    await expect(page).toHaveURL(/\/traces$/);
    await rows(page).toHaveLength(36);
  });

  await test.step('the form takes a spec with an old name, and finds traces as the library does', async () => {
    await page.goto(`${server.url}/new`);
    const column = page.getByRole('region', { name: 'Traces', exact: true });
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const spec = { duration_s: 1, traces: [{ trace: '4G drive, 60 Mbps' }], ccas: [{ id: 'cubic' }] };
    await page.getByRole('textbox', { name: 'Experiment as JSON' }).fill(JSON.stringify(spec));
    await page.keyboard.press('Escape');
    await expect(column.getByRole('checkbox', { name: '4G drive, 76 Mbps' })).toBeChecked();
    const filter = column.getByRole('searchbox', { name: 'Filter traces' });
    await filter.fill('lake 5g');
    await expect(column.getByRole('checkbox')).toHaveCount(1);
    await column.getByText('Walk by the lake').click();
    await filter.fill('nowhere');
    await column.getByRole('button', { name: 'Clear the search' }).click();
    await expect(column.getByRole('checkbox', { checked: true })).toHaveCount(2);
    // Untaking it takes the old name out of the spec.
    await column.getByText('4G drive, 76 Mbps').click();
    await expect(column.getByRole('checkbox', { checked: true })).toHaveCount(1);
  });
  expect(tram.place).toBe('City');
  expect(lake.technology).toBe('');
});

test('hundreds of uploads: only the rows in sight are there, the head stays, and the form shows a hundred', async ({
  page,
  server,
}) => {
  for (let i = 0; i < 150; i++) {
    const name = `upload ${String(i).padStart(3, '0')}`;
    const sent = await page.request.post(`${server.url}/api/v1/traces?name=${encodeURIComponent(name)}`, {
      data: `# ms count\n1 1\n${i + 2} 3\n`,
      headers: { 'content-type': 'text/plain' },
    });
    expect(sent.status()).toBe(201);
  }
  await page.goto(`${server.url}/traces`);
  const table = page.getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '185');
  await rows(page, 1).toEqual(['upload 149']);
  expect(await page.getByRole('checkbox').count()).toBeLessThan(100);
  const box = page.getByRole('region', { name: 'Traces' });
  await box.scrollIntoViewIfNeeded();
  await expect(async () => {
    await box.evaluate((node) => node.scrollTo(0, node.scrollHeight));
    await expect(page.getByRole('link', { name: 'Urban macro', exact: true })).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expect(head(page, 'Mean, Mbps')).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('upload 14');
  // 014, 114 and 140 to 149.
  await expect(table).toHaveAttribute('aria-rowcount', '13');
  await rows(page).toHaveLength(12);

  await page.goto(`${server.url}/new`);
  const column = page.getByRole('region', { name: 'Traces', exact: true });
  await expect(column.getByRole('checkbox')).toHaveCount(100);
  await column.getByRole('button', { name: 'Show more of 184 traces' }).click();
  await expect(column.getByRole('checkbox')).toHaveCount(184);
});
