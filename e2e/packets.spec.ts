// A run packet by packet: watched, stepped through, shared, and saved as a picture that moves.
import type { ExperimentSpecInput } from '#protocol/spec';
import { PacketWindow } from '#protocol/packets';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { saved, saveFigure } from './support/downloads.ts';

const SPEC: ExperimentSpecInput = {
  name: 'Two flows, packet by packet',
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'bbr' }],
  flows: [{}, { cca: { id: 'cubic' }, start_s: 1 }],
  buffers: [{ bdp: 1 }],
  duration_s: 8,
};

const numberOf = (page: { url: () => string }, key: string): number =>
  Number(new URL(page.url()).searchParams.get(key) ?? NaN);

test('the packets of a run, from the first look to a slide', async ({ page, sharedServer, visitor }) => {
  const api = new Api(sharedServer);
  const run = (await api.measure(SPEC)).runs[0]?.id ?? '';
  await page.goto(`${sharedServer.url}/r/${run}?at=2`);
  const section = page.getByRole('region', { name: 'Packets' });
  await section.getByRole('button', { name: /^Packets from 2 to/ }).click();
  const picture = section.getByRole('img', { name: /packets from .* dropped by the queue/ });
  await expect(picture).toBeVisible();
  const window = new URL(page.url()).searchParams.get('packets') ?? '';
  expect(window).toMatch(/^2,/);

  await test.step('it plays as slowly as a round trip can be followed, and rests where it is stopped', async () => {
    await section.getByRole('button', { name: 'Play the packets ( p )' }).click();
    const place = section.getByRole('slider', { name: 'Moment in the window' });
    await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(2.001);
    await page.keyboard.press('p');
    await expect(section.getByRole('button', { name: 'Play the packets ( p )' })).toBeVisible();
    await expect.poll(() => numberOf(page, 'moment')).toBeGreaterThan(2);
    const before = numberOf(page, 'moment');
    await page.keyboard.press(']');
    await expect.poll(() => numberOf(page, 'moment')).toBeGreaterThan(before);
  });

  await test.step('somebody else opens the same moment', async () => {
    const readout = section.getByText(/^\d\.\d{5}\s*s$/);
    const shown = async (): Promise<number> => Number.parseFloat((await readout.textContent()) ?? '');
    await expect.poll(async () => Math.abs((await shown()) - numberOf(page, 'moment'))).toBeLessThan(1e-5);
    const other = await visitor();
    await other.goto(page.url());
    const theirs = other.getByRole('region', { name: 'Packets' });
    await expect(theirs.getByRole('img', { name: /dropped by the queue/ })).toBeVisible();
    await expect(theirs.getByText(/^\d\.\d{5}\s*s$/)).toHaveText((await readout.textContent()) ?? '');
    await other.close();
  });

  await test.step('its rows are those of the API', async () => {
    const [from, to] = window.split(',').map(Number);
    const told = PacketWindow.parse(
      JSON.parse((await api.file(`/runs/${run}/packets?from_s=${from}&to_s=${to}`)).toString()),
    );
    const rows = (await saveFigure(page, 'Packets on their way', 'CSV'))
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rows).toHaveLength(told.packets.flow.length + 1);
    expect(rows.filter((row) => row.includes(',dropped,'))).toHaveLength(
      told.packets.fate.filter((fate) => fate === 'dropped').length,
    );
  });

  await test.step('and a picture of it that moves goes into a slide', async () => {
    const svg = (await saved(page, () => section.getByRole('button', { name: 'Moving SVG' }).click())).toString();
    const moves = await page.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, 'image/svg+xml');
      return read.querySelector('parsererror') === null ? read.querySelectorAll('rect > animate').length : -1;
    }, svg);
    expect(moves).toBeGreaterThan(100);
  });

  await test.step('what fills the queue is told flow by flow', async () => {
    const queue = await saveFigure(page, 'Whose packets fill the queue', 'CSV');
    const names = new Set(
      queue
        .toString()
        .split('\n')
        .map((row) => row.split(',')[1]),
    );
    expect([...names]).toEqual(expect.arrayContaining(['all flows', 'BBR', 'Cubic']));
  });

  await test.step('the next window is another address, and none is the first one', async () => {
    await section.getByRole('button', { name: 'The next window' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('packets')).not.toBe(window);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('packets')).toBe(window);
    await section.getByRole('button', { name: 'Show no packets' }).click();
    await expect(picture).toBeHidden();
  });
});

test.describe('what cannot be watched', () => {
  // A window behind the end of the run is refused.
  test.use({ expectedComplaints: [/status of 400/] });

  test('says so, and the optimal has no packets', async ({ page, sharedServer }) => {
    const record = await new Api(sharedServer).measure({
      name: 'The optimal sends nothing',
      traces: [{ rate_mbps: 12 }],
      ccas: [{ id: 'optimal' }, { id: 'cubic' }],
      duration_s: 2,
    });
    const [ideal, real] = ['optimal', 'cubic'].map(
      (id) => record.runs.find(({ cell }) => record.cells.find(({ key }) => key === cell)?.cca.id === id)?.id,
    );
    await page.goto(`${sharedServer.url}/r/${ideal}`);
    await expect(page.getByRole('region', { name: 'Live measurements' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Packets' })).toHaveCount(0);
    await page.goto(`${sharedServer.url}/r/${real}?packets=5,1`);
    await expect(page.getByText('Part of this link was not understood')).toBeVisible();
    await page.goto(`${sharedServer.url}/r/${real}?packets=50,60`);
    await expect(page.getByRole('region', { name: 'Packets' }).getByText('the run lasts 2 s')).toBeVisible();
  });
});
