// Scenario scores: what is not measured is said, Full scores measure it, and the weights decide.
import type { Page } from '@playwright/test';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
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
  const slider = page.getByRole('slider', { name });
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

test('fairness is not made up, then measured, and the weights decide who is first', async ({
  page,
  sharedServer,
  visitor,
}) => {
  const api = new Api(sharedServer);
  const plain = await api.measure(SPEC);
  const table = page.getByRole('region', { name: 'Table', exact: true }).getByRole('table');

  await test.step('without pairs there is no score', async () => {
    await page.goto(`${sharedServer.url}/e/${plain.id}`);
    await expect(page.getByText('Fairness is not measured')).toBeVisible();
    await expect(page.getByRole('slider', { name: /Intra-fairness · not measured/ })).toBeAttached();
    expect((await ranking(page)).map(({ score }) => score)).toEqual([null, null, null]);
    await expect(page.getByRole('list', { name: 'Ranking' })).toContainText(
      'not measured: intra-fairness and inter-fairness',
    );
    await expect(table.getByRole('button', { name: 'Jain, self' })).toBeHidden();
  });

  await test.step('Full scores add the pairs', async () => {
    await page.getByRole('link', { name: /Measure \(adds \d+ runs\)/ }).click();
    const form = new NewExperiment(page);
    await expect(form.link.getByRole('switch', { name: 'Full scores' })).toBeChecked();
    await expect(form.bar).toContainText(new RegExp(`${plain.runs.length} .*measured already`));
    const id = await form.run();
    const record = await api.ended(id);
    expect(new Set(record.runs.map(({ role }) => role))).toEqual(new Set(['solo', 'self_pair', 'baseline_pair']));
    await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
    await expect(page.getByText('Fairness is not measured')).toBeHidden();
    const header = await table.getByRole('columnheader').allInnerTexts();
    for (const name of ['Jain, self', 'Jain, base']) {
      const column = header.findIndex((text) => text.includes(name));
      expect(column).toBeGreaterThan(0);
      for (const row of await table.locator('tbody tr').all()) {
        const jain = readNumber(await row.getByRole('cell').nth(column).innerText());
        // Jain's index of two flows lies between one half and one.
        expect(jain).toBeGreaterThanOrEqual(0.5);
        expect(jain).toBeLessThanOrEqual(1);
      }
    }
    const scores = await ranking(page);
    expect(scores.map(({ label }) => label).sort()).toEqual(['BBR', 'Cubic', 'NewReno']);
    expect(scores.every(({ score }, i) => score !== null && score <= (scores[i - 1]?.score ?? 1))).toBe(true);
  });

  await test.step('only delay, then only throughput: somebody else is first', async () => {
    await dragWeight(page, /^Delay/, 1);
    await expect(page).toHaveURL(/w=real-time(:|%3A)/);
    const byDelay = await ranking(page);
    await dragWeight(page, /^Throughput/, 1);
    await expect
      .poll(async () => (await ranking(page)).map(({ label }) => label).join())
      .not.toBe(byDelay.map(({ label }) => label).join());
    const byThroughput = await ranking(page);
    expect(byDelay[0]?.label).toBe('BBR');
    expect(byThroughput[0]?.label).not.toBe('BBR');
    await expect(page.getByRole('slider', { name: /^Throughput/ })).toHaveValue('1');

    const other = await visitor();
    await other.goto(page.url());
    await expect(other.getByRole('slider', { name: /^Throughput/ })).toHaveValue('1');
    expect(await ranking(other)).toEqual(byThroughput);
    // The browser's back button undoes a drag, not each of its steps.
    await page.goBack();
    await expect.poll(() => ranking(page)).toEqual(byDelay);
    await page.getByRole('button', { name: 'Back to the paper’s weights' }).click();
    await expect(page).not.toHaveURL(/w=/);
  });
});
