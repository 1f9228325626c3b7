// What the runs' samples come to: read when asked for, kept in the address, and the same numbers as the API has.
import { SampledPage } from '#protocol/sampled';
import { ExperimentRecord } from '#protocol/api';
import { expect, test } from './fixtures.ts';
import { saveFigure } from './support/downloads.ts';

test('an experiment is read over time: boxes and ellipses, in the address and in the CSV', async ({ page, server }) => {
  const spec = {
    name: 'Over time',
    duration_s: 6,
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }, { id: 'bbr' }],
    buffers: [{ bdp: 3 }],
  };
  const made = await page.request.post(`${server.url}/api/v1/experiments`, { data: spec });
  const { id } = ExperimentRecord.parse(await made.json());
  await page.goto(`${server.url}/e/${id}`);
  const read = page.getByRole('button', { name: 'Read the samples of 2 runs' });
  // A figure that is drawn when it comes into sight moves nothing below it: a press on what moves away is lost.
  await expect(read).toBeVisible();
  const delays = page.locator('[data-plot="delays"]');
  await expect(delays.getByRole('figure')).toHaveCount(0);
  const kept = (await delays.boundingBox())?.height;
  await delays.scrollIntoViewIfNeeded();
  await expect(delays.getByRole('figure')).toBeVisible();
  expect((await delays.boundingBox())?.height).toBe(kept);
  await read.click();
  const spread = page.getByRole('figure', { name: 'Spread over time' });
  await expect(spread).toContainText('2 runs of all cells');
  await expect(page).toHaveURL(/over=yes/);
  const plane = page.getByRole('figure', { name: 'Bytes in flight against RTT' });
  await plane.getByRole('combobox', { name: 'A point every' }).selectOption('1 s');
  await plane.getByRole('combobox', { name: 'Against RTT' }).selectOption('throughput of all flows');

  await page.reload();
  const throughput = page.getByRole('figure', { name: 'Throughput against RTT' });
  await expect(throughput).toContainText('points that are means over 1 s');
  const found = await page.request.get(`${server.url}/api/v1/experiments/${id}/sampled?of=spread,plane`);
  const [cubic] = SampledPage.parse(await found.json()).cells;
  const boxes = (await saveFigure(page, 'Spread over time', 'CSV')).toString();
  const box = cubic?.boxes['throughput'];
  expect(boxes).toContain(
    `Cubic,3 BDP,throughput_mbps,${box?.p05},${box?.p25},${box?.p50},${box?.p75},${box?.p95},${box?.n},1`,
  );
  const ellipse = cubic?.ellipses['throughput:1 s'];
  expect((await saveFigure(page, 'Throughput against RTT', 'CSV')).toString()).toContain(`${ellipse?.x},${ellipse?.y}`);

  // What is selected alone, and what is hidden not.
  await page
    .getByRole('button', { name: /^BBR, 3 BDP/ })
    .first()
    .click();
  await expect(spread).toContainText('one run of the selected cells');
});
