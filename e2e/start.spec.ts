// `npm start` on a fresh clone, seen from the browser: the address answers while everything is built, and becomes the laboratory.
import { StartedServer, step } from '../server/src/testing/start.ts';
import { expect, test } from './fixtures.ts';
import { axeFaults } from './support/axe.ts';

const FIRST = [step('System packages', 'done'), step('npm packages', 'done'), step('SQLite addon', 'working')];
const building = (done: number) => [
  ...FIRST,
  step('C++ programs', 'working', { done, of: 103 }),
  step('Shipped traces', 'waiting'),
  step('QUIC helper', 'waiting', { later: true }),
  step('Web page', 'working'),
];
const BUILT = [...building(103).map((entry) => ({ ...entry, state: entry.later ? entry.state : ('done' as const) }))];

let lab: StartedServer;
test.beforeEach(() => {
  lab = new StartedServer();
  lab.tell(...building(41));
});
test.afterEach(() => lab.dispose());
// Until the laboratory is there every answer is a 503, which browsers log; a server that has ended does not answer at all.
test.use({
  expectedComplaints: [/503 \(Service Unavailable\)|net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/],
});

test('a page says how far the build is, and becomes the one that was asked for', async ({ page }) => {
  await page.goto(`${await lab.url()}/traces?sort=name`);
  await expect(page.getByRole('status')).toHaveText('The laboratory is being built');
  await expect(page.getByRole('listitem')).toHaveText([
    /System packages\s*done/,
    /npm packages\s*done/,
    /SQLite addon\s*going on/,
    /C\+\+ programs\s*41 of 103/,
    /Shipped traces\s*to come/,
    /QUIC helper\s*after the start/,
    /Web page\s*going on/,
  ]);
  lab.tell(...building(77));
  await expect(page.getByRole('progressbar', { name: 'C++ programs' })).toHaveJSProperty('value', 77);
  lab.tell(...BUILT);
  await expect(page.getByRole('heading', { name: 'Traces', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/traces\?sort=name$/);
  // The page goes before its server does: one that ends turns away whoever is about to connect.
  await page.goto('about:blank');
});

test('a failure is shown with what was printed, and stays when the server has ended', async ({ page }) => {
  await page.goto(await lab.url());
  await expect(page.getByRole('status')).toHaveText('The laboratory is being built');
  const why = `\`cmake --build build/native --target programs\` failed (exit code 1)\n${'link/meter.cc:107:12: error: ‘nosuch’ was not declared in this scope\n'.repeat(12)}<b>ninja</b>: build stopped`;
  lab.tell(...FIRST, step('C++ programs', 'failed', { why }));
  await expect(page.getByRole('status')).toHaveText('The laboratory could not be built');
  await expect(page.getByLabel('What the terminal says')).toHaveText(/nosuch.*<b>ninja<\/b>/s);
  lab.tell(...FIRST.map((entry) => ({ ...entry, state: 'done' as const })), step('C++ programs', 'failed', { why }));
  expect(await lab.ended()).toBe(1);
  // A question of the page's goes unanswered, and the next as well.
  await page.waitForEvent('requestfailed');
  await page.waitForEvent('requestfailed');
  await expect(page.getByRole('status')).toHaveText('The laboratory could not be built');
  await expect(page.getByText('Mend what is said below')).toBeVisible();
});

test('the page is whole on a phone and in the dark', async ({ page }) => {
  await page.goto(await lab.url());
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expect(page.getByRole('listitem')).toHaveCount(7);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await axeFaults(page)).toEqual([]);
  }
});
