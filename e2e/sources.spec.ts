// An application of frames beside a bulk transfer, from the form to the figure; and one that a recording describes.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { Panels } from './support/panels.ts';

test('frames are composed, run, and shown with the share that was in time', async ({ page, server }) => {
  const api = new Api(server);
  const form = new NewExperiment(page);
  await form.open(server.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '4');
  await form.fullScores(false);
  await form.link.getByRole('button', { name: 'More settings' }).click();
  await form.link.getByRole('button', { name: /Application/ }).click();
  await page.getByRole('option', { name: 'video frames' }).click();
  await form.fill('Frame rate', '25');
  await form.fill('Deadline', '60');
  const id = await form.run();
  const { runs, spec } = await api.ended(id);
  expect(spec.flows[0]?.source).toMatchObject({ kind: 'frames', fps: 25, deadline_ms: 60 });
  const run = runs[0];
  expect(run?.summary?.senders[0]?.messages?.count).toBeGreaterThan(95);

  await expect(page.getByRole('columnheader', { name: 'Message delay, ms' })).toBeVisible();
  await page.goto(`${server.url}/r/${run?.id ?? ''}`);
  await new Panels(page).ready();
  await expect(page.getByRole('heading', { name: 'How long frames took' })).toBeVisible();
  await expect(page.getByRole('img', { name: /Cubic: half within .* ms, 95 percent within/ })).toBeVisible();
  const table = page.getByRole('table', { name: 'Messages of each flow' }).or(page.getByLabel('Messages of each flow'));
  await expect(table.first()).toContainText('25 frames/s, 4 Mbps');
});

test.describe('a file of recorded packets', () => {
  // The browser logs every answer that is a refusal.
  test.use({ expectedComplaints: [/status of 422/] });

  test('a recording becomes the application, or is refused with its line', async ({ page, server }) => {
    const api = new Api(server);
    const form = new NewExperiment(page);
    await form.open(server.url);
    await form.chooseTraces(['Constant, 48 Mbps']);
    await form.chooseAlgorithms(['Cubic']);
    await form.chooseLimits(['5 BDP']);
    await form.fill('Duration', '2');
    await form.fullScores(false);
    await form.link.getByRole('button', { name: 'More settings' }).click();
    await form.link.getByRole('button', { name: /Application/ }).click();
    await page.getByRole('option', { name: 'recorded packets' }).click();
    const choose = async (name: string, text: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await form.link.getByRole('button', { name: 'Choose a file …' }).click();
      await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    };
    await choose('bad.csv', '0,1500\n1,many\n');
    await expect(form.link.getByRole('alert')).toContainText('bad.csv: line 2: many is not a whole number of bytes');
    await choose('call.csv', 'time_s,bytes\n10,200\n10.02,1200\n10.5,40000\n');
    await expect(form.link.getByText('call.csv: 3 packets')).toBeVisible();
    const { runs } = await api.ended(await form.run());
    expect(runs[0]?.summary?.receivers[0]?.messages).toMatchObject({ completed: 3, bytes: 41_400 });
  });
});
