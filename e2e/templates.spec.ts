// Where a new experiment may begin: shipped templates, and those that somebody saves, renames, deletes and brings back.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { NewExperiment } from './support/new-experiment.ts';

const SPEC = { name: 'By night', traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 2, repetitions: 3 };

test('a template fills the form, from the home page and on the form itself, and says what it costs', async ({
  page,
  sharedServer: server,
}) => {
  const form = new NewExperiment(page);
  await page.goto(server.url);
  const card = page.getByRole('link', { name: /^Bufferbloat in one minute/ });
  await expect(card).toContainText(/12 runs · /);
  await card.click();
  await expect.poll(() => form.plannedRuns()).toBe(12);
  await expect(page).toHaveURL(/\/new$/);
  // What was changed since is there after a reload.
  await form.fill('Base RTT, ms', '50');
  await page.reload();
  await expect(form.link.getByRole('textbox', { name: 'Base RTT, ms' })).toHaveValue('50');

  await form.chooseTraces(['LTE uplink on a bus']);
  const start = page.getByRole('region', { name: 'Start from a template' });
  await start.getByRole('button', { name: /^Is my trace usable/ }).press('Enter');
  await expect(start.getByRole('status')).toContainText('“Is my trace usable?”');
  await expect(form.traces.getByRole('checkbox', { name: /LTE uplink on a bus/ })).toBeChecked();
  await expect.poll(() => form.plannedRuns()).toBe(5);
  expect(await axeFaults(page)).toEqual([]);

  await page.goto(`${server.url}/new?template=nothing`);
  await expect(page.getByText('This server has no template nothing.')).toBeVisible();
});

test('a template is saved from an experiment, renamed, used, deleted and brought back', async ({ page, server }) => {
  const { id } = await new Api(server).measure(SPEC);
  await page.goto(`${server.url}/e/${id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as template' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('By night');
  await dialog.getByRole('textbox', { name: 'What it answers' }).fill('Is <b>all</b> well?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The template “By night” is saved')).toBeVisible();

  await page.goto(`${server.url}/new`);
  const start = page.getByRole('region', { name: 'Start from a template' });
  const own = start.getByRole('button', { name: /^By night/ });
  await expect(own).toContainText('Is <b>all</b> well?');
  await expect(own).toContainText('3 runs, measured already');
  const menu = (title: string) => start.getByRole('button', { name: `More for the template ${title}` });
  await menu('By night').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  await name.fill('By day');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const renamed = start.getByRole('button', { name: /^By day/ });
  await renamed.click();
  await expect.poll(() => new NewExperiment(page).plannedRuns()).toBe(3);
  await expect(page.getByRole('textbox', { name: 'Name of the experiment' })).toHaveValue('By day');

  await menu('By day').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(renamed).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(renamed).toBeVisible();
});
