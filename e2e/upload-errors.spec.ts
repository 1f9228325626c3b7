// Files that are no traces, files that are too large, files that are dropped, and uploads that take their time.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { either } from './hands/hands.ts';

const GIB = 2 ** 30;

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paceline-e2e-files-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** As the browser gets it from the desktop. */
async function drop(page: Page, path: string): Promise<void> {
  const box = await page.getByRole('button', { name: 'Upload a trace' }).boundingBox();
  if (box === null) throw new Error('there is nowhere to drop the file');
  const browser = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y - 5];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', {
      type,
      ...{ x, y },
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
}

async function upload(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a trace' }).click();
  await (await chooser).setFiles(path);
}

async function textFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test.describe('a file that is no trace', () => {
  // The browser logs every answer that is a refusal.
  test.use({ expectedComplaints: [/status of 422/] });

  const BROKEN = [
    { name: 'letters.down', text: '0\n5\nseven\n9\n', line: 3, shows: 'seven', reason: /seven|number|digit/i },
    { name: 'backwards.down', text: '0\n5\n9\n4\n', line: 4, shows: '4', reason: /before|order|smaller|back/i },
    { name: 'fraction.down', text: '1\n2.5\n3\n', line: 2, shows: '2.5', reason: /whole|integer|millisecond/i },
  ];

  for (const { name, text, line, shows, reason } of BROKEN)
    test(`${name} is refused with the line and the reason`, async ({ page, sharedServer }) => {
      await page.goto(`${sharedServer.url}/traces`);
      const path = await textFile(name, text);
      await upload(page, path);
      const notice = page.getByRole('alert');
      await expect(notice).toContainText(`${name}, line ${line}`);
      await expect(notice).toContainText(reason);
      await expect(notice).toContainText(shows);
      await expect(page).toHaveURL(/\/traces$/);
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(notice).toBeHidden();
      // The same file mended is taken.
      await writeFile(path, '0\n5\n9\n');
      await upload(page, path);
      await expect(page).toHaveURL(/\/traces\/[0-9a-f]{64}$/);
    });

  test('an empty file and a picture are refused with a reason', async ({ page, sharedServer }) => {
    await page.goto(`${sharedServer.url}/traces`);
    await upload(page, await textFile('empty.down', ''));
    await expect(page.getByRole('alert')).toContainText(/empty|no file/i);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await upload(page, await textFile('picture.png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'));
    await expect(page.getByRole('alert')).toContainText('picture.png');
  });
});

test('a file of more than 1 GiB is refused by the page, and by the server before it is read', async ({
  page,
  sharedServer,
}) => {
  const path = join(folder, 'huge.down');
  const file = await open(path, 'w');
  await file.truncate(GIB + 1); // takes no room on the disk
  await file.close();
  await page.goto(`${sharedServer.url}/traces`);
  await upload(page, path);
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('The file is too large');
  await expect(notice).toContainText('huge.down');
  await expect(notice).toContainText('1 GiB');

  const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(
      `${sharedServer.url}/api/v1/traces?name=huge.down`,
      { method: 'POST', headers: { 'content-type': 'application/octet-stream', 'content-length': 2 * GIB } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      },
    );
    sent.on('error', reject);
    sent.write('0\n');
  });
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'UPLOAD_TOO_LARGE' });
});

test('a dropped file becomes a trace', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/traces`);
  const path = await textFile('dropped.trace', '1 2\n3 4\n10 1\n');
  // What is dropped with a mouse is chosen with a keyboard.
  await either({ mouse: () => drop(page, path), keyboard: () => upload(page, path) });
  await expect(page).toHaveURL(/\/traces\/[0-9a-f]{64}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('dropped.trace');
});

test('a slow upload shows how far it is and can be cancelled', async ({ page, sharedServer }) => {
  const path = await textFile('slow.down', Array.from({ length: 600_000 }, (_, i) => `${i}\n`).join(''));
  await page.goto(`${sharedServer.url}/traces`);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 500_000,
  });
  await upload(page, path);
  const bar = page.getByRole('progressbar', { name: 'Upload of slow.down' });
  const share = async (): Promise<number> => Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(share).toBeGreaterThan(0);
  const seen = await share();
  expect(seen).toBeLessThan(100);
  await expect.poll(share).toBeGreaterThan(seen);
  await page.getByRole('button', { name: 'Cancel the upload of slow.down' }).click();
  await expect(bar).toBeHidden();
  await expect(page).toHaveURL(/\/traces$/);
});

test('a recording becomes a trace once it is said what a person alone knows', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/traces`);
  await upload(page, await textFile('walk.csv', 'time_s,loss,lte,nr\n0,0,12,24\n1,0,12,24\n2,0,0,0\n5,0,12,24\n'));
  const review = page.getByRole('region', { name: 'What walk.csv is' });
  const choose = async (label: string, option: string): Promise<void> => {
    await review.getByRole('button', { name: new RegExp(`${label}$`) }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await expect(review.getByRole('alert')).toContainText('Which column holds the rate?');
  await expect(review.getByRole('button', { name: 'Add this trace' })).toBeDisabled();
  await choose(' Rate', 'nr');
  await expect(review.getByRole('alert')).toContainText('walk.csv, line 5');
  await choose('Where rows are missing', 'nothing is delivered');
  await expect(review).toContainText('Becomes a trace of 6 s with 12.0 Mbps on average');
  await expect(review).toContainText('Gaps: 1, together 2000 ms');
  await review.getByRole('button', { name: 'Add this trace' }).click();
  await expect(page).toHaveURL(/\/traces\/[0-9a-f]{64}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('walk.csv');
  await expect(page.getByText('Table of time and rate')).toBeVisible();
});
