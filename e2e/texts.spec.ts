// The page in a language that nobody speaks (scripts/texts/pseudo.ts): what is left in plain letters cannot be translated, and what is too
// narrow for a third more cannot either.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { layoutFaults } from './support/layout.ts';
import { Answers, plainWords } from './support/plain-words.ts';
import { PseudoPage } from './support/pseudo-page.ts';
import { VIEWED, viewsOf } from './support/views.ts';

test.use({ reducedMotion: 'reduce' });

/** Labels that a picture gives so much room and no more: on a phone long ones lie over each other, or end early. */
const TIGHT = [/“5–10” lies over/, /lies over “⟦Ḿíẋéđ ţŕáƒƒíç/, /“⟦Ĵáíñ’š íñđéẋ óƒ 2.* is cut off/];

test('every page can be translated, and has room for it on a phone', async ({ page, sharedServer }) => {
  const shown = await PseudoPage.before(sharedServer);
  await page.setViewportSize({ width: 390, height: 844 });
  const answers = new Answers();
  answers.watch(page);
  const faults: string[] = [];
  for (const { name, path } of await viewsOf(new Api(sharedServer), { ...VIEWED, repetitions: 1 }))
    await test.step(name, async () => {
      await page.goto(shown.url + path);
      await expect(page.locator('#shell')).toHaveCount(0);
      await page.waitForLoadState('networkidle');
      // The words for these are English; the figures that are still drawn come soon.
      await page.waitForTimeout(800);
      faults.push(...(await plainWords(page, answers)).map((fault) => `${name}: ${fault}`));
      const tight = (await layoutFaults(page)).filter((fault) => !TIGHT.some((known) => known.test(fault)));
      faults.push(...tight.map((fault) => `${name}, 390 px: ${fault}`));
    });
  await shown.close();
  expect(faults).toEqual([]);
});

test('a page that is not translated is found out', async ({ page, sharedServer }) => {
  const answers = new Answers();
  answers.watch(page);
  await page.goto(`${sharedServer.url}/traces/make`);
  await expect(page.getByRole('heading', { level: 1, name: 'Make a trace' })).toBeVisible();
  // The form comes part by part.
  await expect(async () => {
    const found = (await plainWords(page, answers)).map((fault) => fault.split(' | ')[1]);
    expect(found).toEqual(expect.arrayContaining(['Make a trace', 'Scenario', 'Experiments']));
    expect(found.length).toBeGreaterThan(30);
  }).toPass({ timeout: 60_000 });
});
