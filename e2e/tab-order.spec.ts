// Every page from its first to its last control by Tab alone: nothing is passed over, nothing keeps the focus, everything has a name.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { hold } from './hands/held.ts';
import { Api } from './support/api.ts';
import { VIEWED, viewsOf } from './support/views.ts';

/** Every other view, so that no test is much longer than others. */
const HALVES = ['one half', 'the other half'] as const;
/** Pages have more stops the further down they are seen. */
const MOST_ROUNDS = 20;

/** Down and up, and as often again while something has not been come to: what came meanwhile may lie below. */
const MOST_WAYS = 6;

/** To the last stop with Tab, or to the first with Shift+Tab. */
async function goThrough(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const left = await page.evaluate((way) => {
      const stops = window.pageKeys.stops();
      const now = stops.indexOf(document.activeElement ?? document.body);
      return way === 'Tab' ? stops.length - 1 - now : now;
    }, key);
    if (left <= 0) return;
    await hold(page, key, left);
  }
}

/** What is wrong with the way of Tab through a page. */
async function faultsOfWay(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const visited = new Set<Element>();
    window.addEventListener('focusin', ({ target }) => visited.add(target as Element), { capture: true });
    Object.assign(window, { visited });
  });
  // No person is as quick: figures come when they are in sight, and some did when the keys were further on. What came meanwhile is
  // come to by the way after.
  for (let way = 0; way < MOST_WAYS; way++) {
    await goThrough(page, way % 2 === 0 ? 'Tab' : 'Shift+Tab');
    await page.waitForLoadState('networkidle');
    const isAllVisited = await page.evaluate(() => {
      const { visited } = window as unknown as { visited: ReadonlySet<Element> };
      return window.pageKeys.stops().every((stop) => visited.has(stop));
    });
    if (way > 0 && isAllVisited) break;
  }
  return await page.evaluate(() => {
    const { visited } = window as unknown as { visited: ReadonlySet<Element> };
    const { stops, fault } = window.pageKeys;
    const passed = stops().filter((stop) => !visited.has(stop));
    return [
      ...passed.map((stop) => `${fault(stop) ?? stop.outerHTML.slice(0, 160)} is passed over`),
      ...[...visited].flatMap((stop) => (stop.isConnected ? (fault(stop) ?? []) : [])),
    ];
  });
}

test.describe.configure({ mode: 'parallel' });
for (const [half, which] of HALVES.entries())
  test(`${which} of the views: Tab comes to everything there is`, async ({ page, server }) => {
    const views = (await viewsOf(new Api(server), VIEWED)).filter((_, i) => i % HALVES.length === half);
    const faults: string[] = [];
    for (const view of views)
      await test.step(view.name, async () => {
        await page.goto(server.url + view.path);
        await view.shows(page);
        await page.waitForLoadState('networkidle');
        faults.push(...(await faultsOfWay(page)).map((fault) => `${view.name}: ${fault}`));
      });
    expect(faults.join('\n')).toBe('');
  });
