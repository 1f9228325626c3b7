// Every page on a desk and on a phone, by day and by night: nothing for axe to find, nothing to scroll sideways; and all by keyboard.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { SIZES, VIEWED, viewsOf } from './support/views.ts';

/** Pictures for people to look at; no test does. */
const SCREENS = process.env['PACELINE_SCREENS'] !== undefined;

/** Every other view, so that no test is much longer than others. */
const HALVES = ['one half', 'the other half'] as const;

for (const { name: size, width, height } of SIZES)
  for (const [half, which] of HALVES.entries())
    test(`${size}, ${which} of the views: axe finds nothing by day and by night, nothing is wider than the screen`, async ({
      sharedServer,
      visitor,
    }) => {
      const page = await visitor({ viewport: { width, height }, colorScheme: 'light', reducedMotion: 'reduce' });
      const views = (await viewsOf(new Api(sharedServer))).filter((_, i) => i % HALVES.length === half);
      for (const view of views)
        await test.step(view.name, async () => {
          await page.emulateMedia({ colorScheme: 'light' });
          await page.goto(sharedServer.url + view.path);
          await view.shows(page);
          await page.evaluate(() => document.fonts.ready);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            // What has its colours from the theme by script is drawn anew in the frames that follow.
            await page.evaluate(
              () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
            );
            if (SCREENS) {
              await page.waitForTimeout(500); // Samples that still come: a person wants to see them all.
              await page.screenshot({
                path: `build/test-results/screens/${view.name}-${size}-${colorScheme}.png`,
                fullPage: true,
              });
            }
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            expect(wide, `${view.name} is wider than the screen`).toBeLessThanOrEqual(0);
            // What a page is made of does not change with its colours.
            expect(await axeFaults(page, colorScheme === 'light' ? 'all' : 'contrast')).toEqual([]);
          }
        });
    });

test('of what is made alike one is asked for its contrast, and what differs by its colours alone is found', async ({
  page,
}) => {
  const row = (style: string, text = 'Words') => `<li style="${style}"><a href="#">${text}</a></li>`;
  const faultsOf = async (...rows: string[]): Promise<string[]> => {
    await page.setContent(
      `<html lang="en"><title>T</title><style>a { color: inherit }</style><main><h1>H</h1><ul>${rows.join('')}</ul></main></html>`,
    );
    return await axeFaults(page);
  };
  expect(await faultsOf(row(''), row(''), row(''))).toEqual([]);
  expect(await faultsOf(row('color: #ccc'), row('color: #ccc'))).toEqual([expect.stringMatching(/^color-contrast: /)]);
  expect(await faultsOf(row(''), row(''), row('color: #ccc'))).toEqual([expect.stringMatching(/^color-contrast: /)]);
  expect(await faultsOf(row(''), row('background: #333'))).toEqual([expect.stringMatching(/^color-contrast: /)]);
  const bar = (width: number): string =>
    row(
      'position: relative',
      `<i style="position: absolute; inset: 0; z-index: -1; width: ${width}px; background: #333"></i>Words`,
    );
  expect(await faultsOf(bar(0), bar(200))).toEqual([expect.stringMatching(/^color-contrast: /)]);
  // What has nothing to do with colours is asked of all.
  expect(await faultsOf(row(''), row('', ''))).toEqual([expect.stringMatching(/^link-name: /)]);
});

test('who wants less motion sees all colours change at once', async ({ visitor, sharedServer }) => {
  const page = await visitor({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${sharedServer.url}/ccas/cubic`);
  await expect(page.getByRole('figure').first().locator('canvas').first()).toBeVisible();
  await page.evaluate(() => {
    // By element: what comes or goes meanwhile has its colours, too.
    const colours = new Map<Element, Set<string>>();
    const seen = { frames: 0, changing: [] as string[] };
    Object.assign(window, { coloursSeen: seen });
    const note = (): void => {
      for (const one of document.querySelectorAll('h1, p, span, code, button, a')) {
        const known = colours.get(one) ?? new Set();
        const { color, backgroundColor, borderColor } = getComputedStyle(one);
        if (known.add([color, backgroundColor, borderColor].join()).size === 2) seen.changing.push(one.outerHTML);
        colours.set(one, known);
      }
      if (++seen.frames < 20) requestAnimationFrame(note);
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => requestAnimationFrame(note));
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  const seen = (): Promise<{ frames: number; changing: string[] }> =>
    page.evaluate(() => (window as unknown as { coloursSeen: { frames: number; changing: string[] } }).coloursSeen);
  await expect.poll(async () => (await seen()).frames).toBe(20);
  expect((await seen()).changing).toEqual([]);
});

test('menus, dialogs and a running experiment are as accessible', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const check = async (what: string): Promise<void> => expect(await axeFaults(page), what).toEqual([]);
  await page.goto(`${sharedServer.url}/new`);
  await expect(page.getByRole('checkbox').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible();
  await check('palette');
  for (let i = 0; i < 16; i++) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem').and(page.locator('[data-focused]'))).toBeInViewport();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Parameters of Cubic', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('parameters');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await check('JSON');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await check('shortcuts');
  await page.keyboard.press('Escape');

  const { id, runs } = await api.submit({ ...VIEWED, name: 'Running', full_scores: false, duration_s: 80_000 });
  await page.goto(`${sharedServer.url}/e/${id}`);
  await expect(page.getByRole('region', { name: 'Live' }).locator('canvas').first()).toBeVisible();
  await check('running experiment');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('stopped');
  await check('stopped experiment');
  await page.goto(`${sharedServer.url}/r/${runs[0]?.id ?? ''}`);
  await expect(page.getByText('This run was stopped')).toBeVisible();
  await check('stopped run');
});

test('an experiment is made, run and read with the keyboard alone', async ({ page, sharedServer }) => {
  await page.goto(sharedServer.url);
  await expect(page.getByRole('region', { name: 'Live sample' }).locator('canvas').first()).toBeVisible();
  /** Tab until the element that has the focus is the wanted one. */
  const arrowTo = (name: RegExp): Promise<void> => tabTo(name, 'ArrowRight');
  const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press(key);
      const focused = await page.evaluate(() => {
        const { activeElement: element } = document;
        return `${element?.getAttribute('aria-label') ?? ''} ${element?.closest('label')?.innerText ?? element?.textContent ?? ''}`;
      });
      if (name.test(focused)) return;
    }
    throw new Error(`the Tab key never comes to ${name.source}`);
  };
  const outlined = (): Promise<boolean> =>
    page.evaluate(() => {
      const at = document.activeElement;
      const shown = at?.closest('label') ?? at;
      if (shown === null) return false;
      return [shown, ...shown.querySelectorAll('*')].some((element) => {
        const style = getComputedStyle(element);
        return style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      });
    });

  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/new$/);
  await expect(page.getByRole('checkbox').first()).toBeVisible();
  await tabTo(/1 Gbps to nothing/);
  await arrowTo(/Constant, 48 Mbps/);
  await expect.poll(outlined).toBe(true);
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox', { name: /Constant, 48 Mbps/ })).toBeChecked();
  await tabTo(/^PCC Allegro/);
  await arrowTo(/^BBR /);
  await expect.poll(outlined).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(/1 BDP/);
  await arrowTo(/10 BDP/);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: '10 BDP' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/e\/[a-z2-7]{20}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
  await tabTo(/^Select .*10 BDP/);
  await page.keyboard.press('Enter');
  // They are read when a cell is chosen.
  await expect(page.getByRole('link', { name: /^Repetition 1/ }).first()).toBeVisible();
  await tabTo(/Repetition 1/);
  await expect.poll(outlined).toBe(true);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/r\/[a-z2-7]{20}$/);
  await tabTo(/Throughput.*: cursor in time/);
  await expect.poll(outlined).toBe(true);
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByRole('complementary', { name: 'Values at the cross-hair' }).getByRole('heading'),
  ).toContainText(/at [\d.]+/);
});
