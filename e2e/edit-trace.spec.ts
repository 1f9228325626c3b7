// Editing a trace: steps with small forms, a part selected under the chart, saved as a trace that knows where it comes from.
import { TraceRecord } from '#protocol/api';
import { expect, test } from './fixtures.ts';
import { mouseOnly } from './hands/hands.ts';

/** A part that goes beyond the trace is refused by the server, on purpose. */
test.use({ expectedComplaints: [/status of 422/] });

const TEXT = Array.from({ length: 12_000 }, (_, i) => `${i + 1}\n`).join('');

test('a trace is cut, interrupted and scaled, saved, and edited again from its source', async ({
  page,
  sharedServer,
}) => {
  const api = `${sharedServer.url}/api/v1/traces`;
  const upload = await page.request.post(`${api}?name=flat`, {
    data: TEXT,
    headers: { 'content-type': 'text/plain' },
  });
  const source = TraceRecord.parse(await upload.json());
  await page.goto(`${sharedServer.url}/traces/${source.id}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Edit flat', level: 1 })).toBeVisible();

  const add = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const type = async (step: RegExp, label: string, value: string): Promise<void> => {
    const field = page.getByRole('listitem', { name: step }).getByRole('textbox', { name: label });
    await field.fill(value);
    await field.press('Tab');
  };
  const length = page.locator('dt', { hasText: /^Length$/ }).locator('+ dd');

  await add('Keep a part');
  await type(/step 1/, 'From', '1');
  await type(/step 1/, 'To', '20');
  await expect(page.getByRole('alert').filter({ hasText: 'beyond the trace' })).toHaveText(
    "beyond the trace's end, 12000 ms",
  );
  await type(/step 1/, 'To', '11');
  await expect(length).toContainText('10 s');

  // Under the chart a part is drawn.
  await add('Outage');
  await mouseOnly('a part of a trace is drawn under its chart', async () => {
    const strip = page.locator('figure svg').last();
    const box = (await strip.locator('rect').first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByRole('listitem', { name: /step 2/ }).getByRole('textbox', { name: 'At' })).not.toHaveValue(
      '5',
    );
  });
  await type(/step 2/, 'At', '5');
  await type(/step 2/, 'For', '2');

  await add('Scale');
  await expect(page).toHaveURL(/steps=cut:1000,11000_outage:5000,2000,overwrite_scale:0.5/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Half of it');
  await page.getByRole('button', { name: 'Save as a trace' }).click();
  await expect(page.getByRole('heading', { name: 'Half of it', level: 1 })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const record = TraceRecord.parse(await (await page.request.get(`${api}/${id}`)).json());
  expect(record).toMatchObject({ origin: 'edit', edit: { source: source.id } });
  expect(record.info.period_ms).toBe(10_000);
  expect(record.info.opportunities).toBe(4000);

  await expect(page.getByText('keep 1 s … 11 s; outage of 2 s at 5 s; times 0.5')).toBeVisible();
  await page.getByRole('link', { name: 'Edit again from the source' }).click();
  await expect(page.getByRole('heading', { name: 'Edit flat', level: 1 })).toBeVisible();
  await expect(page.getByRole('listitem', { name: /step \d/ })).toHaveCount(3);
  await page.getByRole('button', { name: 'Remove: step 3, scale' }).click();
  await expect(page.getByRole('listitem', { name: /step \d/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('listitem', { name: /step \d/ })).toHaveCount(3);
});
