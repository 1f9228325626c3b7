// The kernel's own TCP over the link: beside ours in one experiment, and its link changed while it runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nativeDir } from '#bridge/programs';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { Panels } from './support/panels.ts';
import { realTimeProgramsOf } from './support/processes.ts';

const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });

test.beforeEach(() => {
  test.skip(trial.status !== 0, `the kernel's TCP cannot be run here: ${trial.stderr.trim()}`);
});

test('the kernel’s Cubic stands beside ours on one frontier', async ({ page, server }) => {
  const api = new Api(server);
  const form = new NewExperiment(page);
  await form.open(server.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic', 'Cubic · kernel']);
  await form.chooseLimits(['1 BDP']);
  await form.fill('Duration', '5');
  await form.fullScores(false);
  await expect(page.getByText(/Cubic · kernel is this machine’s own TCP: it runs in real time/)).toBeVisible();
  await expect.poll(() => form.plannedRuns()).toBe(2);
  const id = await form.run();
  const { runs } = await api.counting(id);
  const [ours, kernel] = runs.map((run) => run.summary?.links.find((link) => link.direction === 'forward'));
  expect(ours?.utilisation).toBeGreaterThan(0.9);
  // How much more depends on what else the machine does; whether the two agree is judged by `npm run fidelity:live`.
  expect(kernel?.utilisation).toBeGreaterThan(0.5);
  expect(runs[1]?.summary?.lateness).not.toBeNull();
  expect(realTimeProgramsOf(server.pid)).toEqual([]);

  const points = page.getByRole('group', { name: /Constant, 48 Mbps: points/ }).locator('[data-mark]');
  await expect(points).toHaveCount(2);
  const names = await points.evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label') ?? ''));
  expect(names.map((name) => name.split(',')[0]).sort()).toEqual(['Cubic', 'Cubic · kernel']);

  await test.step('and over it in time', async () => {
    // The two may lie upon one another: the keyboard reaches both.
    for (const row of await page.getByRole('region', { name: 'Table', exact: true }).locator('tbody tr').all())
      await row.getByRole('button', { name: /^Select / }).click();
    await page.getByRole('link', { name: 'Compare' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cubic and Cubic · kernel');
    await new Panels(page).ready();
    const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
    for (const what of ['Cubic cwnd', 'Cubic · kernel cwnd', 'Cubic queue', 'Cubic · kernel queue'])
      await expect(values.getByRole('cell', { name: what, exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Figures of the runs' }).locator('thead th')).toHaveCount(3);
  });
});

test('the link of a run that goes on is changed, and the run says so for ever', async ({ page, server }) => {
  const api = new Api(server);
  const submitted = await api.submit({
    name: 'Changed by hand',
    duration_s: 12,
    traces: [{ rate_mbps: 40 }],
    ccas: [{ id: 'kernel-cubic' }],
    buffers: [{ bdp: 2 }],
    vary: [],
  });
  const run = submitted.runs[0]?.id ?? '';
  await api.until(submitted.id, ({ runs }) => (runs[0]?.time_s ?? 0) > 0.5);
  await page.goto(`${server.url}/r/${run}`);
  const controls = page.getByRole('region', { name: 'Change the link' });
  const apply = controls.getByRole('button', { name: 'Apply' });
  await expect(apply).toBeDisabled();
  const rate = controls.getByRole('textbox', { name: 'Rate', exact: true });
  await rate.fill('8');
  await rate.press('Tab');
  await apply.click();
  await expect(apply).toBeDisabled();
  // What was changed is in the telemetry, so whoever comes later sees it.
  await page.reload();
  await expect(rate).toHaveValue('8');

  await api.ended(submitted.id);
  const frames = JSON.parse((await api.file(`/runs/${run}/control`)).toString()) as {
    type: string;
    event?: string;
    time_s: number;
    detail?: string;
  }[];
  const change = frames.find(({ event }) => event === 'link_change');
  expect(JSON.parse(change?.detail ?? '{}')).toMatchObject({ direction: 'forward', rate_mbps: 8 });
  const { summary } = await api.run(run);
  const offered = summary?.links[0]?.capacity_bytes ?? 0;
  const before = change?.time_s ?? 0;
  expect(offered / ((40 * before + 8 * (12 - before)) * 125_000)).toBeCloseTo(1, 1);

  await expect(page.getByText('This run is left out of averages')).toBeVisible();
  await expect(page.getByText('the link was changed by hand while it ran')).toBeVisible();
  await expect(controls).toBeHidden();
});
