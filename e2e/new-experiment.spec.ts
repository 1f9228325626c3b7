// The form of a new experiment: every field explains itself and shows its effect, the JSON is the same thing, mistakes are named.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { readNumber, readQuantity } from './support/numbers.ts';

/** The form with a constant link of 12 Mbps chosen: one packet of 1500 bytes per millisecond, so that all limits are easy to work out. */
async function formAt12Mbps(page: Page, url: string): Promise<NewExperiment> {
  const form = new NewExperiment(page);
  await form.open(url);
  await expect(form.bar).toContainText('Choose at least one trace');
  await expect(form.bar.getByRole('button', { name: 'Run' })).toBeDisabled();
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await expect(form.bar.getByRole('button', { name: 'Run' })).toBeEnabled();
  return form;
}

/** What the page says a queue limit means on the chosen trace. */
async function limitMeans(
  form: NewExperiment,
  limit: string,
): Promise<Record<'bdp' | 'packets' | 'bytes' | 'queueing', string>> {
  const table = form.link.getByRole('table', { name: 'What the limits mean on this trace' });
  const row = table.getByRole('row').filter({ has: form.page.getByRole('cell', { name: limit, exact: true }) });
  await expect(row).toBeVisible();
  const [, bdp = '', packets = '', bytes = '', queueing = ''] = await row.getByRole('cell').allInnerTexts();
  return { bdp, packets, bytes, queueing };
}

test('every field says what it is for', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  await form.link.getByRole('button', { name: 'More settings' }).click();
  await form.fill('Repetitions', '3');
  // Choices that bring a field with them.
  for (const [choice, option] of [
    ['Acknowledgements', 'by count'],
    ['Receive window', 'bytes'],
  ] as const) {
    await form.link.getByRole('button', { name: new RegExp(`${choice}$`) }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  const fields = form.link.getByRole('textbox').or(form.link.getByRole('radiogroup'));
  const names: string[] = [];
  for (const field of await fields.all()) {
    await expect(field).toHaveAccessibleDescription(/\w+ \w+/);
    await expect(field).toHaveAccessibleName(/\w/);
    names.push((await field.getAttribute('aria-label')) ?? '');
  }
  expect(names.length).toBeGreaterThanOrEqual(10);
  // What is no input of its own has its sentence beside it.
  for (const [title, text] of [
    ['Queue limit', 'How much may wait at the bottleneck'],
    ['Flows', 'Flows share one queue'],
    ['Queue discipline', 'First in, first out'],
    ['Between repetitions, vary', 'each flow starts up to a base RTT later'],
  ] as const) {
    await expect(form.link.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await expect(form.link.getByText(text).first()).toBeVisible();
  }
  await expect(form.link.getByText('Adds two runs to each cell')).toBeVisible();
  for (const name of ['BBR', 'Cubic', 'NewReno', 'Oracle']) {
    await form.algorithms.getByRole('button', { name: `Parameters of ${name}`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Parameters of ${name}` });
    for (const field of await dialog.getByRole('textbox').or(dialog.getByRole('radiogroup')).all())
      await expect(field).toHaveAccessibleDescription(/\w+ \w+/);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('limits are shown in packets, bytes and milliseconds, also those of one’s own', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  const numbers = async (limit: string): Promise<(number | null)[]> => {
    const { bdp, packets, bytes, queueing } = await limitMeans(form, limit);
    return [readNumber(bdp), readNumber(packets), readQuantity(bytes), readQuantity(queueing)];
  };
  await form.chooseLimits(['1 BDP', '5 BDP', 'infinite']);
  expect(await numbers('1 BDP')).toEqual([1, 20, 30_000, 0.02]);
  expect(await numbers('5 BDP')).toEqual([5, 100, 150_000, 0.1]);
  expect(Object.values(await limitMeans(form, '∞')).map((text) => text.trim())).toEqual(['∞', '∞', '∞', '∞']);

  await form.fill('Base RTT, ms', '100');
  expect(await numbers('1 BDP')).toEqual([1, 100, 150_000, 0.1]);

  for (const [size, unit] of [
    ['64', 'packets'],
    ['45000', 'bytes'],
    ['250', 'ms'],
  ] as const) {
    await form.limits.getByRole('button', { name: 'Other' }).click();
    await form.limits.getByRole('textbox', { name: 'Size of the limit' }).fill(size);
    await form.limits.getByRole('button', { name: 'Unit of the limit' }).click();
    await page.getByRole('option', { name: unit, exact: true }).click();
    await form.limits.getByRole('button', { name: 'Add limit' }).click();
  }
  expect(await numbers('64 pkts')).toEqual([0.64, 64, 96_000, 0.064]);
  expect(await numbers('45000 B')).toEqual([0.3, 30, 45_000, 0.03]);
  expect(await numbers('250 ms')).toEqual([2.5, 250, 375_000, 0.25]);
  await expect(form.bar).toContainText('6 limits');
});

test('the number of runs follows every choice', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  const runs = (): Promise<number> => form.plannedRuns();
  await form.fullScores(false);
  await form.chooseAlgorithms(['Cubic', 'BBR']);
  await form.chooseLimits(['1 BDP', '5 BDP']);
  await expect.poll(runs).toBe(4);
  await form.fill('Repetitions', '5');
  await expect.poll(runs).toBe(20);
  await form.fill('Base RTT, ms', '20, 50');
  await expect.poll(runs).toBe(40);
  await form.fill('Random loss, %', '0, 1');
  await expect.poll(runs).toBe(80);
  await expect(form.link.getByText('1 packet of 100')).toBeVisible();
  await form.fullScores(true);
  // Cubic is the baseline: its pair with itself stands for both pairs.
  await expect.poll(runs).toBeGreaterThan(160);
  await expect(form.bar).toContainText('with pairs');
  await expect(form.bar).toContainText(/\d\s(ms|s|min)/);
});

test('the JSON and the form are one thing', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['1 BDP']);
  await form.fullScores(false);
  const editor = page.getByRole('textbox', { name: 'Experiment as JSON' });
  const spec = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await editor.inputValue()) as Record<string, unknown>;
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  expect(await spec()).toEqual({
    name: 'Cubic on 12 Mbps',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic', params: {} }],
    flows: [{ handshake: 'full' }],
  });

  await editor.fill(
    JSON.stringify({
      ...(await spec()),
      duration_s: 7,
      base_rtt_ms: [30, 60],
      flows: [{}, { start_s: 2 }],
      repetitions: 2,
    }),
  );
  await page.keyboard.press('Escape');
  await expect(form.link.getByRole('textbox', { name: 'Duration' })).toHaveValue('7');
  await expect(form.link.getByRole('textbox', { name: 'Base RTT, ms' })).toHaveValue('30, 60');
  await expect(form.link.getByRole('button', { name: 'Algorithm of flow 2' })).toBeVisible();
  await expect(form.bar).toContainText('2 repetitions');

  await form.fill('Duration', '9');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  expect(await spec()).toMatchObject({ duration_s: 9, base_rtt_ms: [30, 60], repetitions: 2 });

  await test.step('mistakes are named at their place, and change nothing', async () => {
    const faults = page.getByRole('dialog').getByRole('listitem');
    await editor.fill('{"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}], "duraton_s": 3}');
    await expect(faults).toHaveText(/duraton_s.*no such field/i);
    await editor.fill('{"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic"}], "duration_s": -3}');
    await expect(faults.first()).toHaveText(/duration_s/);
    await editor.fill('{"traces": [');
    await expect(faults.first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(form.link.getByRole('textbox', { name: 'Duration' })).toHaveValue('9');
  });
});

test.describe('what cannot be run', () => {
  // The plan of an impossible experiment is refused, and the browser logs that.
  test.use({ expectedComplaints: [/status of 422/] });

  test('is named where it is written, by the page and by the server', async ({ page, sharedServer }) => {
    const form = await formAt12Mbps(page, sharedServer.url);
    const run = form.bar.getByRole('button', { name: 'Run' });
    const rtt = form.link.getByRole('textbox', { name: 'Base RTT, ms' });
    await rtt.fill('20, fast');
    await expect(form.link.getByRole('alert')).toContainText('Numbers from 0 to 10000');
    await rtt.fill('20');
    await expect(form.link.getByRole('alert')).toBeHidden();

    await form.chooseLimits([]);
    await expect(form.bar).toContainText('Choose at least one queue limit');
    await expect(run).toBeDisabled();
    await form.chooseLimits(['1 BDP']);
    await form.chooseAlgorithms([]);
    await expect(form.bar).toContainText('Choose at least one algorithm');
    await form.chooseAlgorithms(['Cubic']);
    await expect(run).toBeEnabled();

    // Only the server knows which algorithms and parameters there are.
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Experiment as JSON' });
    await editor.fill('{"traces": [{"rate_mbps": 12}], "ccas": [{"id": "vegas-of-1994"}]}');
    await expect(page.getByRole('dialog').getByRole('listitem')).toContainText(/ccas.*vegas-of-1994/);
    await editor.fill('{"traces": [{"rate_mbps": 12}], "ccas": [{"id": "cubic", "params": {"beta": 7}}]}');
    await expect(page.getByRole('dialog').getByRole('listitem')).toContainText(/ccas.*beta/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alert')).toContainText('beta');
  });
});

test('the form survives a reload, and takes over another experiment', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  await form.chooseAlgorithms(['NewReno']);
  await form.chooseLimits(['10 BDP']);
  await form.fill('Duration', '4');
  await form.fullScores(false);
  await page.reload();
  await expect(form.link.getByRole('textbox', { name: 'Duration' })).toHaveValue('4');
  await expect(form.bar).toContainText('1 trace × 1 algorithm × 1 limit');
  await form.run();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('NewReno on 12 Mbps');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
  await page.getByRole('link', { name: 'Run again with …' }).click();
  // The link fills the form once; from then on the form is its own.
  await expect(page).toHaveURL(/\/new$/);
  await expect(form.link.getByRole('textbox', { name: 'Duration' })).toHaveValue('4');
  await expect(form.bar).toContainText(/all .*measured already/i);
});

test('the form has few stops for Tab, and arrows reach everything within them', async ({ page, sharedServer }) => {
  const form = await formAt12Mbps(page, sharedServer.url);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  /** Numbers the element that has the focus; the same one has the same number. */
  const focused = (): Promise<number> =>
    page.evaluate(() => {
      const seen = ((globalThis as { seen?: Element[] }).seen ??= []);
      const at = document.activeElement;
      if (at === null || at === document.body) return -1;
      if (!seen.includes(at)) seen.push(at);
      return seen.indexOf(at);
    });
  const stops = new Set<number>();
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab');
    const stop = await focused();
    if (stop === -1 || (stop === 0 && stops.size > 1)) break;
    stops.add(stop);
  }
  expect(stops.size).toBeGreaterThan(15);
  expect(stops.size).toBeLessThan(40);

  for (const group of await page.getByRole('toolbar').all()) {
    const controls = group.locator('button:not(:disabled), input:not(:disabled)');
    const count = await controls.count();
    await controls.first().focus();
    for (const key of ['ArrowRight', 'ArrowLeft'])
      for (let i = 1; i < count; i++) {
        await page.keyboard.press(key);
        await expect(controls.nth(key === 'ArrowRight' ? i : count - 1 - i)).toBeFocused();
      }
    await page.keyboard.press('End');
    await expect(controls.last()).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    // Whoever comes back is where they were.
    await expect(controls.last()).toBeFocused();
  }
  await form.algorithms.getByRole('button', { name: 'Cubic', exact: true }).focus();
  const on = await form.algorithms.getByRole('button', { name: 'Cubic', exact: true }).getAttribute('aria-pressed');
  await page.keyboard.press('Space');
  await expect(form.algorithms.getByRole('button', { name: 'Cubic', exact: true })).not.toHaveAttribute(
    'aria-pressed',
    on ?? '',
  );
});
