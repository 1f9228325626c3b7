// Scenario scores: what is not measured is said, Full scores measure it, and the weights decide.
import type { Locator, Page } from '@playwright/test';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { either } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { readNumber } from './support/numbers.ts';

const SPEC: ExperimentSpecInput = {
  name: 'Three algorithms to be ranked',
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }],
  // A deep queue: who fills it gets the most throughput, and the longest delay.
  buffers: [{ bdp: 10 }],
  duration_s: 20,
};

interface Place {
  readonly label: string;
  readonly score: number | null;
}

const scores = (page: Page): Locator => page.getByRole('region', { name: 'Scenario scores' });

async function ranking(page: Page): Promise<Place[]> {
  const items = await page.getByRole('list', { name: 'Ranking' }).getByRole('listitem').all();
  return Promise.all(
    items.map(async (item) => {
      const spans = item.locator('> span');
      const [label, value] = [await spans.nth(1).innerText(), await spans.nth(2).innerText()];
      return { label: label.trim(), score: readNumber(value) };
    }),
  );
}

/** Drags a weight's thumb to a share of its track, as with a mouse. */
async function dragWeight(page: Page, name: RegExp, share: number): Promise<void> {
  const slider = scores(page).getByRole('slider', { name });
  await slider.scrollIntoViewIfNeeded();
  const thumb = await slider.locator('xpath=ancestor::*[contains(@class, "thumb")][1]').boundingBox();
  const track = await slider.locator('xpath=ancestor::*[contains(@class, "track")][1]').boundingBox();
  if (thumb === null || track === null) throw new Error('the slider is not on the screen');
  const y = thumb.y + thumb.height / 2;
  await page.mouse.move(thumb.x + thumb.width / 2, y);
  await page.mouse.down();
  for (const step of [0.25, 0.5, 0.75, 1])
    await page.mouse.move(thumb.x + thumb.width / 2 + step * (track.x + share * track.width - thumb.x), y);
  await page.mouse.move(track.x + share * track.width, y);
  await page.mouse.up();
}

/** A weight is all that counts. */
const onlyWeight = (page: Page, name: RegExp): Promise<void> =>
  either({
    mouse: () => dragWeight(page, name, 1),
    keyboard: () => scores(page).getByRole('slider', { name }).press('End'),
  });

test('fairness is not made up, then measured, and the weights decide who is first', async ({
  page,
  sharedServer,
  visitor,
}) => {
  const api = new Api(sharedServer);
  // One of the pairs is known before anybody asks for it.
  const known = await api.measure({ ...SPEC, name: 'Cubic beside itself', ccas: [{ id: 'cubic' }], full_scores: true });
  const plain = await api.measure(SPEC);
  const table = page.getByRole('region', { name: 'Table', exact: true }).getByRole('table');
  const idsOf = (runs: readonly { readonly id: string }[]): Set<string> => new Set(runs.map(({ id }) => id));

  await test.step('without pairs the ranking is by what was measured, and says so', async () => {
    await page.goto(`${sharedServer.url}/e/${plain.id}`);
    await expect(page.getByText('Fairness is not measured')).toBeVisible();
    await expect(page.getByRole('slider', { name: /Intra-fairness · not measured/ })).toBeAttached();
    const values = (await ranking(page)).map(({ score }) => score);
    expect(values.every((score, i) => score !== null && score <= (values[i - 1] ?? 1))).toBe(true);
    await expect(page.getByText(/By throughput and delay⁻¹ alone/)).toBeVisible();
    await expect(page.getByText(/intra-fairness and inter-fairness are not measured/)).toBeVisible();
    const real = page.getByRole('img', { name: /^Real-time: score/ });
    await expect(real).toContainText('throughput 33 · delay 67 %');
    await expect(real).not.toContainText('not measured');
    await expect(table.getByRole('button', { name: 'Jain, self' })).toBeHidden();
  });

  await test.step('one click adds the runs that are missing, and no others', async () => {
    await page.getByText('Large object transfer', { exact: true }).first().click();
    await expect(page).toHaveURL(/scenario=bulk/);
    const measure = page.getByRole('button', { name: /^Measure \(adds \d+ runs\)$/ });
    const count = readNumber(await measure.innerText());
    await measure.click();
    await page.waitForURL((url) => url.pathname !== `/e/${plain.id}`);
    const id = new URL(page.url()).pathname.slice('/e/'.length);
    await expect(page).toHaveURL(/scenario=bulk/);
    await expect(page.getByRole('region', { name: 'Scenario scores' })).toBeInViewport();
    const record = await api.ended(id);
    expect(new Set(record.runs.map(({ role }) => role))).toEqual(new Set(['solo', 'self_pair', 'baseline_pair']));
    const before = new Set([...idsOf(plain.runs), ...idsOf(known.runs)]);
    const made = [...idsOf(record.runs)].filter((run) => !before.has(run));
    expect(made).toHaveLength(count ?? -1);
    // Two of each competitor, the baseline's being one, which was there.
    expect(made).toHaveLength(4);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
    await expect(page.getByText('Fairness is not measured')).toBeHidden();
    const header = await table.getByRole('columnheader').allInnerTexts();
    for (const name of ['Jain, self', 'Jain, base']) {
      const column = header.findIndex((text) => text.includes(name));
      expect(column).toBeGreaterThan(0);
      for (const row of await table.locator('tbody tr').all()) {
        const cell = row.locator('th, td').nth(column);
        // The table has what came last a moment after the heading says that all is done.
        await expect(cell).toHaveText(/\d/);
        const jain = readNumber(await cell.innerText());
        // Jain's index of two flows lies between one half and one.
        expect(jain).toBeGreaterThanOrEqual(0.5);
        expect(jain).toBeLessThanOrEqual(1);
      }
    }
    const places = await ranking(page);
    expect(places.map(({ label }) => label).sort()).toEqual(['BBR', 'Cubic', 'NewReno']);
    expect(places.every(({ score }, i) => score !== null && score <= (places[i - 1]?.score ?? 1))).toBe(true);
    await page.getByText('Real-time', { exact: true }).first().click();
  });

  await test.step('only delay, then only throughput: somebody else is first', async () => {
    await onlyWeight(page, /^Delay/);
    await expect(page).toHaveURL(/w=real-time(:|%3A)/);
    const byDelay = await ranking(page);
    await onlyWeight(page, /^Throughput/);
    await expect
      .poll(async () => (await ranking(page)).map(({ label }) => label).join())
      .not.toBe(byDelay.map(({ label }) => label).join());
    const byThroughput = await ranking(page);
    expect(byDelay[0]?.label).toBe('BBR');
    expect(byThroughput[0]?.label).not.toBe('BBR');
    await expect(scores(page).getByRole('slider', { name: /^Throughput/ })).toHaveValue('1');

    const other = await visitor();
    await other.goto(page.url());
    await expect(scores(other).getByRole('slider', { name: /^Throughput/ })).toHaveValue('1');
    expect(await ranking(other)).toEqual(byThroughput);
    // The browser's back button undoes a drag, not each of its steps.
    await page.goBack();
    await expect.poll(() => ranking(page)).toEqual(byDelay);
    // So it does with keys that follow each other, and with those that follow the way back at once.
    const before = page.url();
    await scores(page)
      .getByRole('slider', { name: /^Delay/ })
      .focus();
    for (const presses of [5, 1]) {
      for (let i = 0; i < presses; i++) await page.keyboard.press('ArrowLeft');
      await expect(page).not.toHaveURL(before);
      await page.goBack();
      await expect(page).toHaveURL(before);
    }
    await page.getByRole('button', { name: 'Back to the paper’s weights' }).click();
    await expect(page).not.toHaveURL(/w=/);
  });
});

test('a new experiment measures fairness by itself while that costs little', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  const choice = form.link.getByRole('switch', { name: 'Full scores' });
  await expect(choice).toBeChecked();
  await expect(form.link.getByText(/^Adds \d+ runs, .* on, as it costs little$/)).toBeVisible();
  await expect(form.bar).toContainText('with pairs');
  await form.fill('Duration', '86000');
  await expect(choice).not.toBeChecked();
  await expect(form.link.getByText(/^Would add \d+ runs, .* off, as that is much$/)).toBeVisible();
  // What somebody has chosen stays.
  await form.fullScores(true);
  await expect(choice).toBeChecked();
  await page.reload();
  await expect(choice).toBeChecked();
  await page.getByRole('button', { name: 'Start over' }).click();
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['1 BDP']);
  await form.fill('Duration', '2');
  await expect(choice).toBeChecked();
  // The baseline's pair with the baseline is its pair with itself.
  await expect.poll(() => form.plannedRuns()).toBe(2);
  await form.run();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
  await expect(page.getByText('Fairness is not measured')).toBeHidden();
});

test('who is quicker with the keys than the form with its sums is not asked again', async ({ page, sharedServer }) => {
  const form = new NewExperiment(page);
  await form.open(sharedServer.url);
  await form.chooseAlgorithms(['Cubic']);
  await form.chooseLimits(['1 BDP']);
  await form.fill('Duration', '2');
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/plan$/, async (route) => {
    await gone;
    await route.continue();
  });
  await form.chooseTraces(['Constant, 48 Mbps']);
  const run = form.bar.getByRole('button', { name: 'Run' });
  await expect(run).toBeDisabled();
  await page.keyboard.press('Control+Enter');
  go();
  await expect(page).toHaveURL(/\/e\/[a-z2-7]{20}$/);
});
