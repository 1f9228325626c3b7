// What a person sets holds at once, everywhere, after a reload and in another tab; and whoever wants to hear of an end hears of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';

const SPEC = {
  name: 'Told',
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
  duration_s: 5,
  engine: 'realtime' as const,
};

test('settings hold at once, after a reload and in another tab', async ({ page, sharedServer: server }) => {
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const example = page.getByRole('status').filter({ hasText: 'packets' });
  await expect(example).toHaveText(/184.Mbps · 23\.1.ms · 1.048.576 packets/);

  await page.getByRole('radio', { name: 'Comma: 23,1' }).press('Space');
  await page.locator('label', { hasText: 'MB/s' }).click();
  await expect(example).toHaveText(/23,1.MB\/s · 23,1.ms/);
  await page.locator('label', { hasText: 'Always reduced' }).click();
  await page.getByRole('button', { name: /Colours of algorithms/ }).click();
  await page.getByRole('option', { name: 'Red and green look alike' }).click();
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-palette', 'red-green');
  await expect(root).toHaveAttribute('data-motion', 'reduced');
  await page.locator('label', { hasText: /^Dark$/ }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  expect(await axeFaults(page)).toEqual([]);

  const other = await page.context().newPage();
  await other.goto(`${server.url}/traces`);
  await expect(other.locator('html')).toHaveAttribute('data-palette', 'red-green');
  await expect(other.getByRole('columnheader', { name: /Mean, MB\/s/ })).toBeVisible();
  await page.locator('label', { hasText: /^Mbps$/ }).click();
  await expect(other.getByRole('columnheader', { name: /Mean, Mbps/ })).toBeVisible();

  await page.reload();
  await expect(example).toHaveText(/184.Mbps · 23,1.ms/);
  await expect(root).toHaveAttribute('data-motion', 'reduced');
  // A figure in another page is the same for all.
  const embed = await page.context().newPage();
  await embed.goto(`${server.url}/embed/run/none/none`);
  await expect(embed.locator('html')).not.toHaveAttribute('data-palette', /.*/);
});

/** What the server refuses, browsers call an error. */
test.describe('a webhook', () => {
  test.use({ expectedComplaints: [/status of 422/] });
  test('is set, tried and told; the title says that an experiment is over', async ({ page, server }) => {
    const told: { event: string; id: string; state: string }[] = [];
    const hook = createServer((req, res) => {
      let body = '';
      req.on('data', (part: Buffer) => (body += part.toString()));
      req.on('end', () => {
        told.push(JSON.parse(body) as (typeof told)[number]);
        res.end();
      });
    });
    await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
    const { port } = hook.address() as AddressInfo;
    try {
      await page.goto(`${server.url}/settings`);
      const field = page.getByRole('textbox', { name: 'Webhook' });
      await field.fill('http://169.254.169.254/latest');
      await field.press('Enter');
      await expect(page.getByText(/169\.254\.169\.254 is not a public address/)).toBeVisible();
      await field.fill(`http://127.0.0.1:${port}/secret`);
      await field.press('Enter');
      await expect(page.getByText(/127\.0\.0\.1 is not a public address.*--allow-webhook/)).toBeVisible();
      await field.fill(`http://localhost:${port}/secret`);
      await page.getByRole('button', { name: 'Set' }).click();
      await expect(page.getByText(/The server tells http:\/\/localhost/)).toBeVisible();
      await expect(page.getByText('secret')).toHaveCount(0);
      await page.getByRole('button', { name: 'Send a test' }).click();
      // Where a name leads is known when something is sent.
      await expect(page.getByText(/The test: localhost .* is not a public address/)).toBeVisible();
      expect(told).toEqual([]);
      await page.getByRole('button', { name: 'Remove' }).click();
      await expect(page.getByText('The server tells nobody.')).toBeVisible();
    } finally {
      hook.close();
    }
    await new Api(server).submit(SPEC);
    await page.reload();
    await expect(page).toHaveTitle(/^0.% · Settings · Paceline$/);
    await expect(page).toHaveTitle(/^✓ · Settings · Paceline$/);
  });
});
