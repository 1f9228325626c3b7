// What somebody sends to others: a view that stays as it is, at an address, in a file, and as a picture where links are shown.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { saved } from './support/downloads.ts';

const SPEC: ExperimentSpecInput = {
  name: 'Two over a step',
  traces: [{ trace: 'Step between 12 and 48 Mbps' }],
  ccas: [{ id: 'cubic' }, { id: 'bbr' }],
  duration_s: 8,
};
const HOSTILE = '<img src=x onerror=alert(1)></script>';

test('a view is frozen, looked around in, and read from a file without a server', async ({
  page,
  server,
  visitor,
  context,
}) => {
  const api = new Api(server);
  const { id, runs } = await api.measure(SPEC);
  const run = runs[0]?.id ?? '';
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await test.step('from the page of a run, with its zoom', async () => {
    await page.goto(`${server.url}/r/${run}?t=1,5`);
    await expect(page.locator('figure canvas').first()).toBeVisible();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Copy link to this view/ }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/r/${run}?t=1,5`);

    await page.getByRole('button', { name: /^(Copied|Share)$/ }).click();
    await page.getByRole('menuitem', { name: /^Freeze this view/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Freeze this view' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill(`Cubic ${HOSTILE}`);
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(
      'cubic-img-src-x-onerror-alert-1-script',
    );
    await dialog.getByRole('textbox', { name: 'Address' }).fill('Über');
    await expect(dialog.getByRole('button', { name: 'Freeze', exact: true })).toBeDisabled();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('first-seconds');
    await dialog.getByRole('textbox', { name: 'Note' }).fill(`It fills the queue.\n\n${HOSTILE}`);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).press('Enter');
    await expect(page.getByRole('dialog').getByText(`${server.url}/s/first-seconds`)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/s/first-seconds`);
  });

  const other = await visitor();
  await test.step('whoever opens it sees it so, and what they look at has an address', async () => {
    await other.goto(`${server.url}/s/first-seconds`);
    await expect(other).toHaveURL(`${server.url}/s/first-seconds?t=1,5`);
    const banner = other.getByRole('complementary', { name: 'Frozen view' });
    await expect(banner).toContainText(`Cubic ${HOSTILE}`);
    await expect(banner.getByText(HOSTILE, { exact: true })).toBeVisible();
    await expect(other).toHaveTitle(`Cubic ${HOSTILE} · Paceline`);
    await expect(other.locator('figure canvas').first()).toBeVisible();
    await expect(other.getByRole('button', { name: /^(Share|Download|Manifest)$/ })).toHaveCount(0);
    await expect(banner.getByRole('link', { name: 'Open live view' })).toHaveAttribute('href', `/r/${run}?t=1,5`);
    await other.keyboard.press('0');
    await expect(other).toHaveURL(`${server.url}/s/first-seconds`);
    await other.keyboard.press('w');
    await expect(other).toHaveURL(/\/s\/first-seconds\?t=/);
  });

  await test.step('as a file it needs nobody', async () => {
    const frozen = await api.freeze({ address: `/e/${id}?frontier.x=log`, title: 'An experiment' });
    const file = await api.file(`/shares/${frozen.slug}/file`);
    const one = await saved(other, () => other.getByRole('link', { name: 'Offline file' }).click());
    const folder = await mkdtemp(join(tmpdir(), 'paceline-share-'));
    await writeFile(join(folder, 'experiment.html'), file);
    await writeFile(join(folder, 'run.html'), one);
    const reader = await visitor({ offline: true, viewport: { width: 390, height: 844 } });
    const asked: string[] = [];
    reader.on('request', (request) => asked.push(request.url()));
    const open = (name: string): Promise<unknown> => reader.goto(pathToFileURL(join(folder, name)).href);

    await open('run.html');
    await expect(reader.locator('figure canvas').first()).toBeVisible();
    await expect(reader).toHaveTitle(`Cubic ${HOSTILE} · Paceline`);
    await expect(reader.getByText(HOSTILE, { exact: true })).toBeVisible();

    await open('experiment.html');
    await expect(reader.getByRole('heading', { level: 1, name: 'Two over a step' })).toBeVisible();
    await expect(reader.locator('figure').first()).toBeVisible();
    expect(await reader.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await axeFaults(reader)).toEqual([]);
    await reader
      .getByRole('link', { name: /^Cubic · 1 BDP/ })
      .first()
      .click();
    await expect(reader.locator('figure canvas').first()).toBeVisible();
    await expect(reader.getByText('The samples cannot be shown')).toHaveCount(0);
    await reader.getByRole('link', { name: 'To what was frozen' }).click();
    await expect(reader.getByRole('heading', { level: 1, name: 'Two over a step' })).toBeVisible();
    expect(asked.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
  });

  await test.step('it is taken away when somebody says so twice', async () => {
    await other.getByRole('link', { name: 'Frozen shares' }).click();
    await other.getByRole('button', { name: `Delete the share Cubic ${HOSTILE}` }).click();
    await other.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(other.getByRole('listitem').filter({ hasText: '/s/first-seconds' })).toHaveCount(0);
    await other.goBack();
    await other.reload();
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('This share cannot be shown');
  });
});
