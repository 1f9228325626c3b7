// What iperf3 measured on a real connection is laid over a run: added, aligned, compared, shared, saved, taken away.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iperf3Report } from '#analysis/testing-iperf3';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { saveFigure } from './support/downloads.ts';

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paceline-e2e-live-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Half the rate of the emulated link, by 0.1 s. */
const REPORT = JSON.stringify(
  iperf3Report({
    mbps: Array.from({ length: 100 }, (_, i) => 6 + (i % 5) / 10),
    rtt_ms: (i) => 30 + (i % 20),
    cwnd_bytes: (i) => 60_000 + 500 * (i % 30),
  }),
);

// The browser logs every answer that is a refusal.
test.use({ expectedComplaints: [/status of 422/] });

test('a report of iperf3 is laid over a run, aligned, compared, shared and taken away', async ({
  page,
  sharedServer,
  visitor,
}) => {
  const api = new Api(sharedServer);
  const experiment = await api.measure({
    name: 'A constant link',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 2 }],
    duration_s: 20,
  });
  await page.goto(`${sharedServer.url}/r/${experiment.runs[0]?.id ?? ''}`);
  const section = page.getByRole('region', { name: 'Live measurements' });
  const add = async (path: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await section.getByRole('button', { name: 'Add a measurement' }).click();
    await (await chooser).setFiles(path);
  };
  const titles = section.locator('figure h3');

  await test.step('what is no report is refused with the reason', async () => {
    await add(await file('notes.json', 'not a report'));
    await expect(section.getByRole('alert')).toContainText('this is not JSON');
    await section.getByRole('button', { name: 'Dismiss' }).click();
    await expect(section.getByRole('alert')).toBeHidden();
  });

  await test.step('a report is shown over the run, and the tests tell them apart', async () => {
    await add(await file('walk.json', REPORT));
    await expect(section).toContainText('TCP cubic · 10 s by 0.1 s · 6.42 Mbps on average · told by the sender');
    await expect(titles).toHaveText([
      'Throughput, live and emulated',
      'Window, live and emulated',
      'Round-trip time, live and emulated',
      'Distribution of throughput, live and emulated',
    ]);
    await expect(section).toContainText('Different: 100 % of the live intervals have at most');
    await expect(section.getByRole('img', { name: /shares differ by at most 100 percent/ })).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
  });

  const firstLive = async (): Promise<number> => {
    const csv = (await saveFigure(page, 'Round-trip time, live and emulated', 'CSV')).toString();
    const rows = csv.split('\r\n').map((line) => line.split(','));
    return Number(rows.find((cells) => cells[1] === 'live')?.[0]);
  };

  await test.step('it can begin later in the run, and the link says so', async () => {
    expect(await firstLive()).toBeCloseTo(0, 6);
    const offset = section.getByRole('textbox', { name: 'Begins at' });
    await offset.fill('4.5');
    await offset.press('Enter');
    await expect(page).toHaveURL(/[?&]offset=4\.5(&|$)/);
    expect(await firstLive()).toBeCloseTo(4.5, 6);
    const other = await visitor();
    await other.goto(page.url());
    const theirs = other.getByRole('region', { name: 'Live measurements' });
    await expect(theirs.getByRole('textbox', { name: 'Begins at' })).toHaveValue('4.5');
    await expect(theirs).toContainText('Different: 100 %');
  });

  await test.step('it can be compared over longer intervals, and the link says so too', async () => {
    await section.locator('[data-plot="live-distribution"] select').selectOption('1s');
    await expect(page).toHaveURL(/live-distribution\.by=1s/);
    await expect(section).toContainText('if all 10 were independent');
  });

  await test.step('a measurement that does not overlap the run compares nothing', async () => {
    const offset = section.getByRole('textbox', { name: 'Begins at' });
    await offset.fill('19.8');
    await offset.press('Enter');
    await expect(section).toContainText('there is nothing to compare');
  });

  await test.step('the report of the receiving end has no window and no RTT', async () => {
    const receiver = iperf3Report({ mbps: Array.from({ length: 50 }, () => 11), sender: false });
    await add(await file('receiver.json', JSON.stringify(receiver)));
    await expect(section).toContainText('told by the receiver');
    await expect(titles).toHaveText(['Throughput, live and emulated', 'Distribution of throughput, live and emulated']);
  });

  await test.step('and each can be taken away again', async () => {
    await section.getByRole('button', { name: 'Take receiver.json away' }).click();
    await expect(section).toContainText('walk.json');
    await section.getByRole('button', { name: 'Take walk.json away' }).click();
    await expect(section).toContainText('drop the report here');
    await page.reload();
    await expect(section).toContainText('drop the report here');
  });
});
