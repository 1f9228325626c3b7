// Inside a trace: what it remembers, when it fails, what to mind, where it comes from; and several beside one another.
import { TraceList, TraceRecord } from '#protocol/api';
import { TraceMarks } from '#protocol/trace';
import { expect, test } from './fixtures.ts';

/** A rate that wanders, with a silence of 2.5 s at 10 s; the last line has no end. */
function recording(packets: number): string {
  const lines: string[] = [];
  for (let ms = 1; ms <= 30_000; ms++) {
    if (ms > 10_000 && ms < 12_500) continue;
    const count = packets + Math.round(packets * 0.6 * Math.sin(ms / 900) + ((ms * 7919) % 13) / 13);
    for (let i = 0; i < Math.max(1, count); i++) lines.push(String(ms));
  }
  return lines.join('\n');
}

test('a trace is looked into, its licence said, and it is compared with others', async ({ page, server, visitor }) => {
  const upload = async (name: string, body: string): Promise<TraceRecord> =>
    TraceRecord.parse(
      await (
        await page.request.post(`${server.url}/api/v1/traces?name=${name}`, {
          data: body,
          headers: { 'content-type': 'text/plain' },
        })
      ).json(),
    );
  const slow = await upload('slow.down', recording(2));
  const fast = await upload('fast.down', `${recording(5)}\n`);

  await page.goto(`${server.url}/traces/${slow.id}`);
  await expect(page.getByText('Nothing is delivered for up to 2.5 s, once for a second or more.')).toBeVisible();
  await expect(page.getByText(/last line has no newline/)).toBeVisible();
  await expect(page.getByRole('img', { name: /Autocorrelation of capacity: coherence time/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /nothing at all: 1 time.*longest 2.50 s/ })).toBeVisible();
  await expect(page.locator('dt', { hasText: 'Coherence time' }).locator('+ dd')).toContainText('s');

  // The flag leads to its place, at a zoom that the address keeps, and further down to bins of a millisecond.
  await page.getByRole('button', { name: '10 s', exact: true }).click();
  await expect(page).toHaveURL(/t=5,17\.5/);
  await page.goto(`${server.url}/traces/${slow.id}?t=10,10.2`);
  await expect(page.getByText('Mbps in bins of 1 ms: mean')).toBeVisible();

  await page.getByRole('button', { name: 'Name, licence, source' }).click();
  await page.getByRole('textbox', { name: 'Licence' }).fill('CC BY 4.0');
  await page.getByRole('textbox', { name: 'Source' }).fill('https://example.org/walk');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'https://example.org/walk' })).toBeVisible();
  await expect(page.getByText('CC BY 4.0', { exact: true })).toBeVisible();
  await expect(page.locator('code', { hasText: slow.id })).toBeVisible();

  await page.goto(`${server.url}/traces`);
  for (const { name } of [slow, fast])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true });
  await page.getByRole('link', { name: 'Compare 2 traces' }).click();
  await expect(page).toHaveURL(new RegExp(`ids=${slow.id},${fast.id}`));
  const table = page.getByRole('region', { name: 'Figures of the traces' });
  await expect(table.getByRole('row', { name: /fast\.down/ })).toContainText('best');
  await expect(page.getByRole('slider', { name: /Capacity of/ })).toHaveCount(2);

  // Somebody else sees the same; a trace can be taken out.
  const other = await visitor();
  await other.goto(page.url());
  await expect(other.getByRole('heading', { name: '2 traces compared' })).toBeVisible();
  await expect(other.getByRole('img', { name: /slow\.down: half of the time at most.*fast\.down/ })).toBeVisible();
  await expect(other.getByRole('img', { name: /slow\.down: below 1\/e after/ })).toBeVisible();
  await other.getByRole('button', { name: 'Take fast.down out' }).click();
  await expect(other.getByText('Two traces are needed')).toBeVisible();
});

test('of a trace that a radio model made the handovers are known, on its page and to the API', async ({
  page,
  server,
}) => {
  const { traces } = TraceList.parse(
    await (await page.request.get(`${server.url}/api/v1/traces?search=City drive`)).json(),
  );
  const made = traces.find(({ source }) => source === 'traces/recipes/city-drive.json');
  const marks = TraceMarks.parse(
    await (await page.request.get(`${server.url}/api/v1/traces/${made?.id ?? ''}/marks`)).json(),
  );
  expect(marks.count).toBe(10);
  await page.goto(`${server.url}/traces/${made?.id ?? ''}`);
  const capacity = page.getByRole('figure').filter({ hasText: 'Capacity over time' });
  await expect(capacity.getByRole('button', { name: 'handover' })).toBeVisible();
});
