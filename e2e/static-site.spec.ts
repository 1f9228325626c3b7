// A site without a server: looked at, experimented with and written in, with the network cut after it was loaded.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { SiteFolder, type SiteHost } from './support/static-site.ts';

const MODULE = fileURLToPath(new URL('../build/native/bin/paceline.wasm', import.meta.url));

test.skip(!existsSync(MODULE), 'the engine was not built as WebAssembly: its compiler is not here');

// What a browser says of a host that is gone, or that has no file for what another browser keeps (the page that comes instead reads the link).
test.use({
  expectedComplaints: [/net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED|FAILED)|404 \(Not Found\) \(.*#carries=/],
});

let folder: SiteFolder;
let host: SiteHost;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  folder = await SiteFolder.build();
});
test.afterAll(() => folder.remove());
test.beforeEach(async () => {
  host = await folder.serve();
});
// What is there when its host is gone has been fetched.
test.use({ fetchesAhead: true });
test.afterEach(() => host.cut());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SPEC = {
  name: 'Here alone',
  duration_s: 5,
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'cubic' }, { id: 'copa' }],
  buffers: [{ bdp: 2 }],
  bdp_of: 'part' as const,
  repetitions: 2,
};

/** The browser has kept what it keeps from the first visit on. */
const isKept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller !== null) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const hasPicture = (page: Page) => expect(page.getByRole('figure').locator('canvas').first()).toBeVisible();

async function launch(page: Page, spec: object): Promise<void> {
  await page.goto(`${host.url}/new`);
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('textbox', { name: 'Experiment as JSON' }).fill(JSON.stringify(spec));
  await page.keyboard.press('Escape');
  const run = page.getByRole('button', { name: /^Run/ });
  await expect(run).toBeEnabled();
  await run.click();
  await expect(page).toHaveURL(/\/e\/[a-z2-7]{20}/);
}

const isDone = (page: Page) => expect(heading(page)).toContainText('done', { timeout: 120_000 });

async function resultsOf(page: Page): Promise<string> {
  await isDone(page);
  const table = page.getByRole('region', { name: 'Results' }).getByRole('table');
  await table.scrollIntoViewIfNeeded();
  // The heading is done a moment before the table is.
  await expect(table).not.toContainText(/\d of \d/);
  return (await table.innerText()).replace(/\s+/g, ' ');
}

for (const [device, options] of [
  ['a desk', {}],
  ['a phone', PHONE],
] as const)
  test(`on ${device}: all of a site is there when its host is gone, and what is run is what a server runs`, async ({
    visitor,
    server,
  }) => {
    test.slow();
    const page = await visitor(options);
    await page.goto(host.url);
    await expect(heading(page)).toContainText('See how congestion control behaves');
    await isKept(page);
    await host.cut();
    await page.reload();
    await expect(heading(page)).toContainText('See how congestion control behaves');

    // What was made before.
    await page.getByRole('link', { name: 'Sample: two algorithms over an LTE-like link' }).first().click();
    await expect(heading(page)).toContainText('Sample: two algorithms');
    await hasPicture(page);
    await page.goto(`${host.url}/studies/uplink`);
    await expect(heading(page)).toContainText('Uplink');
    await page.goto(`${host.url}/runs?q=cca:bbr`);
    await expect(page.getByRole('region', { name: 'Runs' }).getByRole('row').nth(1)).toContainText('BBR');

    // The engine is in the page.
    await page.goto(`${host.url}/what-if`);
    await hasPicture(page);
    await page.goto(`${host.url}/learn/why-queues-fill`);
    await hasPicture(page);

    // The same spec is the same experiment as on a server, to the last digit of its figures.
    await launch(page, SPEC);
    await isDone(page);
    const theirs = await new Api(server).measure(SPEC);
    expect(page.url().slice(-20)).toBe(theirs.id);
    const other = await visitor(options);
    await other.goto(`${server.url}/e/${theirs.id}`);
    const table = await resultsOf(other);
    await expect.poll(() => resultsOf(page)).toBe(table);
    await page.reload();
    await expect.poll(() => resultsOf(page)).toBe(table);

    // Its samples are kept.
    await page.goto(`${host.url}/r/${theirs.runs[0]?.id ?? ''}`);
    await hasPicture(page);
    await expect(page.getByLabel('Summary')).toBeVisible();
  });

test('an own algorithm is kept in the browser, and competes there', async ({ page }) => {
  test.slow();
  await page.goto(`${host.url}/write`);
  await expect(page.getByRole('status', { name: 'State of the text' })).toContainText('AIMD runs');
  await page.getByRole('button', { name: 'Keep in this browser' }).click();
  await expect(page.getByText('“AIMD” is kept in this browser as version 1.')).toBeVisible();
  await page.getByRole('button', { name: 'New experiment with it' }).click();
  await expect(page).toHaveURL(/\/new\?cca=own-/);
  const id = /cca=(own-[a-z0-9]+)/.exec(page.url())?.[1] ?? '';
  await launch(page, { ...SPEC, name: 'Mine', ccas: [{ id }, { id: 'cubic' }], repetitions: 1 });
  await isDone(page);
  await expect(page.getByRole('table').first()).toContainText('AIMD');
  await page.goto(`${host.url}/ccas`);
  await expect(page.getByRole('link', { name: 'AIMD' })).toBeVisible();
});

/** What somebody would paste. */
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('a link brings along what is in this browser alone, and runs nothing before its reader agrees', async ({
  visitor,
}) => {
  test.slow();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await visitor({ permissions });
  await page.goto(`${host.url}/write`);
  await expect(page.getByRole('status', { name: 'State of the text' })).toContainText('AIMD runs');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const ofText = await copied(page);
  const id = /\/write\/(own-[0-9a-f]+)#carries=/.exec(ofText)?.[1] ?? '';
  expect(id).not.toBe('');
  await launch(page, { ...SPEC, name: 'Passed on', ccas: [{ id }, { id: 'cubic' }], repetitions: 1 });
  const table = await resultsOf(page);
  const address = page.url();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy link to this view (live)' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const ofExperiment = await copied(page);

  const reader = await visitor({});
  await test.step('an algorithm is read first', async () => {
    await reader.goto(ofText);
    await expect(heading(reader)).toHaveText('AIMD');
    await expect(reader.getByRole('region', { name: 'Before it runs' })).toBeVisible();
    await expect(reader.getByText('So says the link that brought it.')).toBeVisible();
    await expect(reader.getByRole('figure')).toHaveCount(0);
    await expect(reader.getByRole('link', { name: 'New experiment with it' })).toHaveCount(0);
    await reader.goto(`${host.url}/ccas`);
    await expect(reader.getByRole('link', { name: 'Cubic', exact: true })).toBeVisible();
    await expect(reader.getByRole('link', { name: 'AIMD' })).toHaveCount(0);
  });
  await test.step('an experiment is told first, and comes out the same', async () => {
    await reader.goto(ofExperiment);
    await expect(heading(reader)).toHaveText('Passed on');
    const texts = reader.getByRole('list', { name: 'Texts that came along' });
    await expect(texts).toContainText('AIMD');
    await texts.getByRole('link', { name: 'AIMD' }).click();
    await expect(reader.getByRole('region', { name: 'Before it runs' })).toBeVisible();
    await reader.goBack();
    await reader.getByRole('button', { name: 'Run it here' }).click();
    await expect(reader).toHaveURL(address);
    await expect.poll(() => resultsOf(reader)).toBe(table);
  });
  await test.step('one that was cut off says so', async () => {
    const other = await visitor({});
    await other.goto(ofExperiment.slice(0, -30));
    await expect(other.getByText('What it brings along is not whole.')).toBeVisible();
    await other.goto(ofText.replace(id, `own-${'0'.repeat(40)}`));
    await expect(other.getByText('The text that it brings along is not that of its address.')).toBeVisible();
  });
});

test('what goes on is seen in every page, is stopped, goes on after a reload, is deleted and brought back', async ({
  page,
  context,
}) => {
  test.slow();
  const long = {
    ...SPEC,
    name: 'Long',
    traces: [{ rate_mbps: 300 }],
    duration_s: 120,
    bdp_of: 'trace',
    full_scores: true,
  };
  await page.goto(host.url);
  await isKept(page);
  await launch(page, long);
  const address = page.url();
  await expect(heading(page)).toContainText('running');
  const beside = await context.newPage();
  await beside.goto(address);
  await expect(heading(beside)).toContainText('running');

  // Closed in the middle: what was begun is begun again in the page that is left.
  await page.close();
  await expect(heading(beside)).toContainText('running');
  await beside.reload();
  await expect(heading(beside)).toContainText('running');
  await beside.getByRole('button', { name: 'Stop' }).first().click();
  await expect(heading(beside)).toContainText('stopped');

  await beside.goto(host.url);
  const row = beside.getByRole('row', { name: /Long/ });
  await row.getByRole('button', { name: /^More|Actions/ }).click();
  await beside.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(row).toHaveCount(0);
  await beside.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toHaveCount(1);
});

test('what needs a server says so, and nothing is lost by asking', async ({ page }) => {
  await page.goto(`${host.url}/studies/uplink`);
  await isKept(page);
  await page.getByRole('link', { name: 'Report' }).click();
  await expect(page.getByText('Files like this one are written by a server. This site has none.')).toBeVisible();
  await expect(heading(page)).toContainText('Uplink');
  await page.goto(`${host.url}/e/aaaaaaaaaaaaaaaaaaaa`);
  await expect(page.getByText('is neither on this site nor kept in this browser.')).toBeVisible();
  await page.goto(`${host.url}/doctor`);
  await expect(page.getByText('Install Paceline on a Linux machine and start it there.')).toBeVisible();
});

test('a trace is read in the browser as a server reads it, and runs there', async ({ page, server }) => {
  test.slow();
  const text = Array.from({ length: 20_000 }, (_, ms) => `${ms + 1}\n`.repeat((ms >> 10) % 3)).join('');
  const file = { name: 'commute.trace', mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.goto(`${host.url}/traces`);
  await page.locator('input[type=file]').first().setInputFiles(file);
  await expect(page).toHaveURL(/\/traces\/[0-9a-f]{64}/);
  await hasPicture(page);
  const theirs = await new Api(server).upload(file.name, file.buffer);
  expect(page.url()).toContain(theirs.id);
  await expect(heading(page)).toContainText('commute.trace');
  await expect(page.getByText('Nothing is delivered for up to 1.02 s')).toBeVisible();

  const spec = { ...SPEC, name: 'Over mine', traces: [{ trace: theirs.id }], repetitions: 1 };
  await launch(page, spec);
  await isDone(page);
  expect(page.url().slice(-20)).toBe((await new Api(server).measure(spec)).id);
});

test('in a folder of its host nothing is asked for, named or kept outside of it', async ({ page, server }) => {
  test.slow();
  await host.cut();
  host = await (await folder.in('/people/me/lab/')).serve();
  const home = `${host.url}/`;
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(home)) outside.push(request.url());
  });
  await page.goto(home);
  await expect(heading(page)).toContainText('See how congestion control behaves');
  await isKept(page);
  await host.cut();

  // Where links lead. What a server would write is not fetched from there (static/downloads.ts).
  const strays = async (): Promise<string[]> =>
    (await page.locator('a[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).filter(
      (href) =>
        !href.startsWith(home) && !href.startsWith('https://') && !new URL(href).pathname.startsWith('/api/v1/'),
    );
  for (const path of [
    '',
    'traces',
    'ccas',
    'ccas/cubic',
    'studies/uplink',
    'runs',
    'learn/why-queues-fill',
    'doctor',
  ]) {
    await page.goto(home + path);
    await expect(heading(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect([path, await strays()]).toEqual([path, []]);
  }

  await launch(page, SPEC);
  const table = await resultsOf(page);
  const theirs = await new Api(server).measure(SPEC);
  expect(page.url()).toBe(`${home}e/${theirs.id}`);
  await page.reload();
  await expect.poll(() => resultsOf(page)).toBe(table);
  await page.getByRole('link', { name: 'Paceline, home' }).click();
  await expect(page).toHaveURL(home);
  await page.goBack();
  await expect(page).toHaveURL(`${home}e/${theirs.id}`);

  // An own algorithm: its versions are links in a menu.
  await page.goto(`${home}write`);
  await expect(page.getByRole('status', { name: 'State of the text' })).toContainText('AIMD runs');
  await page.getByRole('button', { name: 'Keep in this browser' }).click();
  await expect(page.getByText('“AIMD” is kept in this browser as version 1.')).toBeVisible();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = page.getByRole('dialog').getByRole('region', { name: 'Link' });
  await expect(link).toContainText(/\/people\/me\/lab\/write\/own-[0-9a-f]{40}#carries=/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('menuitem', { name: 'Version 1' }).click();
  await expect(page).toHaveURL(/\/people\/me\/lab\/write\/own-/);
  expect(outside).toEqual([]);
});
