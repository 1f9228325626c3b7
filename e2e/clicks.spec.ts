// How far it is to what people come for, counted in presses of the mouse; how long it took is told, not held against the machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { RunTable } from '#protocol/run-table';
import { expect, test } from './fixtures.ts';
import { byKeyboard } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { saved } from './support/downloads.ts';
import { NewExperiment } from './support/new-experiment.ts';

/** Counts presses from now on, over all pages that are opened; `done` says how many there were. */
async function counting(page: Page, what: string): Promise<{ done: (most: number) => void }> {
  let presses = 0;
  const name = `pressed${Math.random().toString(36).slice(2)}`;
  await page.exposeFunction(name, () => void (presses += 1));
  const listen = (call: string): void =>
    window.addEventListener(
      'pointerdown',
      () => {
        (window as unknown as Record<string, () => void>)[call]?.();
      },
      true,
    );
  await page.addInitScript(listen, name);
  await page.evaluate(listen, name);
  const begin = Date.now();
  return {
    done: (most) => {
      // A keyboard's are not counted.
      if (byKeyboard()) return;
      const seconds = ((Date.now() - begin) / 1000).toFixed(1);
      test.info().annotations.push({ type: what, description: `${presses} presses, ${seconds} s` });
      expect(presses).toBeGreaterThan(0);
      expect(presses).toBeLessThanOrEqual(most);
    },
  };
}

test('from a file to a ranked answer are at most four presses', async ({ page, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'paceline-clicks-'));
  try {
    const file = join(folder, 'mine.trace');
    await writeFile(file, Array.from({ length: 4000 }, (_, ms) => `${ms + 1}\n`.repeat(ms % 3)).join(''));
    await page.goto(server.url);
    const { done } = await counting(page, 'upload to ranked answer');
    await page.getByRole('main').getByRole('link', { name: 'New experiment' }).click();
    const form = new NewExperiment(page);
    const chooser = page.waitForEvent('filechooser');
    await form.traces.getByRole('button', { name: 'Upload a trace' }).click();
    await (await chooser).setFiles(file);
    await expect(form.traces).toContainText('mine');
    await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/e\/[a-z2-7]{20}/);
    await expect(page.getByRole('region', { name: 'What came out' })).toBeVisible({ timeout: 120_000 });
    done(4);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.describe('what was made is passed on', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('a view in two presses, a figure into a paper in three', async ({ page, sharedServer, visitor }) => {
    const { id } = await new Api(sharedServer).measure({
      name: 'To be passed on',
      traces: [{ rate_mbps: 12 }],
      ccas: [{ id: 'cubic' }, { id: 'newreno' }],
      duration_s: 2,
    });
    await page.goto(`${sharedServer.url}/e/${id}`);
    const figure = page.locator('[data-plot="frontier"]');
    await expect(figure.locator('figure')).toBeVisible();

    const share = await counting(page, 'share to opened elsewhere');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Copy link to this view/ }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const other = await visitor();
    await other.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await expect(other.getByRole('heading', { level: 1 })).toContainText('To be passed on');
    share.done(2);

    const paper = await counting(page, 'figure into a paper');
    const pdf = await saved(page, async () => {
      await figure.getByRole('button', { name: /^Save or share/ }).click();
      await page.getByRole('menuitem', { name: /^PDF, and copy LaTeX/ }).click();
    });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('\\includegraphics');
    paper.done(3);
  });
});

test('from five thousand runs to the odd one are at most four presses', async ({ page, server }) => {
  test.slow();
  const api = new Api(server);
  const record = await api.submit({
    name: 'Five thousand',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }, { id: 'newreno' }, { id: 'vegas' }, { id: 'bbr' }],
    buffers: [1, 2, 3, 4, 5].map((bdp) => ({ bdp })),
    repetitions: 250,
    duration_s: 0.2,
    sample_period_ms: 100,
  });
  await api.until(record.id, ({ runs_done }) => runs_done >= 5000);
  await page.goto(server.url);
  const { done } = await counting(page, 'from 5000 runs to the odd one');
  await page.getByRole('navigation').getByRole('link', { name: 'Runs', exact: true }).click();
  const table = page.getByRole('region', { name: 'Runs' });
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  const head = table.getByRole('button', { name: /^Utilisation/ });
  await head.click();
  await expect(page).toHaveURL(/sort=-util/);
  const answer = page.waitForResponse(/\/runs\?.*sort=util/);
  await head.click();
  await expect(page).toHaveURL(/sort=util/);
  const odd = table.getByRole('row').nth(1).getByRole('link').first();
  // Who presses while the rows change places presses beside it, and again.
  const [first] = RunTable.parse(await (await answer).json()).rows;
  await expect(odd).toHaveAttribute('href', new RegExp(`^/r/${first?.id ?? ''}`));
  await odd.click();
  await page.waitForURL(/\/r\/[a-z2-7]{20}/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  done(4);
});
