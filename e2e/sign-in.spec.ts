// A laboratory that other machines can reach: what a browser without the token sees, and the ways in.
import { expect, test } from './fixtures.ts';
import { PacelineServer } from './server.ts';

let lab: PacelineServer;
test.beforeAll(async () => {
  lab = await PacelineServer.start({ flags: ['--host', '0.0.0.0'] });
});
test.afterAll(() => lab.dispose());

const token = (): string => new URL(lab.url).searchParams.get('token') ?? '';
const at = (path: string): string => new URL(path, lab.url).href;

test('a page asks for the token and then is where it was meant to be', async ({ page }) => {
  await page.goto(at('/traces?sort=name'));
  await expect(page.getByRole('heading', { name: 'This laboratory asks for its token' })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  const field = page.getByLabel('Token, or the whole address');
  await expect(field).toBeFocused();
  await field.fill('a guess');
  await page.getByRole('button', { name: 'Open the laboratory' }).click();
  await expect(page.getByRole('alert')).toContainText('not the token of this server');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(token());
  await field.press('Enter');
  await expect(page).toHaveURL(at('/traces?sort=name'));
  await expect(page.getByRole('heading', { name: 'Traces', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Traces', level: 1 })).toBeVisible();
});

test('the printed address opens the page, live connection and all, and leaves no token in sight', async ({ page }) => {
  // A frame that comes at once has come before anybody could begin to wait for it afterwards.
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(lab.url);
  await expect(page).toHaveURL(at('/'));
  await live;
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('a link on another site leads a browser that has signed in to its place', async ({ page }) => {
  await page.goto(lab.url);
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<link rel="icon" href="data:,"><a href="${at('/traces')}">look</a>`,
    }),
  );
  await page.goto('http://elsewhere.example/');
  await page.getByRole('link', { name: 'look' }).click();
  await expect(page.getByRole('heading', { name: 'Traces', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(at('/traces'));
});

test('the page that asks is whole on a phone and in the dark', async ({ page }) => {
  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(at('/sign-in?wrong'));
    const { overflow } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    expect(overflow).toBe(0);
    const field = page.getByLabel('Token, or the whole address');
    const box = await field.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 9999) <= width).toBe(true);
    if (process.env['SHOTS'] !== undefined)
      await page.screenshot({ path: `${process.env['SHOTS']}/sign-in-${width}-${scheme}.png` });
  }
});
