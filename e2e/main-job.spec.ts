// The main job, end to end: bring traces, run a matrix, watch it, read the result, pass it on, and get the same from a terminal.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { paceline } from './support/cli.ts';
import { readParquet, saved, saveFigure } from './support/downloads.ts';
import { countSamples, shiftOf, sightings, watchLive, watchShifts } from './support/live-watch.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { readNumber, readQuantity, three } from './support/numbers.ts';
import { factsOf, tracePair, type TraceFile } from './support/traces.ts';

const PAIR = tracePair();
const COMPETITORS = ['Cubic', 'NewReno', 'BBR'];
const REFERENCES = ['Optimal', 'Oracle'];
const LIMITS = ['1 BDP', '5 BDP', '10 BDP', 'infinite'];
const DURATION_S = 60;

/** Uploads a file on the page of traces; the page of the trace opens, and its facts are those of the file. */
async function upload(page: Page, url: string, trace: TraceFile): Promise<string> {
  await page.goto(`${url}/traces`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a trace' }).click();
  await (await chooser).setFiles(trace.path);
  await page.waitForURL(/\/traces\/[0-9a-f]{64}$/);
  const expected = factsOf(trace);
  const fact = (label: string) =>
    page
      .getByRole('region', { name: 'Facts' })
      .locator('div', { has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .first();
  await expect(fact('Mean')).toHaveText(/Mbps/);
  expect(readNumber(await fact('Mean').innerText())).toBe(three(expected.mean_mbps));
  expect(readNumber(await fact('Opportunities').innerText())).toBe(expected.opportunities);
  expect(readQuantity(await fact('Longest gap').innerText())).toBeCloseTo(three(expected.longest_gap_ms) / 1000, 9);
  await expect(page.locator('figure canvas').first()).toBeVisible();
  return (await page.getByRole('heading', { level: 1 }).innerText()).trim();
}

const tableText = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Table', exact: true }).locator('tbody tr').allInnerTexts();

const pointsOf = (page: Page, trace: string) =>
  page.getByRole('group', { name: `${trace}: points` }).locator('[data-mark]');

/** Where the points are, and what they say of themselves. */
const placesOf = (page: Page, trace: string): Promise<string[]> =>
  pointsOf(page, trace).evaluateAll((marks) =>
    marks.map((mark) => {
      const frame = mark.closest('svg')?.getBoundingClientRect() ?? { x: 0, y: 0 };
      const { x, y, width } = mark.getBoundingClientRect();
      return `${mark.getAttribute('aria-label')} ${[x - frame.x, y - frame.y, width].map(Math.round).join(' ')}`;
    }),
  );

/** What the mouse finds where each mark's own part is (its limit, or all of it): the mark itself, or what covers it. */
const underMouse = (page: Page, trace: string): Promise<[wanted: string, found: string][]> =>
  pointsOf(page, trace).evaluateAll((marks) =>
    marks.map((mark): [string, string] => {
      mark.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = ([...mark.children].at(-2) ?? mark).getBoundingClientRect();
      const found = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-mark]');
      return [mark.getAttribute('aria-label') ?? '', found?.getAttribute('aria-label') ?? ''];
    }),
  );

test('a matrix on a 3G and a 5G recording, from the upload to the shared link and the command line', async ({
  page,
  server,
  visitor,
}) => {
  test.info().annotations.push({ type: 'traces', description: PAIR.what });
  const api = new Api(server);
  const samples = countSamples(page);
  const folder = await mkdtemp(join(tmpdir(), 'paceline-e2e-cli-'));

  const names = await test.step('upload two traces and see what they are', async () => [
    await upload(page, server.url, PAIR.slow),
    await upload(page, server.url, PAIR.fast),
  ]);

  const form = new NewExperiment(page);
  const planned = await test.step('choose traces, algorithms and limits', async () => {
    await form.open(server.url);
    await form.chooseTraces(names);
    await form.chooseAlgorithms([...COMPETITORS, ...REFERENCES]);
    await form.chooseLimits(LIMITS);
    await form.fill('Duration', String(DURATION_S));
    await form.fullScores(false);
    await expect(form.bar).toContainText(/2 traces × 5 algorithms × 4 limits [=→] \d+ runs · .*\d\s(ms|s|min)/);
    // Every competitor at every limit on both traces, and the references besides; the count comes a moment after the factors.
    const least = 2 * (COMPETITORS.length * LIMITS.length + REFERENCES.length);
    await expect.poll(() => form.plannedRuns()).toBeGreaterThanOrEqual(least);
    return await form.plannedRuns();
  });

  const id = await test.step('run it and watch the samples arrive', async () => {
    await watchLive(page);
    await watchShifts(page);
    const started = await form.run();
    await expect(page.getByRole('region', { name: 'Live' })).toBeVisible();
    await api.ended(started);
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
    // Every cell has its picture, and the newest run stays.
    const cells = page.getByRole('region', { name: 'Cells at a glance' });
    await expect(cells.getByText('waiting')).toHaveCount(0);
    await expect(cells.getByRole('link', { name: 'Cubic · 5 BDP' }).first().locator('path').first()).toBeAttached();
    await expect(page.getByRole('region', { name: 'Live' }).locator('canvas').first()).toBeVisible();
    expect(await shiftOf(page)).toBeLessThan(0.01);
    // A whole run may take a tenth of a second here; how one grows is watched in run-page.spec.ts.
    const seen = await sightings(page);
    expect(seen.filter(({ time }) => (readNumber(time) ?? 0) > 0).length).toBeGreaterThan(0);
    const progress = seen.map((sighting) => sighting.progress);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(samples.frames).toBeGreaterThan(20);
    return started;
  });

  const record = await api.experiment(id);
  await test.step('read the frontier and the table', async () => {
    expect(record.runs).toHaveLength(planned);
    expect(record.runs.map(({ state }) => state)).toEqual(record.runs.map(() => 'done'));
    for (const name of names) {
      const points = pointsOf(page, name);
      for (const label of COMPETITORS)
        await expect(points.and(page.getByLabel(`${label}, `))).toHaveCount(LIMITS.length);
      for (const label of REFERENCES) await expect(points.and(page.getByLabel(`${label}: `)).first()).toBeVisible();
    }
    for (const name of names) {
      const found = await underMouse(page, name);
      expect(found.map(([, mark]) => mark)).toEqual(found.map(([wanted]) => wanted));
      const points = pointsOf(page, name);
      await points.first().focus();
      for (const [wanted] of found) {
        await expect(points.and(page.locator(':focus'))).toHaveAttribute('aria-label', wanted);
        await page.keyboard.press('ArrowRight');
      }
    }
    expect(await tableText(page)).toHaveLength(record.cells.length);
    // The optimal uses every opportunity and queues nothing.
    for (const row of (await tableText(page)).filter((text) => text.startsWith('Optimal')))
      // How many decimals stand there follows from the column's greatest.
      expect(row.split(/\s+/)).toEqual(expect.arrayContaining(['100', expect.stringMatching(/^1\.00?$/)]));
  });

  await test.step('the link shows the same to somebody else', async () => {
    await page.getByRole('button', { name: /^Queueing, / }).click();
    await page
      .getByRole('button', { name: /^Select Cubic, 5 BDP/ })
      .first()
      .click();
    const frontier = page.getByRole('figure', { name: 'Throughput–delay frontier' });
    await frontier.getByRole('button', { name: 'BBR', exact: true }).click();
    await expect(pointsOf(page, names[0] ?? '').and(page.getByLabel('BBR, '))).toHaveCount(0);
    const slider = page.getByRole('slider', { name: /Throughput/ }).and(page.locator('input'));
    await slider.focus();
    for (let i = 0; i < 5; i++) await slider.press('ArrowRight');
    for (const parameter of ['sort=', 'cells=', 'hide=', 'w=']) await expect(page).toHaveURL(new RegExp(parameter));
    const other = await visitor();
    await other.goto(page.url());
    await expect(other.getByRole('region', { name: 'Table', exact: true }).locator('tbody tr').first()).toBeVisible();
    await expect(pointsOf(other, names[0] ?? '').first()).toBeVisible();
    expect(await tableText(other)).toEqual(await tableText(page));
    for (const name of names) expect(await placesOf(other, name)).toEqual(await placesOf(page, name));
    expect(await other.getByRole('list', { name: 'Ranking' }).innerText()).toBe(
      await page.getByRole('list', { name: 'Ranking' }).innerText(),
    );
    expect(new URL(other.url()).search).toBe(new URL(page.url()).search);
  });

  await test.step('take the results away', async () => {
    const take = async (format: string): Promise<Buffer> =>
      saved(page, async () => {
        await page.getByRole('button', { name: 'Download', exact: true }).click();
        await page.getByRole('menuitem', { name: `Results as ${format}` }).click();
      });
    const csv = (await take('CSV')).toString();
    const [header = '', ...rows] = csv.trim().split('\r\n');
    expect(rows).toHaveLength(record.runs.length);
    const json = JSON.parse((await take('JSON')).toString()) as { runs: { id: string; summary: unknown }[] };
    expect(json.runs.map((run) => run.summary)).toEqual(record.runs.map((run) => run.summary));
    const rowsOf = await readParquet(await take('Parquet'));
    expect(header.split(',')).toContain('utilisation');
    expect(rowsOf.map(({ utilisation }) => utilisation)).toEqual(
      record.runs.map(({ summary }) => summary?.links.find(({ direction }) => direction === 'forward')?.utilisation),
    );
  });

  await test.step('take the frontier away as a picture and as numbers', async () => {
    const title = 'Throughput–delay frontier';
    const svg = (await saveFigure(page, title, 'SVG')).toString();
    expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const text of [title, ...names]) expect(svg).toContain(text);
    // Away from the page it still says what it is of, and where it came from.
    const { engine_version } = (await api.run(record.runs[0]?.id ?? '')).manifest;
    const [, said = ''] = /<metadata>(.*)<\/metadata>/.exec(svg) ?? [];
    const metadata = JSON.parse(said.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))) as unknown;
    expect(metadata).toMatchObject({ engine_version, permalink: page.url() });
    for (const name of names) expect(metadata).toHaveProperty('trace', expect.stringContaining(name));
    for (const text of [`engine ${engine_version}`, 'queue limit ']) expect(svg).toContain(text);
    const png = await saveFigure(page, title, 'PNG');
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
    expect(png.toString('latin1')).toContain(`tEXtSource\0${page.url()}`);
    const csv = (await saveFigure(page, title, 'CSV')).toString().trim().split(/\r?\n/);
    expect(csv[0]).toContain('queue_limit');
    expect(csv[0]).toMatch(/,engine_version,permalink$/);
    expect(csv.filter((line) => line.includes(',Cubic,'))).toHaveLength(2 * LIMITS.length);
  });

  await test.step('get the same numbers from a terminal', async () => {
    const known = await api.traces();
    const traces = record.spec.traces.map((ref) => {
      const { name } = known.find(({ id: hash }) => 'trace' in ref && ref.trace === hash) ?? { name: '' };
      return { trace: name === names[0] ? PAIR.slow.path : PAIR.fast.path };
    });
    const spec = join(folder, 'spec.json');
    await writeFile(spec, JSON.stringify({ ...record.spec, traces }));
    await paceline('run', spec, '--out', join(folder, 'out'), '--series', 'none');
    // Of the run's address on the page a terminal knows nothing.
    const lines = (csv: Buffer): string[] =>
      csv
        .toString()
        .split('\r\n')
        .map((line) => line.replace(/,http:[^,]*\/r\/[a-z2-7]{20},/, ',,'));
    expect(lines(await readFile(join(folder, 'out', 'summary.csv')))).toEqual(
      lines(await api.file(`/experiments/${id}/export?format=csv`)),
    );
    const derived = (json: Buffer): unknown => ({
      ...(JSON.parse(json.toString()) as object),
      created_at: '',
      permalink: '',
    });
    expect(derived(await readFile(join(folder, 'out', 'summary.json')))).toEqual(
      derived(await api.file(`/experiments/${id}/export?format=json`)),
    );
  });
  await rm(folder, { recursive: true });
});
