// What is seen while a page is on its way: it has the shape of what comes, and nothing that is there moves when it does.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { VIEWED } from './support/views.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
/** What a page may move by itself, of its Cumulative Layout Shift. */
const MOST_SHIFT = 0.02;

declare global {
  interface Window {
    /** Each layout shift, and what it moved from where to where. */
    moves?: { readonly value: number; readonly moved: readonly string[] }[];
  }
}

/** All layout shifts from the first moment on. */
const watchFromTheStart = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const moves: NonNullable<Window['moves']> = [];
    window.moves = moves;
    const place = ({ x, y, width, height }: DOMRect): string => `${x},${y} ${width}×${height}`;
    const name = (node: Node | null): string =>
      node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? 'what is gone');
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(
          ({ node, previousRect, currentRect }) => `${name(node)}: ${place(previousRect)} to ${place(currentRect)}`,
        );
        moves.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
};

// As most browsers are.
test.use({ fetchesAhead: true });

for (const { width, height } of SIZES) {
  test(`${width} px: nothing moves while pages come for the first time`, async ({ server, visitor }) => {
    const look = async (what: string, path: string): Promise<void> => {
      const page = await visitor({ viewport: { width, height } });
      await watchFromTheStart(page);
      await page.goto(server.url + path, { waitUntil: 'networkidle' });
      await expect(page.locator('canvas').first()).toBeVisible();
      await page.waitForTimeout(1000);
      const moves = await page.evaluate(() => window.moves ?? []);
      const shift = moves.reduce((sum, { value }) => sum + value, 0);
      expect(shift, `${what}: ${JSON.stringify(moves, null, 2)}`).toBeLessThan(MOST_SHIFT);
      await page.close();
    };
    await look('home of an empty lab', '/');
    const { id, runs } = await new Api(server).measure({ ...VIEWED, repetitions: 1 });
    await look('home', '/');
    await look('experiment', `/e/${id}`);
    await look('run', `/r/${runs[0]?.id ?? ''}`);
  });

  test(`${width} px: what an experiment and a run will be stands there while they are fetched`, async ({
    page,
    sharedServer,
  }) => {
    await page.setViewportSize({ width, height });
    const { id, runs } = await new Api(sharedServer).measure({ ...VIEWED, repetitions: 1 });
    for (const [path, heading] of [
      [`/e/${id}`, 'Loading the experiment'],
      [`/r/${runs[0]?.id ?? ''}`, 'Loading the run'],
    ] as const)
      await test.step(path, async () => {
        let go = (): void => undefined;
        const gone = new Promise<void>((resolve) => (go = resolve));
        const record = new RegExp(`/api/v1/(experiments|runs)/${path.slice(3)}`);
        await page.route(record, async (route) => {
          await gone;
          await route.continue();
        });
        await page.goto(sharedServer.url + path);
        const waiting = page.getByRole('status', { name: heading });
        await expect(waiting).toBeVisible();
        const top = async (selector: string): Promise<number> =>
          (await page.locator(`main ${selector}`).first().boundingBox({ timeout: 10_000 }))?.y ?? NaN;
        const before = [await top('[data-skeleton="head"]'), await top('[data-skeleton="figure"]')];
        await page.screenshot({
          path: `build/test-results/screens/waiting-${heading.split(' ').at(-1) ?? ''}-${width}.png`,
        });
        go();
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('figure').first()).toBeVisible();
        const after = [await top('h1'), await top('figure')];
        // A title may take another line.
        for (const [i, y] of after.entries())
          expect(Math.abs(y - (before[i] ?? NaN)), `${path}: ${i}`).toBeLessThan(30);
        await page.unroute(record);
      });
  });
}

test('the table of an experiment that is opened is shown before its figures are drawn', async ({
  page,
  sharedServer,
}) => {
  const { id } = await new Api(sharedServer).measure({ ...VIEWED, repetitions: 1 });
  await page.addInitScript(() => {
    // Rows and figures that one render made come together.
    const observer = new MutationObserver(() => {
      if (document.querySelector('[aria-label="Results"] tbody tr[aria-rowindex]') === null) return;
      observer.disconnect();
      document.documentElement.dataset['figuresWithRows'] = String(document.querySelectorAll('main figure').length);
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${sharedServer.url}/e/${id}`);
  await expect(page.locator('html')).toHaveAttribute('data-figures-with-rows', '0');
  await expect(page.locator('main figure').first()).toBeVisible();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
});

for (const [who, fetchesAhead] of [
  ['whoever comes', true],
  ['who saves data', false],
] as const)
  test.describe(who, () => {
    test.use({ fetchesAhead });
    test(`has ${fetchesAhead ? 'the code of all pages before they are gone to' : 'no code of pages before they go to them'}`, async ({
      page,
      server,
    }) => {
      const fetched: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'script') fetched.push(request.url());
      });
      await page.goto(server.url, { waitUntil: 'networkidle' });
      fetched.length = 0;
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
      if (fetchesAhead) expect(fetched).toEqual([]);
      else expect(fetched.length).toBeGreaterThan(0);
    });
  });
