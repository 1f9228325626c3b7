// Every view on a desk and on a phone, by day and by night, looks as it did: compared with the texts in e2e/looks/ (docs/page-tests.md).
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { compareLooks, lookOf, readLooks, showDifference, writeLooks, type Look } from './support/look.ts';
import { readPng } from './support/png.ts';
import { SIZES, VIEWED, viewsOf, type View } from './support/views.ts';

const FOLDER = fileURLToPath(new URL('looks/', import.meta.url));
const HALVES = ['one half', 'the other half'] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Of what is further down the same things are seen further up. */
const HIGHEST = 4000;
/** For what is still drawn or on its way. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 250;
const ALIKE = 4;

/** What is another on each machine or at each time keeps its place, and is not seen. */
const STILL = `
  time { display: inline-block; width: 6em; height: 1em; overflow: hidden; visibility: hidden; white-space: nowrap }
  [data-estimate], [data-estimate] * { visibility: hidden; white-space: nowrap }
  [data-estimate] { overflow: hidden; contain: inline-size }
  [data-version] { visibility: hidden }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important }
`;

async function take(page: Page): Promise<Buffer> {
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }));
  const clip = { x: 0, y: 0, width, height: Math.min(height, HIGHEST) };
  return await page.screenshot({ fullPage: true, clip });
}

/** Taken when some in a row are the same, for there is nothing to hold it against. */
async function settled(page: Page): Promise<Look> {
  await page.waitForLoadState('networkidle');
  let last = await take(page);
  let alike = 0;
  for (let i = 0; i < (4 * PATIENCE_MS) / PAUSE_MS; i++) {
    await page.waitForTimeout(PAUSE_MS);
    const next = await take(page);
    alike = next.equals(last) ? alike + 1 : 0;
    if (alike === ALIKE) return lookOf(readPng(next));
    last = next;
  }
  throw new Error('the page never stands still');
}

/** Looks until it looks as before; null when it does, otherwise what is different. */
async function fault(page: Page, name: string, before: Look | undefined): Promise<string | null> {
  if (before === undefined)
    return `${name}: there is no look to hold it against (\`npm run looks -- --write\` writes it)`;
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const png = await take(page);
    const look = lookOf(readPng(png));
    const { same, text } = compareLooks(before, look);
    if (same) return null;
    if (Date.now() < until) {
      await page.waitForTimeout(PAUSE_MS);
      continue;
    }
    const info = test.info();
    const shown = showDifference(before, look);
    for (const [file, content] of [
      [`${name}.png`, png],
      [`${name}.txt`, shown],
    ] as const) {
      await writeFile(info.outputPath(file), content);
      await info.attach(file, { path: info.outputPath(file) });
    }
    return `${name}: ${text}\n${shown.split('\n').slice(0, 12).join('\n')}`;
  }
}

async function open(page: Page, url: string, view: View): Promise<void> {
  await page.goto(url + view.path);
  await view.shows(page);
  const varies = view.varies === undefined ? '' : `${view.varies} { display: none !important }`;
  await page.addStyleTag({ content: STILL + varies });
  await page.evaluate(() => document.fonts.ready);
}

test.describe.configure({ mode: 'parallel' });
for (const [half, which] of HALVES.entries())
  test(`${which} of the views looks as it did`, async ({ server, visitor }, testInfo) => {
    const writes = ['all', 'changed'].includes(testInfo.config.updateSnapshots);
    // To wait until nothing moves takes longer than to see that all is as before.
    if (writes) test.slow();
    const api = new Api(server);
    const lacking = await api.lackingStacks();
    const own = (await viewsOf(api, VIEWED)).filter((_, i) => i % HALVES.length === half);
    const views = own.filter(({ tellsStacks }) => tellsStacks !== true || lacking.length === 0);
    for (const { name } of own.filter((view) => !views.includes(view)))
      testInfo.annotations.push({ type: 'not looked at', description: `${name}: no ${lacking.join(', no ')} here` });
    const pages = new Map<string, Page>();
    for (const { name, ...viewport } of SIZES) pages.set(name, await visitor({ viewport, reducedMotion: 'reduce' }));
    const faults: string[] = [];
    for (const view of views)
      await test.step(view.name, async () => {
        const file = `${FOLDER}${view.name}.txt`;
        const before = existsSync(file) ? readLooks(readFileSync(file, 'utf8')) : new Map<string, Look>();
        const after = new Map<string, Look>();
        for (const [size, page] of pages) {
          await page.emulateMedia({ colorScheme: 'light' });
          await open(page, server.url, view);
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            const name = `${size}-${colorScheme}`;
            if (writes) after.set(name, await settled(page));
            else faults.push((await fault(page, `${view.name}-${name}`, before.get(name))) ?? '');
          }
        }
        if (writes) await writeFile(file, writeLooks(after));
      });
    expect(faults.filter((text) => text !== '').join('\n\n')).toBe('');
  });
