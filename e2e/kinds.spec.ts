// From a question to its answer: a kind fills the form, one more click runs it, and the figure that answers is there.
import { expect, test } from './fixtures.ts';
import { NewExperiment } from './support/new-experiment.ts';

const questions = { name: 'What do you want to know?', exact: true } as const;

test('unequal RTTs are asked with a click, run with one more, and answered by a figure', async ({
  page,
  sharedServer,
}) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['NewReno']);
  const chooser = page.getByRole('region', questions);
  await chooser.getByRole('button', { name: 'Unequal RTTs' }).click();
  await expect(chooser).toContainText('What does a flow lose whose way is longer');
  // What was chosen stays, and what the question turns on is in sight.
  await expect(form.traces).toContainText('12 Mbps, constant');
  await expect(form.link.getByRole('textbox', { name: 'Its values' })).toHaveValue('0, 20, 60, 140');
  await form.fill('Duration', '30');
  await expect.poll(() => form.plannedRuns()).toBe(12);
  await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/e\/[a-z2-7]{20}\?sweep\.metric=first_share$/);
  const figure = page.locator('[data-plot="sweep"]');
  const points = figure.getByRole('button', { name: /^NewReno, extra_rtt_ms of flow 2 .*share of the first flow/ });
  await expect(points).toHaveCount(4, { timeout: 60_000 });
});

test('flows that take turns keep them when their number and the duration change, and a reload', async ({
  page,
  sharedServer,
}) => {
  const form = new NewExperiment(page);
  await page.goto(`${sharedServer.url}/new?kind=intra-fairness`);
  await expect(form.link.getByRole('textbox', { name: 'Flows that take turns' })).toHaveValue('3');
  await form.fill('Flows that take turns', '4');
  await form.fill('Duration', '70');
  const second = form.link.getByRole('group', { name: 'Flow 2: start and stop' });
  await expect(second).toContainText('10 s');
  await expect(second).toContainText('50 s');
  await page.reload();
  await expect(form.link.getByRole('textbox', { name: 'Flows that take turns' })).toHaveValue('4');
  await expect(page.getByRole('region', questions).getByRole('button', { name: 'Fair to itself' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('shares over queue limits and harm are figures of their own', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['Cubic', 'BBR']);
  await page.getByRole('region', questions).getByRole('button', { name: 'Over queue limits' }).click();
  await form.fill('Duration', '20');
  await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/e\//);
  await expect(page.getByText(/BBR crosses a half at [\d.]+ BDP/)).toBeVisible({ timeout: 90_000 });
  const harm = page.locator('[data-plot="harm"]');
  await expect(harm.getByRole('img', { name: /throughput taken/ }).first()).toBeVisible();
  await expect(harm).toContainText(/safe|harmful|undecided/);
});

test('seeds of a recipe are traces of one network, told together', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('searchbox', { name: 'Filter traces' }).fill('Markov');
  const trace = form.traces.getByRole('listitem').filter({ hasText: 'Markov' }).first();
  await trace.locator('label').first().click();
  const seeds = trace.getByRole('textbox');
  await seeds.fill('3');
  await seeds.press('Tab');
  await form.chooseAlgorithms(['Cubic', 'NewReno']);
  await form.chooseLimits(['1 BDP']);
  await form.fill('Duration', '3');
  await form.fullScores(false);
  await expect(form.bar).toContainText('3 traces');
  await expect.poll(() => form.plannedRuns()).toBe(6);
  await form.run();
  await page.getByRole('button', { name: /Group by$/ }).click();
  await page.getByRole('option', { name: 'set of traces', exact: true }).click();
  const table = page.getByRole('region', { name: 'Results', exact: true });
  await expect(table.getByRole('button', { name: /^3 seeds of .*Cubic/ })).toBeVisible({ timeout: 60_000 });
});

test('everyone beside everyone is a question, a run and a heat map whose cells lead to their runs', async ({
  page,
  sharedServer,
}) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['NewReno', 'Cubic']);
  const chooser = page.getByRole('region', questions);
  await chooser.getByRole('button', { name: 'Everyone beside everyone' }).click();
  await form.fill('Duration', '10');
  await expect.poll(() => form.plannedRuns()).toBe(12);
  await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/e\/[a-z2-7]{20}/);
  const figure = page.locator('[data-plot="pairs"]');
  await figure.scrollIntoViewIfNeeded();
  const cells = figure.getByRole('link', { name: /to its run$/ });
  await expect(cells).toHaveCount(4, { timeout: 60_000 });
  await figure.getByRole('link', { name: /^NewReno, Cubic: \d+ %; to its run$/ }).click();
  await page.waitForURL(/\/r\/[a-z2-7]{20}/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('NewReno');
});
