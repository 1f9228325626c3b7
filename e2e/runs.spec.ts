// The table of every run: found by a query, completed by keyboard, grouped, and laid over one another.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';

const SPEC = {
  name: 'For the table',
  traces: [{ rate_mbps: 12 }, { rate_mbps: 24 }],
  ccas: [{ id: 'cubic' }, { id: 'newreno' }, { id: 'vegas' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }],
  duration_s: 5,
};

test('from all runs to the ones that are odd, and over one another', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  await api.measure(SPEC);
  await page.goto(`${sharedServer.url}/runs`);
  const table = page.getByRole('region', { name: 'Runs' });
  const field = page.getByRole('combobox', { name: 'Find runs' });
  const rows = table.getByRole('checkbox');
  await expect(rows.first()).toBeVisible();

  await test.step('a field and a value are completed by keyboard', async () => {
    await field.click();
    await page.keyboard.type('expe');
    await expect(page.getByRole('option').first()).toContainText('experiment:');
    await page.keyboard.press('Tab');
    await expect(field).toHaveValue('experiment:');
    await page.keyboard.type('for');
    await expect(page.getByRole('option', { name: '"For the table"' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('experiment:"For the table" ');
    await expect(rows).toHaveCount(12);
    await expect(page).toHaveURL(/q=experiment/);
  });

  await test.step('what is not understood is told where it is, and the rows stay', async () => {
    await page.keyboard.type('utl<0.9');
    await expect(page.getByRole('status').filter({ hasText: 'there is no field' }).locator('mark')).toHaveText(
      'utl<0.9',
    );
    await expect(rows).toHaveCount(12);
    for (let i = 0; i < 7; i++) await page.keyboard.press('Backspace');
    await page.keyboard.type('-cca:vegas buffer:5bdp');
    await page.keyboard.press('Escape');
    await expect(rows).toHaveCount(4);
  });

  await test.step('sorted by a figure, and the way back', async () => {
    await table.getByRole('button', { name: 'Throughput, Mbps' }).click();
    await expect(page).toHaveURL(/sort=-tput/);
    await expect(table.getByRole('row').nth(1)).toContainText('24 Mbps');
    await page.goBack();
    await expect(page).not.toHaveURL(/sort=/);
  });

  await test.step('groups have means, and a press shows their runs', async () => {
    await page.getByRole('button', { name: 'Group by' }).click();
    await page.getByRole('option', { name: 'CCA', exact: true }).click();
    const groups = page.getByRole('region', { name: 'Groups of runs' });
    await expect(groups.getByRole('row')).toHaveCount(3);
    await groups.getByRole('button', { name: 'Cubic' }).click();
    await expect(rows).toHaveCount(2);
    await expect(field).toHaveValue(/cca=cubic$/);
  });

  await test.step('two are laid over one another', async () => {
    await rows.first().click();
    await rows.last().click({ modifiers: ['Shift'] });
    await page.getByRole('link', { name: 'Compare' }).click();
    await expect(page).toHaveURL(/\/compare\?runs=[a-z2-7]{20},[a-z2-7]{20}/);
  });
});
