// At a server that several share, somebody keeps a trace and what runs over it to themselves, and publishes both in the end.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { layoutFaults } from './support/layout.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { DESK_BY_DAY, DESK_BY_NIGHT, expectWellMade, PHONE_BY_DAY, PHONE_BY_NIGHT } from './support/sizes.ts';
import { PacelineServer } from './server.ts';

const OPERATORS = 'the-token-of-the-operator';
let lab: PacelineServer;
test.beforeAll(async () => {
  lab = await PacelineServer.start({ env: { PACELINE_TOKEN: OPERATORS } });
});
test.afterAll(() => lab.dispose());
// What is not there for others, and what is asked without a token, browsers log.
test.use({ reducedMotion: 'reduce', expectedComplaints: [/(401|404|409) \(|WebSocket connection/] });

async function tokenOf(name: string): Promise<string> {
  const answer = await fetch(`${lab.url}/api/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATORS}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, role: 'author' }),
  });
  return ((await answer.json()) as { token: string }).token;
}

const LINES = `# ms count\n${Array.from({ length: 2000 }, (_, i) => `${i * 5} ${2 + (i % 3)}`).join('\n')}\n`;

test('a trace that is private makes what runs over it private, until both are published', async ({ page, visitor }) => {
  const bob = await visitor({ reducedMotion: 'reduce' });
  await page.goto(`${lab.url}/?token=${await tokenOf('Ann')}`);
  await bob.goto(`${lab.url}/?token=${await tokenOf('Bob')}`);

  await page.goto(`${lab.url}/traces`);
  await page.getByRole('switch', { name: 'Private' }).locator('xpath=ancestor::label').click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a trace' }).click();
  await (await chooser).setFiles({ name: 'operator x.trace', mimeType: 'text/plain', buffer: Buffer.from(LINES) });
  // The trace's own page is what an upload ends on.
  await expect(page.getByRole('heading', { level: 1, name: 'operator x.trace' })).toBeVisible();
  await expect(page.getByTitle('Only its maker and the operators see it')).toBeVisible();
  await page.goto(`${lab.url}/traces`);
  await expect(page.getByRole('row').filter({ hasText: 'operator x' })).toContainText('private');
  await bob.goto(`${lab.url}/traces`);
  await expect(bob.getByRole('row').filter({ hasText: 'Constant, 48 Mbps' })).toBeVisible();
  await expect(bob.getByText('operator x')).toHaveCount(0);

  const form = new NewExperiment(page);
  await form.open(lab.url);
  const choice = form.bar.getByRole('switch', { name: 'Private' });
  await expect(choice).not.toBeChecked();
  await form.chooseTraces(['operator x.trace']);
  await expect(choice).toBeChecked();
  await expect(choice).toBeDisabled();
  await expect(form.bar).toContainText('as operator x.trace is');
  await form.chooseAlgorithms(['Cubic']);
  await shot('new', page);
  await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/e\//);
  const heading = page.getByRole('main');
  await expect(heading.getByTitle('Only its maker and the operators see it')).toBeVisible();
  await shot('experiment', page);
  const address = page.url();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Freeze this view/ }).click();
  await expect(page.getByRole('dialog')).toContainText('also where what it shows is private');
  await shot('freeze', page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await bob.goto(address);
  await expect(bob.getByText(/^This server has no experiment/)).toBeVisible();
  await bob.goto(`${lab.url}/`);
  await expect(bob.getByRole('row').filter({ hasText: 'Sample' })).toBeVisible();
  await expect(bob.getByText('operator x')).toHaveCount(0);
  await page.goto(`${lab.url}/`);
  await expect(page.getByRole('row').filter({ hasText: 'operator x' })).toContainText('private');
  await shot('home', page);

  const publish = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toContainText('That cannot be taken back.');
    await shot('dialog', page);
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  };
  await page.goto(address);
  await publish('Publish ');
  await expect(page.getByRole('dialog')).toContainText('it runs over “operator x.trace”, which is private');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${lab.url}/traces`);
  await page.getByRole('link', { name: 'operator x.trace' }).click();
  await publish('Publish operator x.trace');
  await expect(page.getByTitle('Only its maker and the operators see it')).toHaveCount(0);
  await page.goto(address);
  await publish('Publish ');
  await expect(page.getByTitle('Only its maker and the operators see it')).toHaveCount(0);
  await bob.goto(address);
  await expect(bob.getByText('by Ann')).toBeVisible();
});

test('a trace that is made is for nobody else, where its maker wants it so', async ({ page, visitor }) => {
  const bob = await visitor({ reducedMotion: 'reduce' });
  await page.goto(`${lab.url}/?token=${await tokenOf('Carla')}`);
  await bob.goto(`${lab.url}/?token=${await tokenOf('Dan')}`);
  await page.goto(`${lab.url}/traces/make`);
  const choice = page.getByRole('switch', { name: 'Private' });
  await expect(choice).not.toBeChecked();
  await choice.locator('xpath=ancestor::label').click();
  // With what is chosen at first it is a trace that everybody has.
  await page.getByRole('textbox', { name: 'Seed' }).fill('977');
  await page.getByRole('textbox', { name: 'Name' }).fill('A walk of my own');
  await expectWellMade(page, 'private-make', [DESK_BY_DAY, DESK_BY_NIGHT, PHONE_BY_DAY, PHONE_BY_NIGHT]);
  await page.getByRole('button', { name: 'Save as a trace' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('A walk of my own');
  await expect(page.getByTitle('Only its maker and the operators see it')).toBeVisible();
  await bob.goto(page.url());
  await expect(bob.getByText(/^This server has no trace/)).toBeVisible();

  await page.goto(`${lab.url}/traces/make`);
  await choice.locator('xpath=ancestor::label').click();
  await page.getByRole('button', { name: 'Save as a trace' }).click();
  await expect(
    page.getByText(/^This very trace was there already, for all: “.+”\. It is not private\.$/),
  ).toBeVisible();
  await expect(page.getByTitle('Only its maker and the operators see it')).toHaveCount(0);
});

test('what is run privately is said so on every width', async ({ page }) => {
  await page.goto(`${lab.url}/?token=${await tokenOf('Vera')}`);
  const form = new NewExperiment(page);
  await form.open(lab.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic']);
  await form.bar.getByRole('switch', { name: 'Private' }).locator('xpath=ancestor::label').click();
  // Kept as the form is.
  await page.reload();
  await expect(form.bar.getByRole('switch', { name: 'Private' })).toBeChecked();
  await expectWellMade(page, 'private-new', [DESK_BY_NIGHT, PHONE_BY_DAY]);
  await page.goto(`${lab.url}/traces`);
  await expect(page.getByRole('switch', { name: 'Private' })).not.toBeChecked();
  await expectWellMade(page, 'private-traces', [PHONE_BY_DAY, PHONE_BY_NIGHT]);
  await page.goto(`${lab.url}/new`);
  await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/e\//);
  await expect(page.getByTitle('Only its maker and the operators see it')).toBeVisible();
  expect(await layoutFaults(page)).toEqual([]);
  await shot('experiment-390', page);
});

async function shot(name: string, page: Page): Promise<void> {
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SHOTS']}/private-${name}.png` });
}
