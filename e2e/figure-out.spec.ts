// Figures leave the laboratory: as PDF, as words and tables for LaTeX, in another page, and without a window.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';
import { PacelineServer } from './server.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { paceline } from './support/cli.ts';
import { saved, saveFigure } from './support/downloads.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** All that is packed in a PDF, as text. */
function contentOf(pdf: Buffer): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = pdf.indexOf('stream\n', at);
    const to = pdf.indexOf('\nendstream', from);
    if (from < 0 || to < 0) break;
    try {
      parts.push(inflateSync(pdf.subarray(from + 7, to)).toString('latin1'));
    } catch {
      // Fonts and pictures are packed otherwise, or not.
    }
    at = to + 10;
  }
  return parts.join('\n');
}

test('a figure is saved, told, shown in another page and drawn without a window', async ({ page, server }) => {
  const { id } = await new Api(server).measure({
    name: 'Two at 12 Mbps: 100 % of µ & <b>',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }, { id: 'newreno' }],
    buffers: [{ bdp: 1 }],
    repetitions: 2,
    duration_s: 2,
  });
  const title = 'Throughput–delay frontier';
  await page.goto(`${server.url}/e/${id}`);
  const figure = page.locator('[data-plot="frontier"]');
  await expect(figure.locator('figure')).toBeVisible();
  const svg = await saveFigure(page, title, 'SVG');

  const menu = (name: string | RegExp) => async (): Promise<void> => {
    await page.getByRole('button', { name: `Save or share: ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

  await test.step('as PDF, the same each time: lines and letters, with where it is from', async () => {
    const pdf = await saved(page, menu('PDF'));
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.toString('latin1')).toContain(`${server.url}/e/${id}`);
    expect(pdf.toString('latin1')).toMatch(/\/FontFile2/);
    const content = contentOf(pdf);
    expect((content.match(/ Tj$/gm) ?? []).length).toBeGreaterThan(15);
    // No picture of a figure: its marks are paths.
    expect(content.match(/ c$/gm)?.length ?? 0).toBeGreaterThan(4);
    expect((await saved(page, menu('PDF'))).equals(pdf)).toBe(true);
  });

  await test.step('with its caption and its place in a paper', async () => {
    const pdf = await saved(page, menu('PDF, and copy LaTeX for it'));
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await expect(figure.getByRole('status')).toHaveText('PDF saved, LaTeX copied');
    expect(await copied()).toContain(String.raw`\includegraphics[width=\linewidth]{${id}-frontier.pdf}`);
    await menu('Copy caption as LaTeX')();
    await expect(figure.getByRole('status')).toHaveText('Caption copied');
    const caption = await copied();
    expect(caption).toMatch(/^\\caption\{Throughput--delay frontier: /);
    expect(caption).toContain(String.raw`100 \% of $\mu$ \& \textless{}b\textgreater{}`);
    expect(caption).toMatch(/4 runs .* engine /);
  });

  await test.step('as a table', async () => {
    const table = (await saved(page, menu('LaTeX table of what is shown'))).toString();
    expect(table).toContain(String.raw`\toprule`);
    expect(table).toContain(`% ${server.url}/e/${id}`);
    const results = (
      await saved(page, () =>
        page.getByRole('region', { name: 'Table' }).getByRole('button', { name: 'LaTeX' }).click(),
      )
    ).toString();
    expect(results).toMatch(/^NewReno & 1 BDP & /m);
  });

  await test.step('without a window, byte for byte what the menu saves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paceline-figure-'));
    try {
      const [, width = ''] = /<svg[^>]* width="(\d+)"/.exec(svg.toString()) ?? [];
      const file = join(folder, 'f.svg');
      await paceline('figure', 'frontier', '--of', id, '--url', server.url, '--width', width, '--out', file);
      expect(await readFile(file, 'utf8')).toBe(svg.toString());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  await menu('Copy embed code')();
  await expect(figure.getByRole('status')).toHaveText('Embed code copied');
  const code = await copied();
  expect(code).toContain(`<iframe src="${server.url}/embed/e/${id}/frontier"`);
});

/** A page of somebody else's, with the lines of docs/figures.md. */
async function blog(address: string): Promise<{ url: string; close: () => void }> {
  const script =
    "addEventListener('message', ({ data, source }) => { if (data?.type !== 'paceline:height') return; for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height; });";
  const html = `<!doctype html><html lang="en"><title>Blog</title><iframe src="${address}" width="100%" height="100" title="figure"></iframe><script>${script}</script>`;
  const http = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(http.address() as AddressInfo).port}/`,
    close: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}

test.describe('in a page of another site', () => {
  // The browser says that it shows none of what was not allowed.
  test.use({ expectedComplaints: [/frame-ancestors|Refused to (frame|display)|403|Framing/] });

  test('a figure stands where the operator allows it, as high as it is, and nothing else does', async ({
    page,
    complaints,
  }) => {
    const server = await PacelineServer.start({ flags: ['--allow-embed', '*'] });
    const closed = await PacelineServer.start();
    try {
      const [trace] = await new Api(server).traces();
      const path = `/embed/t/${trace?.id ?? ''}/capacity?theme=dark`;
      await page.setViewportSize({ width: 390, height: 800 });
      const open = await blog(server.url + path);
      await page.goto(open.url);
      const frame = page.frameLocator('iframe');
      await expect(frame.locator('[data-embed="ready"] figure')).toBeVisible();
      await expect(frame.getByRole('link', { name: trace?.name ?? '' })).toHaveAttribute(
        'href',
        `${server.url}/traces/${trace?.id ?? ''}`,
      );
      await expect.poll(async () => Number(await page.locator('iframe').getAttribute('height'))).toBeGreaterThan(250);
      const [inner, scroll] = await frame
        .locator('main')
        .evaluate(() => [window.innerWidth, document.documentElement.scrollWidth] as const);
      expect(scroll).toBeLessThanOrEqual(inner);
      expect(await frame.locator('html').evaluate((html) => html.dataset['theme'])).toBe('dark');
      open.close();

      for (const address of [`${server.url}/traces/${trace?.id ?? ''}`, `${closed.url}${path}`]) {
        const refused = await blog(address);
        await page.goto(refused.url);
        await expect(page.locator('iframe')).toBeVisible();
        await expect(page.frameLocator('iframe').locator('figure')).toHaveCount(0);
        refused.close();
      }

      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(server.url + path);
      await expect(page.locator('[data-embed="ready"] figure')).toBeVisible();
      await expect(page.getByRole('navigation')).toHaveCount(0);
      expect(await axeFaults(page)).toEqual([]);
    } finally {
      complaints.end();
      await Promise.all([server.dispose(), closed.dispose()]);
    }
  });
});
