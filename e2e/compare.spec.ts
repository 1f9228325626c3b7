// Runs held against each other: what differs first, over one another or side by side, less a reference, with files of other programs beside them.
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { either } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { saved } from './support/downloads.ts';
import { Panels } from './support/panels.ts';

const SPEC = {
  name: 'To be compared',
  traces: [{ rate_mbps: 24 }],
  ccas: [{ id: 'cubic' }, { id: 'bbr' }],
  buffers: [{ bdp: 1 }, { bdp: 4 }],
  duration_s: 5,
};

/** As flent writes it: 10 Mbps of payload by 0.2 s. */
const FLENT = gzipSync(
  JSON.stringify({
    version: 4,
    x_values: Array.from({ length: 25 }, (_, i) => (i + 1) / 5),
    results: { 'TCP upload': Array.from({ length: 25 }, () => 14.48), 'TCP upload::tcp_rtt': [30, 31, 32] },
    metadata: { NAME: 'tcp_1up' },
  }),
);

// The browser logs every answer that is a refusal.
test.use({ expectedComplaints: [/status of 422/] });

test('what differs, both ways of looking, the difference over time and in a table', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const { runs } = await api.measure(SPEC);
  const [one, two, three] = runs.map(({ id }) => id);
  // The old address leads there.
  await page.goto(`${sharedServer.url}/overlay?runs=${one ?? ''},${two ?? ''},${three ?? ''}`);
  await expect(page).toHaveURL(/\/compare\?runs=/);
  await new Panels(page).ready();

  await test.step('only fields that differ, by groups; the others are folded away', async () => {
    const differs = page.getByRole('region', { name: 'What differs', exact: true });
    await expect(differs.getByRole('rowgroup').filter({ hasText: 'Queue and limit' })).toContainText('limit in bytes');
    await expect(differs.getByRole('cell', { name: '24 Mbps' })).toBeHidden();
    await differs.getByText(/\d+ fields the same in all/).click();
    await expect(differs.getByRole('cell', { name: '24 Mbps' })).toBeVisible();
  });

  await test.step('side by side there is a column for each, and one cross-hair', async () => {
    await page.getByText('Side by side').click();
    await expect(page).toHaveURL(/view=grid/);
    await expect(page.locator('section[aria-label] [data-plot="throughput"]')).toHaveCount(3);
    await page.goBack();
    await expect(page).not.toHaveURL(/view=grid/);
  });

  await test.step('another reference, and its differences as CSV', async () => {
    const over = page.getByRole('region', { name: 'Difference over time' });
    await expect(over.locator('figure')).toHaveCount(4);
    await over.getByRole('button', { name: /Reference/ }).click();
    await page.getByRole('listbox').getByRole('option').nth(1).click();
    await expect(page).toHaveURL(new RegExp(`ref=${two ?? ''}`));
    const figures = page.getByRole('region', { name: 'Figures', exact: true });
    await expect(figures.getByRole('columnheader').nth(2)).toContainText('reference');
    await expect(
      figures
        .getByRole('row', { name: /^Utilisation/ })
        .getByRole('cell')
        .first(),
    ).toContainText('%');
    const csv = String(await saved(page, () => figures.getByRole('button', { name: 'CSV' }).click()));
    expect(csv.split('\r\n')[0]).toBe('metric,unit,run,label,value,reference,difference,difference_percent');
    expect(csv).toContain(`utilisation,,${one ?? ''},`);
  });

  await test.step('runs of one link share an oracle, and it has a difference, too', async () => {
    const entries = (plot: string) =>
      page
        .locator(`[data-plot="${plot}"]`)
        .getByRole('list', { name: 'Legend' })
        .getByRole('button', { name: /Oracle/ });
    await page.locator('[data-plot="queue"]').getByRole('button', { name: 'Oracle', exact: true }).click();
    // Two limits of the first algorithm, and the second with the first of them.
    await expect(entries('queue')).toHaveText([/^Oracle · .*1 BDP$/, /^Oracle · .*4 BDP$/]);
    await page.locator('[data-plot="diff-queue"]').getByRole('button', { name: 'Oracle', exact: true }).click();
    await expect(entries('diff-queue')).toHaveCount(1);
  });

  await test.step('one is left out', async () => {
    await page
      .getByRole('button', { name: /^Leave out/ })
      .last()
      .click();
    await expect(page).toHaveURL(new RegExp(`runs=${one ?? ''},${two ?? ''}(&|$)`));
  });
  expect(await axeFaults(page)).toEqual([]);
});

async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([file, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], file));
      return data;
    },
    [name, [...content]] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
}

test('a file of flent lies over a run, is moved, survives a reload, and goes', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const { runs } = await api.measure(SPEC);
  await page.goto(`${sharedServer.url}/compare?runs=${runs[0]?.id ?? ''}`);
  await new Panels(page).ready();
  const section = page.getByRole('region', { name: 'Files of other programs' });
  const add = async (name: string, buffer: Buffer): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await section.getByRole('button', { name: 'Add files' }).click();
    await (await chooser).setFiles({ name, mimeType: '', buffer });
  };
  await add('broken.json', Buffer.from('{"x_values": [1, oops]}'));
  await expect(section.getByRole('alert')).toContainText('broken.json: line 1, column 18');
  await section.getByRole('button', { name: 'Dismiss' }).click();

  // Dropped anywhere on the page, or chosen.
  await either({ mouse: () => drop(page, 'walk.txt', FLENT), keyboard: () => add('walk.txt', FLENT) });
  await expect(page).toHaveURL(/files=[0-9a-f]{16}/);
  const line = section.getByRole('listitem');
  await expect(line).toContainText('flent · 1 flow · 5 s · 15.0 Mbps on average · RTT 31.0 ms on average');
  const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
  await expect(values.getByRole('cell', { name: 'walk.txt', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Difference over time' }).locator('figure')).toHaveCount(2);

  await line.getByRole('textbox', { name: 'Begins at' }).fill('1.5');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/shift=1.5/);
  await page.reload();
  await expect(line).toContainText('walk.txt');
  await line.getByRole('button', { name: 'Leave out walk.txt' }).click();
  await expect(page).not.toHaveURL(/files=/);
});

test('one spec twice by one engine: nothing moved, and that is said', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const before = await api.measure(SPEC);
  const after = await api.measure({ ...SPEC, name: 'Again' });
  await page.goto(`${sharedServer.url}/e/${before.id}`);
  await page.goto(`${sharedServer.url}/compare?regress=${before.id}`);
  await page.getByRole('button', { name: /Held against/ }).click();
  await page.getByRole('option', { name: /^Again/ }).click();
  await expect(page).toHaveURL(new RegExp(`regress=${before.id},${after.id}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The same spec under two engines');
  await expect(page.getByRole('region', { name: 'What moved' })).toContainText(
    /Nothing moved: all \d+ metrics of 4 cells are the same\./,
  );
  expect(await axeFaults(page)).toEqual([]);
});
