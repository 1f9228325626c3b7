// What an experiment varies beside its usual axes: a parameter that is swept, the transport, and an algorithm with its own queue.
import { expect, test } from './fixtures.ts';
import { NewExperiment } from './support/new-experiment.ts';

// One value is refused.
test.use({ expectedComplaints: [/status of 422/] });

test('a parameter is swept from the form to the figure, the table and its CSV', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['Cubic', 'Copa']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '3');
  await form.fill('Repetitions', '3');
  await form.fullScores(false);
  await form.link.getByRole('button', { name: 'More settings' }).click();
  await form.link.getByRole('button', { name: /Sweep$/ }).click();
  await page.getByRole('option', { name: 'delta of copa', exact: true }).click();
  await form.fill('Its values', '5');
  await expect(page.getByText('delta must be at most').first()).toBeVisible();
  await form.fill('Its values', '0.1, 0.5, 1');
  // Cubic has one cell, Copa three.
  await expect(form.bar).toContainText('3 swept values');
  await expect.poll(() => form.plannedRuns()).toBe(12);
  await form.run();

  const figure = page.locator('[data-plot="sweep"]');
  await expect(figure.getByRole('button', { name: /^Copa, delta of copa 0\.1: / })).toBeVisible({ timeout: 60_000 });
  await expect(figure.getByRole('button', { name: /^Copa, delta of copa/ })).toHaveCount(3);
  await expect(figure).toContainText('level lines: not changed by it');
  const table = page.getByRole('region', { name: 'Results', exact: true });
  await expect(table.getByRole('button', { name: 'delta of copa' })).toBeVisible();
  await page.getByRole('button', { name: /Group by$/ }).click();
  await page.getByRole('option', { name: 'swept value', exact: true }).click();
  await expect(table.getByRole('button', { expanded: true })).toHaveCount(4);
  const csv = await page.request.get(
    `${page.url().replace('/e/', '/api/v1/experiments/').split('?')[0]}/export?format=csv`,
  );
  expect(await csv.text()).toContain('ccas.copa.delta');
});

test('transports are an axis, and an algorithm brings its queue along', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.traces.getByRole('textbox', { name: 'Constant rate' }).fill('12');
  await form.traces.getByRole('button', { name: 'Add rate' }).click();
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '2');
  await form.fullScores(false);
  await form.algorithms.getByRole('button', { name: 'Parameters of Cubic', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Parameters of Cubic' });
  await dialog.getByRole('button', { name: /Queue discipline$/ }).click();
  await page.getByRole('option', { name: /^always CoDel/ }).click();
  await dialog.getByRole('button', { name: 'Add as another' }).click();
  await expect(form.algorithms.getByRole('button', { name: 'Cubic (over codel)', exact: true })).toBeVisible();
  await form.link.getByRole('button', { name: 'More settings' }).click();
  for (const name of ['as TCP', 'as QUIC'])
    await form.link.getByRole('toolbar', { name: 'Transports' }).getByRole('button', { name, exact: true }).click();
  await expect(form.bar).toContainText('2 transports');
  await expect.poll(() => form.plannedRuns()).toBe(4);
  await form.run();
  const table = page.getByRole('region', { name: 'Results', exact: true });
  for (const transport of ['as TCP', 'as QUIC'])
    await expect(
      table.getByRole('row', { name: new RegExp(`Cubic \\(over codel\\).*codel.*${transport}`) }),
    ).toBeVisible({ timeout: 60_000 });
});
