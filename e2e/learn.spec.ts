// Ten lessons: none is answered as it begins, each by its solution, and three of them by hand.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const MODULE = fileURLToPath(new URL('../build/native/bin/paceline.wasm', import.meta.url));

test.skip(!existsSync(MODULE), 'the engine was not built as WebAssembly: its compiler is not here');

const question = (page: Page) => page.getByRole('region', { name: 'Question' });
const answered = (page: Page) => question(page).getByText('Answered.');

test('each question is open as its lesson begins, and answered by the teacher’s run', async ({
  page,
  sharedServer,
}) => {
  await page.goto(`${sharedServer.url}/learn`);
  const lessons = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect(lessons).toHaveCount(10);
  const titles = await lessons.allTextContents();
  await page.goto(`${sharedServer.url}/learn/teacher`);
  const answers = page.getByRole('table').getByRole('row');
  await expect(answers).toHaveCount(11);
  for (const [i, title] of titles.entries()) {
    await page.goto(`${sharedServer.url}/learn`);
    await page.getByRole('link', { name: title, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(
      question(page)
        .getByText(/asked for/)
        .first(),
    ).toBeVisible();
    await expect(answered(page)).toHaveCount(0);
    await page.goto(`${sharedServer.url}/learn/teacher`);
    await answers
      .nth(i + 1)
      .getByRole('link')
      .last()
      .click();
    await expect(answered(page)).toBeVisible();
  }
  await page.goto(`${sharedServer.url}/learn`);
  await expect(page.getByText('answered', { exact: true })).toHaveCount(10);
});

test('a slider, a list and a switch answer questions by hand', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/learn/why-queues-fill`);
  const limit = page.getByRole('slider', { name: 'Queue limit', exact: true });
  await expect(
    question(page)
      .getByText(/asked for/)
      .first(),
  ).toBeVisible();
  await limit.focus();
  for (let i = 0; i < 60 && (await answered(page).count()) === 0; i++) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(60);
  }
  await expect(answered(page)).toBeVisible();
  // Only what the lesson is about can be moved.
  await expect(page.getByRole('slider', { name: 'Base RTT', exact: true })).toHaveCount(0);

  await page.goto(`${sharedServer.url}/learn/what-aqm-does`);
  await page.getByRole('button', { name: /Droptail Discipline$/ }).click();
  await page.getByRole('option', { name: 'CoDel', exact: true }).click();
  await expect(answered(page)).toBeVisible();

  await page.goto(`${sharedServer.url}/learn/delay-against-loss`);
  await page.getByRole('button', { name: /Vegas CCA$/ }).click();
  await page.getByRole('option', { name: 'Cubic', exact: true }).click();
  await expect(question(page)).toContainText('This algorithm is no answer here.');
});

test('an address of no lesson says so', async ({ page, sharedServer }) => {
  await page.goto(`${sharedServer.url}/learn/nothing-of-the-kind`);
  await expect(page.getByRole('heading', { level: 1, name: /no page/ })).toBeVisible();
});
