// From a question to its answer: a study by one click, its figure and its report taken along; and from a recording to a sentence.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMALL_STUDY } from '../server/src/testing/small-study.ts';
import { expect, test } from './fixtures.ts';
import { PacelineServer } from './server.ts';
import { saved, saveFigure } from './support/downloads.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paceline-studies-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('a study runs by one click, and its report is read from disk with the network off', async ({ page, context }) => {
  const dataDir = join(folder, 'data');
  await mkdir(join(dataDir, 'studies'), { recursive: true });
  await writeFile(join(dataDir, 'studies', 'small.study.json'), JSON.stringify(SMALL_STUDY));
  const server = await PacelineServer.start({ dataDir });
  try {
    await page.goto(server.url);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Studies' }).click();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'A small study' }) });
    await expect(card.getByRole('list', { name: 'Claims by verdict' })).toHaveText(
      /1 cannot be tested here.*2 not run/,
    );
    await card.getByRole('button', { name: 'Run A small study' }).click();
    await expect(card).toContainText(/3 runs, done/);
    await expect(card.getByRole('list', { name: 'Claims by verdict' })).toHaveText(
      /1 holds.*1 fails.*1 cannot be tested here/,
    );

    await card.getByRole('link', { name: 'A small study' }).click();
    await expect(page).toHaveURL(/\/studies\/small$/);
    const figure = page.getByRole('figure', { name: 'Figure 1: what a link carries' });
    await expect(figure).toContainText('Why: Its queue was deeper. Shown by “A deep queue”.');
    await expect(page.getByText(/^For real-time traffic over 12 Mbps at 1 BDP: /)).toBeVisible();
    const names = (within: typeof page) => within.getByRole('img', { name: /Both use most of it/ });
    await expect(names(page).getByText('Cubic', { exact: true })).toBeVisible();
    await expect(figure).toContainText('1 run a cell, no interval');
    const svg = (await saveFigure(page, 'Figure 1: what a link carries', 'SVG')).toString();
    expect(svg).toContain('Both use most of it');
    expect(svg).toContain('Cubic waits for ten seconds');
    const csv = (await saveFigure(page, 'Figure 1: what a link carries', 'CSV')).toString();
    expect(csv).toMatch(/full,Both use most of it,as told,modelled,holds,cubic,≥ 70,/);

    const report = join(folder, 'report.html');
    await writeFile(report, await saved(page, () => page.getByRole('link', { name: 'Report' }).click()));
    await page.getByRole('link', { name: 'A steady link' }).click();
    await expect(page).toHaveURL(/\/e\/[a-z2-7]{20}$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Small study: a steady link');
    const own = join(folder, 'experiment.html');
    await writeFile(own, await saved(page, () => page.getByRole('link', { name: 'Report' }).click()));
    const bundle = join(folder, 'experiment.paceline.zip');
    await page.getByRole('button', { name: 'Download' }).click();
    await writeFile(bundle, await saved(page, () => page.getByRole('menuitem', { name: /bundle/ }).click()));

    await context.setOffline(true);
    const reader = await context.newPage();
    await reader.goto(`file://${report}`);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('A small study');
    await expect(reader.getByRole('img', { name: 'Both use most of it' })).toBeVisible();
    await expect(names(reader).getByText('Cubic', { exact: true })).toBeVisible();
    await expect(reader.getByText('@misc{nobody')).toBeVisible();
    await reader.goto(`file://${own}`);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Small study: a steady link');
    await expect(reader.getByText(/^For real-time traffic over 12 Mbps at 1 BDP: /)).toBeVisible();
    const frontier = reader.getByRole('img', { name: /^12 Mbps: on the frontier .*Mbps with .*ms/ });
    await expect(frontier).toBeVisible();
    // Both algorithms, each by its marker and its name.
    await expect(frontier.getByText('Cubic', { exact: true })).toBeVisible();
    await expect(frontier.getByText('BBR', { exact: true })).toBeVisible();
    const runs = await saved(reader, () => reader.getByRole('link', { name: 'Runs, CSV' }).click());
    expect(runs.toString()).toMatch(/^experiment,run,cell,/);
    await reader.close();
    await context.setOffline(false);

    // The bundle fills the form of another experiment.
    await page.goto(`${server.url}/new`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a bundle' }).click();
    await (await chooser).setFiles(bundle);
    await expect(page.getByRole('textbox', { name: 'Name of the experiment' })).toHaveValue(
      'Small study: a steady link',
    );
  } finally {
    await page.goto('about:blank');
    await server.dispose();
  }
});

test('from a recording to a sentence takes no more than five clicks', async ({ page, server }) => {
  const recording = join(folder, 'mine.down');
  await writeFile(recording, Array.from({ length: 4000 }, (_, i) => `${i + 1}\n`).join(''));
  let clicks = 0;
  const click = async (name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> => {
    clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await page.goto(`${server.url}/traces`);
  const chooser = page.waitForEvent('filechooser');
  await click('Upload a trace');
  await (await chooser).setFiles(recording);
  await page.waitForURL(/\/traces\/[0-9a-f]{64}$/);
  await click('Use in experiment', 'link');
  await click('Run');
  await page.waitForURL(/\/e\//);
  await expect(page.getByText(/^For real-time traffic over mine\.down/)).toBeVisible();
  await expect(page.getByText(/^What would change it: /).first()).toBeVisible();
  await click('The scores behind it', 'link');
  await expect(page.getByRole('region', { name: /scores/i }).first()).toBeInViewport();
  expect(clicks).toBeLessThanOrEqual(5);
});
