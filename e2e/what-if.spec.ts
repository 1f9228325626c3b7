// What if: a run that follows the hand in the page, is the server's run when it is kept, and says so where it cannot be had.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RunManifest } from '#protocol/manifest';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';

const MODULE = fileURLToPath(new URL('../build/native/bin/paceline.wasm', import.meta.url));

test.skip(!existsSync(MODULE), 'the engine was not built as WebAssembly: its compiler is not here');

const SPEC = {
  name: 'Two over one link',
  duration_s: 10,
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'cubic' }],
  buffers: [{ bdp: 2 }],
  base_rtt_ms: [40],
  repetitions: 2,
  full_scores: true,
};

test('a run is taken up, moved by the keyboard, looked back at, and kept as what the server makes', async ({
  page,
  server,
}) => {
  const api = new Api(server);
  const experiment = await api.measure(SPEC);
  const pair = experiment.runs.find(({ role, repetition }) => role === 'baseline_pair' && repetition === 1);
  const run = await api.run(pair?.id ?? '');
  await page.goto(`${server.url}/r/${run.id}`);
  await page.getByRole('link', { name: 'What if …' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'What if' })).toBeVisible();
  const throughput = page.getByRole('figure', { name: 'Throughput' });
  await expect(throughput.locator('canvas').first()).toBeVisible();

  // The very run, its seed and its second flow included.
  const manifest = async (): Promise<RunManifest> => {
    await page.getByRole('button', { name: 'Manifest' }).click();
    const text = await page.getByRole('dialog').locator('pre').first().textContent();
    await page.keyboard.press('Escape');
    return RunManifest.parse(JSON.parse(text ?? ''));
  };
  expect(await manifest()).toEqual(run.manifest);

  const rtt = page.getByRole('slider', { name: 'Base RTT', exact: true });
  await expect(rtt).toHaveAttribute('aria-valuetext', /^40.ms$/);
  await rtt.focus();
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
  await expect(rtt).toHaveAttribute('aria-valuetext', /^80.ms$/);
  const change = page.getByRole('region', { name: 'Before and now' });
  await expect(change).toContainText(/Base RTT 40.ms → 80.ms/);
  await expect(throughput).toContainText('Cubic 1 · before');

  // One step for the whole move.
  await expect(page).toHaveURL(/base_rtt_ms[^,]*80/);
  await page.goBack();
  await expect(rtt).toHaveAttribute('aria-valuetext', /^40.ms$/);
  await expect(change).toContainText(/Base RTT 80.ms → 40.ms/);
  await page.goForward();
  await expect(rtt).toHaveAttribute('aria-valuetext', /^80.ms$/);
  await expect(change).toContainText(/Base RTT 40.ms → 80.ms/);

  const mine = await manifest();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page).toHaveURL(/\/r\/[a-z2-7]{20}$/);
  const kept = await api.run(page.url().slice(-20));
  expect(kept.manifest).toEqual(mine);
  await expect(page.getByLabel('Summary')).toBeVisible();
});

test('the whole range of a slider is run: what comes of it stands above the rail, and as a band behind the run', async ({
  page,
  server,
}) => {
  const spec = { ...SPEC, traces: [{ rate_mbps: 20 }], repetitions: 1, full_scores: false };
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent(JSON.stringify(spec))}`);
  const sweep = page.getByRole('button', { name: 'Whole range of Queue limit' });
  await sweep.click();
  await expect(sweep).toHaveAttribute('aria-pressed', 'true');
  const throughput = page.getByRole('figure', { name: 'Throughput' });
  await expect(throughput).toContainText(/Queue limit 0.1.BDP to 100.BDP/);
  // A tenth of the BDP leaves the link idle, a hundred BDP keep it full.
  await expect(
    page.getByRole('img', { name: /Queue limit over its range: utilisation .* to (9\d|100)/ }),
  ).toBeVisible();
  // The same range, whatever the slider itself says; another with another RTT.
  await page.getByRole('slider', { name: 'Queue limit', exact: true }).press('ArrowRight');
  await expect(throughput).toContainText('Cubic · before');
  await expect(throughput).toContainText(/to 100.BDP/);
  await expect(page).toHaveURL(/sweep=limit/);
  await page.reload();
  await expect(throughput).toContainText(/to 100.BDP/);
  await sweep.click();
  await expect(throughput).not.toContainText(/to 100.BDP/);
});

test('a finger moves the link, the algorithm and the place in the trace on a phone', async ({ visitor, server }) => {
  const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(`${server.url}/what-if`);
  await expect(page.getByRole('figure', { name: 'Throughput' }).locator('canvas').first()).toBeVisible();
  const place = page.getByRole('slider', { name: 'Begins in the trace at' });
  const box = await place.boundingBox();
  if (box === null) throw new Error('the slider is not there');
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  const change = page.getByRole('region', { name: 'Before and now' });
  await expect(change).toContainText('Begins in the trace at');
  await expect(page).toHaveURL(/trace_from_s/);
  const cca = page.getByRole('button', { name: /Cubic CCA$/ });
  await cca.tap();
  await page.getByRole('option', { name: 'BBR', exact: true }).tap();
  await expect(change).toContainText('CCA Cubic → BBR');
  await expect(page.getByRole('figure', { name: 'Throughput' })).toContainText('BBR');
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
});

test('an address that says no spec, or of what is not here, says so and loses nothing', async ({ page, server }) => {
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent('{"traces":"<img src=x>"}')}`);
  await expect(page.getByText(/not understood/)).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Throughput' }).locator('canvas').first()).toBeVisible();
  const nowhere = { ...SPEC, traces: [{ trace: '../../etc/passwd' }] };
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent(JSON.stringify(nowhere))}`);
  await expect(page.getByText('There is no such run')).toBeVisible();
  await expect(page.getByText(/there is no trace/)).toBeVisible();
  // Nobody's tab is filled by a link.
  const endless = { ...SPEC, traces: [{ rate_mbps: 100_000 }], duration_s: 86_400, sample_period_ms: 1 };
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent(JSON.stringify(endless))}`);
  await expect(page.getByText(/more than a page should simulate/).first()).toBeVisible();
});

test.describe('where the server has no engine for the page', () => {
  test.use({ expectedComplaints: [/paceline\.wasm/] });

  test('the page says what is missing', async ({ page, server }) => {
    await page.route('**/engine/paceline.wasm', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${server.url}/what-if`);
    await expect(page.getByText('The engine cannot be had in this page')).toBeVisible();
  });
});
