// A site without a server: looked at, experimented with and written in, with the network cut after it was loaded.
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { saved } from './support/downloads.ts';
import type { SiteHost } from './support/site-host.ts';
import { SiteFolder } from './support/static-site.ts';

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
test.afterEach(({ complaints }) => {
  // Pages that are still fetching ahead may be told so.
  complaints.end();
  return host.cut();
});

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
  // The form takes it over from the address, which is plain again when that is done.
  let id = '';
  const brought = page.waitForURL((url) => {
    id ||= url.searchParams.getAll('cca').find((one) => one.startsWith('own-')) ?? '';
    return id !== '';
  });
  await page.getByRole('button', { name: 'New experiment with it' }).click();
  await brought;
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

/** Freezes what is open, and gives the address in this browser and the link for others. */
async function frozen(page: Page, title: string, note: string): Promise<{ address: string; link: string }> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Freeze this view/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze this view' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
  await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
  const made = page.getByRole('dialog', { name: 'The view is frozen' });
  await made.getByRole('button', { name: 'Copy link' }).click();
  await expect(made.getByRole('button', { name: 'Copied' })).toBeVisible();
  const link = await copied(page);
  const address = await made.locator('code').innerText();
  expect(link.startsWith(`${address}#carries=`)).toBe(true);
  await made.getByRole('link', { name: 'Open it' }).click();
  return { address, link };
}

/** A page whose figures are all there takes a while after it was opened. */
const hasResults = (page: Page, table: string): Promise<void> =>
  expect.poll(() => resultsOf(page), { timeout: 120_000 }).toBe(table);

const frozenBanner = (page: Page) => page.getByRole('complementary', { name: 'Frozen view' });
const words = async (page: Page, label: string): Promise<string> =>
  (await page.getByLabel(label).innerText()).replace(/\s+/g, ' ');

/** A file that the page saves, read by somebody who has no network. */
async function readOffline(page: Page, visitor: (options: object) => Promise<Page>): Promise<Page> {
  const html = await saved(page, () => page.getByRole('link', { name: 'Offline file' }).click());
  const path = join(await mkdtemp(join(tmpdir(), 'paceline-site-share-')), 'share.html');
  await writeFile(path, html);
  const reader = await visitor({ offline: true });
  await reader.goto(pathToFileURL(path).href);
  return reader;
}

test('a view is frozen in a browser, is made again by its link in another, and goes into a file, with the host cut', async ({
  visitor,
}) => {
  test.slow();
  const maker = await visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
  const reader = await visitor({});
  for (const page of [maker, reader]) {
    await page.goto(host.url);
    await isKept(page);
  }
  await test.step('a share of the site goes into a file', async () => {
    await maker.goto(`${host.url}/s/cubic-and-bbr`);
    const file = await readOffline(maker, visitor);
    await hasPicture(file);
    await expect(frozenBanner(file).getByRole('link', { name: 'Online' })).toHaveAttribute(
      'href',
      `${host.url}/s/cubic-and-bbr`,
    );
    await file.close();
  });
  await host.cut();

  await launch(maker, { ...SPEC, name: 'Cubic and Copa' });
  const table = await resultsOf(maker);
  const ofExperiment = await frozen(maker, 'Both fill it', '');
  await hasResults(maker, table);
  await maker
    .getByRole('link', { name: /^Cubic · / })
    .first()
    .click();
  await expect(maker).toHaveURL(/\/r\/[a-z2-7]{20}/);
  const run = /\/r\/([a-z2-7]{20})/.exec(maker.url())?.[1] ?? '';
  await maker.goto(`${host.url}/r/${run}?t=1,3`);
  await hasPicture(maker);
  const ofRun = await frozen(maker, 'The first seconds', 'It fills the queue.\n\n<b>Look</b> at 2 s.');
  expect(ofRun.address).toMatch(/\/s\/the-first-seconds-[0-9a-f]{10}$/);
  await expect(maker).toHaveURL(`${ofRun.address}?t=1,3`);
  await hasPicture(maker);
  const summary = await words(maker, 'Summary');

  await test.step('nothing is made or kept of it before its reader agrees', async () => {
    await reader.goto(ofRun.link);
    await expect(heading(reader)).toHaveText('The first seconds');
    const offer = reader.getByRole('region', { name: 'Before it is made' });
    await expect(offer).toContainText('Cubic and Copa');
    await expect(offer.getByText('<b>Look</b> at 2 s.')).toBeVisible();
    await expect(reader.getByRole('figure')).toHaveCount(0);
    await reader.goto(`${host.url}/s`);
    await expect(reader.getByRole('link', { name: 'Cubic and BBR over the same walk' })).toBeVisible();
    await expect(reader.getByRole('link', { name: 'The first seconds' })).toHaveCount(0);
    await reader.goto(host.url);
    await expect(reader.getByRole('link', { name: 'Cubic and Copa' })).toHaveCount(0);
  });
  await test.step('then it is the same view, and stays', async () => {
    await reader.goto(ofRun.link);
    await reader.getByRole('button', { name: 'Run it here' }).click();
    await expect(reader).toHaveURL(`${ofRun.address}?t=1,3`);
    await expect(frozenBanner(reader)).toContainText('It fills the queue.');
    await hasPicture(reader);
    expect(await words(reader, 'Summary')).toBe(summary);
    await reader.reload();
    await hasPicture(reader);
    expect(await words(reader, 'Summary')).toBe(summary);
    // What it needs has been run for the other.
    await reader.goto(ofExperiment.link);
    await reader.getByRole('button', { name: 'Run it here' }).click();
    await expect(frozenBanner(reader)).toContainText('Both fill it');
    expect(reader.url()).toBe(ofExperiment.address);
    await hasResults(reader, table);
  });
  await test.step('a link that was tampered with says so', async () => {
    await reader.goto(ofRun.link.replace('/s/the-first', '/s/the-other'));
    await expect(reader.getByText('The share that it brings along is not that of its address.')).toBeVisible();
  });
  await test.step('as a file it needs nobody', async () => {
    await maker.goto(ofExperiment.address);
    await hasResults(maker, table);
    const file = await readOffline(maker, visitor);
    await hasResults(file, table);
    await expect(frozenBanner(file).getByRole('link', { name: 'Online' })).toHaveCount(0);
    await file
      .getByRole('link', { name: /^Cubic · / })
      .first()
      .click();
    await hasPicture(file);
  });
  await test.step('it outlives what it was made of, and is taken away alone', async () => {
    await maker.goto(`${host.url}/s`);
    await maker.getByRole('button', { name: 'Delete the share Both fill it' }).click();
    await maker.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(maker.getByRole('link', { name: 'Both fill it' })).toHaveCount(0);
    await maker.goto(ofExperiment.address);
    await expect(heading(maker)).toHaveText('This share cannot be shown');
    await maker.goto(ofRun.address);
    await hasPicture(maker);
  });
});

/** Opens what the browser keeps as the site's pages did before there were shares in it. */
const VERSION_1 = { experiments: 'id', runs: 'id', frames: 'run', algorithms: 'id', traces: 'id' };

/** In the page: makes of what is kept now a database of version 1. */
async function asVersion1(stores: Record<string, string>): Promise<number | undefined> {
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('no error was said'));
    });
  const newer = await asked(indexedDB.open('paceline'));
  const rows = new Map<string, unknown[]>();
  for (const name of Object.keys(stores))
    rows.set(name, await asked(newer.transaction(name).objectStore(name).getAll()));
  newer.close();
  await asked(indexedDB.deleteDatabase('paceline'));
  const opening = indexedDB.open('paceline', 1);
  opening.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(stores)) opening.result.createObjectStore(name, { keyPath });
  };
  const older = await asked(opening);
  for (const [name, all] of rows)
    for (const row of all) await asked(older.transaction(name, 'readwrite').objectStore(name).put(row));
  older.close();
  return (await indexedDB.databases()).find(({ name }) => name === 'paceline')?.version;
}

/** In the page: holds it open, as a page of that version does that knows of no other. */
const hold = async (): Promise<void> => {
  const opening = indexedDB.open('paceline', 1);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  // What nothing refers to is closed.
  Object.assign(window, { held: opening.result });
};

test.describe('a browser that has been here before', () => {
  // Without its worker the host is asked for addresses that it has none of, and answers with the page.
  test.use({
    expectedComplaints: [/Service Worker registration blocked by Playwright|status of 404 .*\/(e|s)\/[a-z0-9-]+\)$/],
  });

  test('what a browser kept before views were frozen in it stays', async ({ visitor }) => {
    test.slow();
    const page = await visitor({
      serviceWorkers: 'block',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${host.url}/write`);
    await expect(page.getByRole('status', { name: 'State of the text' })).toContainText('AIMD runs');
    await page.getByRole('button', { name: 'Keep in this browser' }).click();
    await expect(page.getByText('“AIMD” is kept in this browser as version 1.')).toBeVisible();
    await launch(page, { ...SPEC, name: 'From before', repetitions: 1 });
    const table = await resultsOf(page);
    const address = page.url();

    await page.goto(`${host.url}/icon.svg`);
    expect(await page.evaluate(asVersion1, VERSION_1)).toBe(1);
    const older = await page.context().newPage();
    await older.goto(`${host.url}/icon.svg`);
    await older.evaluate(hold);
    await page.goto(address);
    await expect(page.getByText('An older page of this site is open').first()).toBeVisible();
    await older.close();
    await page.reload();
    await hasResults(page, table);
    await page.goto(`${host.url}/ccas`);
    await expect(page.getByRole('link', { name: 'AIMD' })).toBeVisible();
    await page.goto(address);
    await hasResults(page, table);
    await frozen(page, 'Of before', '');
    await expect(frozenBanner(page)).toContainText('Of before');
    await hasResults(page, table);
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
