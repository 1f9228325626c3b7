// Every view at every width, from a phone to a wall: boxes are measured in the browser, not looked at. Nothing lies over anything, nothing
// is cut off, nothing has to be scrolled sideways.
import type { Page } from '@playwright/test';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { layoutFaults } from './support/layout.ts';
import { VIEWED, viewsOf } from './support/views.ts';

const WIDTHS = [390, 768, 1024, 1280, 1440, 1920, 3840];

test.use({ reducedMotion: 'reduce' });

/** What is still wrong once everything that measures itself has drawn itself again. */
async function lastingFaults(page: Page): Promise<string[]> {
  for (let wait = 0; ; wait += 200) {
    await page.waitForTimeout(Math.min(wait, 200));
    const faults = await layoutFaults(page);
    if (faults.length === 0 || wait >= 1_000) return faults;
  }
}

async function faultsAtAllWidths(page: Page, view: string): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(() => document.fonts.ready);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // Elements tell of their new size before the frame after the next.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    faults.push(...(await lastingFaults(page)).map((fault) => `${view}, ${width} px: ${fault}`));
  }
  return faults;
}

test('nothing lies over anything in any view at any width', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const views = await viewsOf(api, { ...VIEWED, repetitions: 1 });
  const faults: string[] = [];
  for (const view of views)
    await test.step(view.name, async () => {
      await page.goto(sharedServer.url + view.path);
      await view.shows(page);
      faults.push(...(await faultsAtAllWidths(page, view.name)));
    });
  await test.step('a running experiment', async () => {
    const { id } = await api.submit({ ...VIEWED, name: 'Running', full_scores: false, duration_s: 80_000 });
    await page.goto(`${sharedServer.url}/e/${id}`);
    await expect(page.getByRole('region', { name: 'Live' }).locator('canvas').first()).toBeVisible();
    faults.push(...(await faultsAtAllWidths(page, 'running')));
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('stopped');
  });
  expect(faults).toEqual([]);
});

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** A form that is full: many limits, traces, disciplines and flows, two of one algorithm, and a name without a place to break. */
const FULL: ExperimentSpecInput = {
  name: LONG,
  traces: [
    { trace: 'Cellular walk, LTE-like' },
    { trace: 'Step between 12 and 48 Mbps' },
    { rate_mbps: 12 },
    { rate_mbps: 12_345.678 },
  ],
  ccas: [{ id: 'cubic' }, { id: 'cubic', params: { beta: 0.8 } }, { id: 'bbr' }, { id: 'optimal' }],
  buffers: [
    { bdp: 0.5 },
    { bdp: 1 },
    { bdp: 5 },
    { bdp: 10 },
    { packets: 51_200 },
    { bytes: 45_000_000 },
    { ms: 12_500 },
    { infinite: true },
  ],
  queues: [{ id: 'droptail' }, { id: 'codel' }, { id: 'pie' }],
  base_rtt_ms: [5, 20, 50],
  loss: [0, 0.001, 0.01],
  repetitions: 5,
  flows: [{}, { cca: { id: 'cubic' }, start_s: 10, stop_s: 50 }, { source: { kind: 'rate', rate_mbps: 4 } }],
};
/** The form as it was when the problem was found. */
const ORDINARY: ExperimentSpecInput = {
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }, { infinite: true }],
};

test('the form holds whatever is chosen, at any width, with text of twice its size, and Run stays in sight', async ({
  page,
  sharedServer,
}) => {
  const faults: string[] = [];
  const fill = async (spec: ExperimentSpecInput): Promise<void> => {
    await page.goto(`${sharedServer.url}/new`);
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await page.getByRole('textbox', { name: 'Experiment as JSON' }).fill(JSON.stringify(spec));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('table', { name: 'What the limits mean on this trace' }).getByRole('row')).toHaveCount(
      1 + (spec.buffers?.length ?? 0),
    );
    await page.getByRole('button', { name: 'More settings' }).click();
  };
  const measure = async (what: string): Promise<void> => {
    faults.push(...(await faultsAtAllWidths(page, what)));
  };
  await fill(ORDINARY);
  await measure('four limits');
  await fill(FULL);
  await measure('full');
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  await measure('full, text at 200 %');
  expect(faults).toEqual([]);

  await page.reload();
  for (const width of WIDTHS)
    for (const end of ['top', 'bottom'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((to) => scrollTo(0, to === 'top' ? 0 : document.documentElement.scrollHeight), end);
      await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 1 });
    }
});
