// A path is put together from boxes, and packets go through it.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';

test('an element is added to the path, set, moved and taken away again', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const usual = await api.measure({
    name: 'Usual path',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 1 }],
    duration_s: 10,
  });
  await page.goto(`${sharedServer.url}/new?from=${usual.id}`);
  await page.getByRole('button', { name: 'More settings' }).click();
  const boxes = page.getByRole('list', { name: 'Path of the data' }).getByRole('listitem');
  const add = page.getByRole('button', { name: 'Add an element to the path of the data' });
  await expect(boxes).toHaveText(['Random loss', 'Bottleneck', 'Delay', 'Add']);

  await test.step('a policer of 5 Mbps and a duplicator, which changes its mind', async () => {
    await add.click();
    await page.getByRole('menuitem', { name: 'Policer' }).click();
    await page.getByRole('button', { name: 'Parameters of Policer' }).click();
    const rate = page.getByRole('dialog').getByRole('textbox', { name: /^Rate/ });
    await rate.fill('5');
    await rate.press('Tab');
    await page.getByRole('button', { name: 'Apply' }).click();
    await add.click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Duplicate', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Move later: Policer' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Duplicate', 'Policer', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Remove: Duplicate' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Bottleneck', 'Delay', 'Add']);
  });

  const policed = await test.step('the run goes through it', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/e\//);
    const record = await api.ended(/\/e\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '');
    const { summary } = await api.run(record.runs[0]?.id ?? '');
    const [link] = summary?.links ?? [];
    expect(link?.path?.map(({ element }) => element)).toEqual(['loss', 'policer', 'bottleneck', 'delay']);
    expect(link?.path?.[1]?.lost_packets).toBeGreaterThan(0);
    // Its bucket holds 0.1 MB at first: over 10 s that is 0.08 Mbps more.
    expect(summary?.receivers[0]?.throughput_mbps).toBeLessThan(5.1);
    expect(summary?.receivers[0]?.throughput_mbps).toBeGreaterThan(2);
    return record.id;
  });

  await test.step('its page has a panel and a box for each element, and its file their columns', async () => {
    const { runs } = await api.experiment(policed);
    const run = runs[0]?.id ?? '';
    await page.goto(`${sharedServer.url}/r/${run}`);
    const figure = page.getByRole('figure', { name: 'Along the path' });
    for (const name of ['Random loss', 'Policer', 'Bottleneck', 'Delay'])
      await expect(figure.getByText(name, { exact: true })).toBeVisible();
    const boxes = page.getByRole('list', { name: 'Path of the data, element by element' }).getByRole('listitem');
    await expect(boxes).toHaveCount(4);
    await expect(boxes.nth(1)).toContainText(/PolicerEntered[\d,\s]+Lost[\d,\s]+/u);
    await expect(boxes.nth(1)).toContainText('dropped');
    const csv = (await api.file(`/runs/${run}/export?format=csv`)).toString();
    expect(csv.split('\n', 1)[0]).toContain('forward1_policer_tokens_bytes');
  });

  await test.step('whoever runs it again sees the path, and comes back to the usual one', async () => {
    await page.goto(`${sharedServer.url}/new?from=${policed}`);
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Back to the usual path' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Bottleneck', 'Delay', 'Add']);
    await expect(page.getByRole('button', { name: 'Back to the usual path' })).toHaveCount(0);
  });
});
