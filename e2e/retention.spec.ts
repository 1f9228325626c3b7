// A server that has let the samples of a run go: what it came to is there, and the samples come again when somebody asks.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { paceline } from './support/cli.ts';
import { layoutFaults } from './support/layout.ts';
import { Panels } from './support/panels.ts';
import { PacelineServer } from './server.ts';

let lab: PacelineServer;
let runs: readonly string[] = [];

test.beforeAll(async () => {
  const first = await PacelineServer.start();
  const api = new Api(first);
  const made = async (name: string, cca: string): Promise<string> => {
    const spec = { name, traces: [{ trace: 'Cellular walk, LTE-like' }], ccas: [{ id: cca }], duration_s: 30 };
    return (await api.measure(spec)).runs[0]?.id ?? '';
  };
  runs = [await made('The term before', 'cubic'), await made('Last term', 'bbr')];
  await first.stop();
  const folder = ['--data-dir', first.dataDir];
  for (const run of runs) {
    const { stdout } = await paceline('retention', '--json', ...folder);
    // A byte less than there is: the oldest goes.
    const { used_bytes } = JSON.parse(stdout) as { used_bytes: number };
    expect((await paceline('retention', 'to', String(used_bytes - 1), ...folder)).stdout).toContain(`${run}  `);
  }
  lab = await PacelineServer.start({ dataDir: first.dataDir });
});
test.afterAll(() => lab.dispose());

test('the page of its experiment makes those of all runs', async ({ page }) => {
  const [run = ''] = runs;
  const experiment = (await new Api(lab).run(run)).experiments[0]?.id ?? '';
  await page.goto(`${lab.url}/e/${experiment}`);
  const cells = page.getByRole('region', { name: 'Every cell' });
  const notice = cells.getByRole('status').filter({ hasText: 'The samples of 1 run were let go, to make room' });
  await expect(notice).toBeVisible();
  await expect(cells.getByText('no samples')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => layoutFaults(page)).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Make them again' }).click();
  await expect(notice).toHaveCount(0);
  await expect(cells.getByText('no samples')).toHaveCount(0);
  await expect(cells.locator('canvas, svg path').first()).toBeVisible();
  expect((await new Api(lab).run(run)).samples?.kept).toBe(true);
});

test('its page says that they were let go, and has them at a press as they were', async ({ page }) => {
  const [, run = ''] = runs;
  const pictures = page.locator('[data-plot="throughput"] canvas').first();
  await page.goto(`${lab.url}/r/${run}`);
  const notice = page.getByRole('status').filter({ hasText: 'The samples were let go on' });
  await expect(notice).toContainText('What the run came to is all here.');
  await expect(page.getByText('Utilisation').first()).toBeVisible();
  const before = await new Api(lab).run(run);
  expect(before.samples?.kept).toBe(false);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => layoutFaults(page)).toEqual([]);
  }
  expect(await axeFaults(page)).toEqual([]);

  await notice.getByRole('button', { name: 'Make them again' }).click();
  await expect(notice).toHaveCount(0);
  await new Panels(page).ready();
  await expect(pictures).toBeVisible();
  const after = await new Api(lab).run(run);
  expect(after).toEqual({ ...before, samples: { kept: true, gone_at: null } });
  await page.reload();
  await new Panels(page).ready();
  await expect(page.getByRole('status').filter({ hasText: 'let go' })).toHaveCount(0);
});

test('its doctor says what results take, and that the samples of some were let go', async ({ page }) => {
  await page.goto(`${lab.url}/doctor`);
  await expect(page.getByText(/\d [kMG]B kept without a limit \(--retain\)/)).toBeVisible();
});
