// Real QUIC: a window that is not used, with and without RFC 9002 section 7.8, from the form to the log for qvis.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nativeDir } from '#bridge/programs';
import { quicHelper } from '#bridge/quic';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { saved } from './support/downloads.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { Panels } from './support/panels.ts';

const { unavailable } = quicHelper();
const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });

test('an application-limited window stays down by the rule and balloons without it', async ({ page, server }) => {
  test.skip(unavailable !== null, `there is no QUIC here: ${unavailable}`);
  test.skip(trial.status !== 0, `real stacks cannot be run here: ${trial.stderr.trim()}`);
  const api = new Api(server);
  const form = new NewExperiment(page);
  await form.open(server.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('100');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['Cubic · QUIC', 'Cubic · kernel']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '4');
  await form.fullScores(false);

  await test.step('the same algorithm twice, once without the rule', async () => {
    await form.algorithms.getByRole('button', { name: 'Parameters of Cubic · QUIC' }).click();
    const dialog = page.getByRole('dialog', { name: 'Parameters of Cubic · QUIC' });
    const add = dialog.getByRole('button', { name: 'Add as another' });
    await expect(add).toBeDisabled();
    await dialog.getByText('Rule 7.8 off', { exact: true }).click();
    await add.click();
    const both = form.algorithms.locator('[aria-pressed="true"]');
    await expect(both).toHaveText(['Cubic · kernel', 'Cubic · QUIC', 'Cubic · QUIC (rule 7.8 off)']);
  });

  await test.step('an application at a steady rate, and logs', async () => {
    await form.link.getByRole('button', { name: 'More settings' }).click();
    await form.link.getByRole('button', { name: /Application/ }).click();
    await page.getByRole('option', { name: 'steady rate' }).click();
    await form.fill('Source rate', '20');
    await form.link.getByText('Keep qlogs', { exact: true }).click();
  });

  await expect(page.getByText(/Cubic · QUIC is a real QUIC stack: it runs in real time/)).toBeVisible();
  await expect.poll(() => form.plannedRuns()).toBe(3);
  const id = await form.run();
  const { runs, cells, spec } = await api.ended(id);
  expect(spec.flows[0]?.source).toEqual({ kind: 'rate', rate_mbps: 20 });
  const cell = cells.find(({ cca }) => Object.keys(cca.params).length > 0);
  expect(cell?.cca).toEqual({ id: 'quic-cubic', params: { grow_underutilised: true } });
  const free = runs.find((run) => run.cell === cell?.key);
  expect(free).toBeDefined();

  await page.goto(`${server.url}/r/${free?.id ?? ''}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Cubic · QUIC (rule 7.8 off)');
  await new Panels(page).ready();
  const log = await saved(page, async () => {
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: 'qlog, for qvis' }).click();
  });
  const [header, ...events] = log.toString().split('\n').slice(0, -1);
  expect(JSON.parse(header?.slice(1) ?? '')).toMatchObject({ qlog_format: 'JSON-SEQ' });
  const windows = events.flatMap((line) => {
    const record = JSON.parse(line.slice(1)) as { data: { congestion_window?: number } };
    return record.data.congestion_window ?? [];
  });
  // 20 Mbps for 40 ms or less are at most 100 kB.
  expect(windows.at(-1)).toBeGreaterThan(1_000_000);
});
