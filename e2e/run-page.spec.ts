// The page of one run: panels in step, cross-hair, zoom with history and in the link, replay, and a long run that is watched and stopped.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { awayFromAll, either } from './hands/hands.ts';
import { Api } from './support/api.ts';
import { paceline } from './support/cli.ts';
import { saveFigure } from './support/downloads.ts';
import { readQuantity } from './support/numbers.ts';
import { Panels, rangeOf, STACKED_AXES } from './support/panels.ts';
import { programsOf, stillAlive } from './support/processes.ts';

const SHORT: ExperimentSpecInput = {
  name: 'Two flows on a cellular link',
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'bbr' }],
  flows: [{}, { cca: { id: 'cubic' }, start_s: 5 }],
  buffers: [{ bdp: 5 }],
  duration_s: 30,
};

/** Hours of link time: on any machine it is still going when it is stopped. */
const LONG: ExperimentSpecInput = {
  name: 'A long run',
  traces: [{ rate_mbps: 1000 }],
  ccas: [{ id: 'cubic' }],
  duration_s: 80_000,
};

const firstRun = async (api: Api, spec: ExperimentSpecInput): Promise<string> =>
  (await api.measure(spec)).runs[0]?.id ?? '';

test('panels zoom together, the address remembers it, and back and forward go through it', async ({
  page,
  sharedServer,
  visitor,
}) => {
  const api = new Api(sharedServer);
  await page.goto(`${sharedServer.url}/r/${await firstRun(api, SHORT)}`);
  const panels = new Panels(page);
  await panels.ready();
  const whole = await panels.timeAxis();
  expect(rangeOf(page)).toBeNull();

  await either({
    mouse: async () => {
      await panels.drag(panels.all.nth(1), 0.25, 0.5);
      await expect.poll(() => rangeOf(page)).not.toBeNull();
      const [from, to] = rangeOf(page) ?? [0, 0];
      expect(from).toBeGreaterThan(6.5);
      expect(from).toBeLessThan(8.5);
      expect(to).toBeGreaterThan(14);
      expect(to).toBeLessThan(16);
    },
    keyboard: async () => {
      await panels.all.nth(1).press('w');
      await expect.poll(() => rangeOf(page)).not.toBeNull();
      const [from, to] = rangeOf(page) ?? [0, 0];
      expect(to - from).toBeLessThan(29);
    },
  });
  const [from, to] = rangeOf(page) ?? [0, 0];
  const zoomed = await panels.timeAxis();
  expect(zoomed).not.toBe(whole);

  await test.step('the wheel, or a key, zooms further', async () => {
    await either({
      mouse: async () => {
        await page.mouse.move(0, 0);
        await panels.point(panels.all.first(), 0.5);
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, -200);
        await page.keyboard.up('Control');
      },
      keyboard: () => panels.all.first().press('w'),
    });
    await expect.poll(() => rangeOf(page)).not.toEqual([from, to]);
    const [a, b] = rangeOf(page) ?? [0, 0];
    expect(b - a).toBeLessThan(0.8 * (to - from));
    expect((a + b) / 2).toBeCloseTo((from + to) / 2, 0);
  });

  await test.step('somebody else sees the same part', async () => {
    const other = await visitor();
    await other.goto(page.url());
    const theirs = new Panels(other);
    await theirs.ready();
    expect(await theirs.timeAxis()).toBe(await panels.timeAxis());
  });

  await test.step('the browser goes back and forward', async () => {
    await page.goBack();
    await expect.poll(() => panels.timeAxis()).toBe(zoomed);
    await page.goBack();
    await expect.poll(() => panels.timeAxis()).toBe(whole);
    await page.goForward();
    await expect.poll(() => panels.timeAxis()).toBe(zoomed);
  });

  await test.step('so do the keys of the panels', async () => {
    await panels.all.first().focus();
    await page.keyboard.press('w');
    await expect.poll(() => panels.timeAxis()).not.toBe(zoomed);
    await page.keyboard.press('[');
    await expect.poll(() => panels.timeAxis()).toBe(zoomed);
    await page.keyboard.press('0');
    await expect.poll(() => panels.timeAxis()).toBe(whole);
    await expect.poll(() => rangeOf(page)).toBeNull();
  });
});

/** Sums of the values of each series of a figure's CSV. */
function sumsOf(csv: Buffer): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of csv.toString().split(/\r?\n/).slice(1)) {
    const [, series = '', value = ''] = row.split(',');
    if (value !== '') sums.set(series, (sums.get(series) ?? 0) + Number(value));
  }
  return sums;
}

test('the oracle over the same link is drawn, told, saved, and comes to what its own run comes to', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const spec = { ...SHORT, flows: [{}], buffers: [{ bdp: 2 }], duration_s: 20 };
  await page.goto(`${sharedServer.url}/r/${await firstRun(api, spec)}?throughput.mean=none`);
  await new Panels(page).ready();
  const figure = page.locator('[data-plot="throughput"]');
  const legend = figure.getByRole('list', { name: 'Legend' });
  await expect(legend).not.toContainText('Oracle');
  await figure.getByRole('button', { name: 'Oracle', exact: true }).click();
  await expect(page).toHaveURL(/throughput\.oracle=true/);
  await expect(legend.getByRole('button', { name: 'Oracle' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Values at the cross-hair' })).toContainText('Oracle');
  const csv = await saveFigure(page, 'Throughput', 'CSV');

  await test.step('its rows are those of the run that an experiment with the oracle has', async () => {
    const { runs } = await api.measure({ ...spec, ccas: [{ id: 'oracle' }] });
    const summary = runs[0]?.summary;
    const sums = sumsOf(csv);
    const drawn = (sums.get('Oracle') ?? NaN) / (sums.get('capacity') ?? NaN);
    expect(drawn).toBeCloseTo(summary?.links[0]?.utilisation ?? NaN, 2);
    expect(drawn).toBeGreaterThan(0.9);
  });

  await test.step('without a window it is the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paceline-oracle-'));
    try {
      const file = join(folder, 'f.csv');
      const id = new URL(page.url()).pathname.replace('/r/', '');
      const words = ['--of', id, '--url', sharedServer.url, '--out', file];
      await paceline('figure', 'throughput', ...words, '--option', 'oracle=true', '--option', 'mean=none');
      expect(sumsOf(await readFile(file))).toEqual(sumsOf(csv));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  await test.step('a click in the legend hides it, and the address keeps all of it', async () => {
    await legend.getByRole('button', { name: 'Oracle' }).click();
    await expect(page).toHaveURL(/hide=oracle/);
    await page.reload();
    await new Panels(page).ready();
    await expect(legend.getByRole('button', { name: 'Oracle' })).toHaveAttribute('aria-pressed', 'false');
    expect(sumsOf(await saveFigure(page, 'Throughput', 'CSV')).has('Oracle')).toBe(false);
  });
});

test('stacked panels share one time axis, RTTs over a decade a logarithmic one, and the lines of a flow differ', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  await page.goto(`${sharedServer.url}/r/${await firstRun(api, SHORT)}`);
  const panels = new Panels(page);
  await panels.ready();
  // Its numbers stand once, at the foot of the screen, and each panel's plot has its edges.
  const numbers = page.locator(`${STACKED_AXES} text`).filter({ hasText: /^30\s*s$/ });
  await expect(numbers).toHaveCount(1);
  await expect(numbers).toBeInViewport();
  const edges = await page
    .locator(`${STACKED_AXES} path`)
    .evaluateAll((axes) =>
      axes.map((axis) => axis.getBoundingClientRect()).map(({ left, right }) => `${left} ${right}`),
    );
  expect(edges.length).toBeGreaterThan(4);
  expect(new Set(edges).size).toBe(1);

  const rtt = page.locator('[data-plot="rtt"]');
  const ticks = (): Promise<string[]> => rtt.locator('[data-part="y"] .tick text').allTextContents();
  await expect.poll(ticks).toEqual(expect.arrayContaining(['20 ms', '100 ms']));
  await rtt.getByRole('combobox', { name: 'Scale' }).selectOption('linear');
  await expect(page).toHaveURL(/rtt\.scale=linear/);
  await expect.poll(ticks).toEqual(expect.arrayContaining(['0']));

  const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
  const colourOf = (label: string): Promise<string> =>
    values
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: label, exact: true }) })
      .locator('i')
      .evaluate((mark) => getComputedStyle(mark).backgroundColor);
  const colours = await Promise.all(['BBR srtt', 'BBR latest RTT', 'BBR one-way delay'].map(colourOf));
  expect(new Set(colours).size).toBe(3);
});

test('the cross-hair stands on all panels at one time and reads what was sampled there', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const id = await firstRun(api, SHORT);
  await page.goto(`${sharedServer.url}/r/${id}`);
  const panels = new Panels(page);
  await panels.ready();
  await either({
    mouse: () => panels.point(panels.all.first(), 0.4),
    keyboard: async () => {
      await panels.all.first().press('Home');
      for (let i = 0; i < 12; i++) await page.keyboard.press('Shift+ArrowRight');
    },
  });
  const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
  await expect(values.getByRole('heading')).toContainText(/at [\d.]+\s+s/);
  const cursors = await panels.cursors();
  expect(cursors).toHaveLength(await panels.all.count());
  expect(new Set(cursors).size).toBe(1);

  const time = Number(/at ([\d.]+)/.exec(await values.getByRole('heading').innerText())?.[1]);
  const [header = '', ...lines] = (await api.file(`/runs/${id}/export?format=csv`)).toString().trim().split('\r\n');
  const names = header.split(',');
  const rows = lines.map((line) => line.split(',').map(Number));
  const row = rows.findIndex((cells) => (cells[names.indexOf('time_s')] ?? 0) >= time - 1e-9);
  const near = (column: string, scale: number): number[] =>
    rows.slice(row - 1, row + 2).map((cells) => (cells[names.indexOf(column)] ?? Number.NaN) * scale);
  const shown = (label: string): Promise<string> =>
    values
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: label, exact: true }) })
      .getByRole('cell')
      .last()
      .innerText();
  // Three digits are shown; the time is rounded too, so a row beside it may be meant.
  const expectNear = (value: number, expected: readonly number[]): void =>
    expect(
      expected.map((other) => Math.abs(value - other) <= 0.006 * Math.abs(other)),
      `${value} beside ${expected.join()}`,
    ).toContain(true);
  expectNear(readQuantity(await shown('BBR cwnd')), near('sender0_cwnd_bytes', 1));
  expectNear(readQuantity(await shown('Cubic cwnd')), near('sender1_cwnd_bytes', 1));
  expectNear(readQuantity(await shown('BBR srtt')), near('sender0_srtt_ms', 1e-3));

  await test.step('a click pins it, and the link has it', async () => {
    await either({
      mouse: async () => {
        await page.mouse.down();
        await page.mouse.up();
      },
      keyboard: () => page.keyboard.press('m'),
    });
    await expect(page).toHaveURL(/cursor=/);
    await awayFromAll(page);
    await page.reload();
    await expect(values.getByRole('heading')).toContainText(`at ${time}`);
  });
});

test('a finished run replays on the panels that showed it', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  await page.goto(`${sharedServer.url}/r/${await firstRun(api, SHORT)}`);
  const panels = new Panels(page);
  await panels.ready();
  const bar = page.getByRole('group', { name: 'Replay' });
  const position = async (): Promise<number> => Number.parseFloat(await bar.locator('b').innerText());
  const picture = (): Promise<string> =>
    panels.all
      .first()
      .locator('canvas')
      .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  await expect.poll(position).toBe(30);
  const scrubber = bar.getByRole('slider', { name: 'Position in the run' });
  const seek = async (key: 'Home' | 'End', time: number): Promise<void> => {
    await scrubber.focus();
    await page.keyboard.press(key);
    await expect.poll(position).toBe(time);
  };
  await seek('Home', 0);
  const empty = await picture();
  await seek('End', 30);
  await expect.poll(picture).not.toBe(empty);
  const whole = await picture();

  await bar.getByRole('button', { name: 'Speed' }).click();
  await page.getByRole('option', { name: '2×', exact: true }).click();
  await bar.getByRole('button', { name: 'Play' }).click();
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(position).toBeGreaterThan(2);
  await expect.poll(async () => (await picture()) === whole).toBe(false);
  await bar.getByRole('button', { name: 'Pause' }).click();
  const stopped = await position();
  expect(stopped).toBeLessThan(30);

  await seek('Home', 0);
  await seek('End', 30);
  await expect.poll(picture).toBe(whole);
});

test('while it is replayed the values are those at the head, and the address has the place', async ({
  page,
  sharedServer,
  visitor,
}) => {
  const api = new Api(sharedServer);
  const address = `${sharedServer.url}/r/${await firstRun(api, SHORT)}`;
  await page.goto(address);
  const panels = new Panels(page);
  await panels.ready();
  const bar = page.getByRole('group', { name: 'Replay' });
  const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
  const valueOf = (label: string) =>
    values
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: label, exact: true }) })
      .getByRole('cell')
      .last();
  const at = (): number | null => {
    const text = new URL(page.url()).searchParams.get('at');
    return text === null ? null : Number(text);
  };
  const entries = (): Promise<number> => page.evaluate(() => history.length);
  const before = await entries();

  await test.step('they change while it plays', async () => {
    await bar.getByRole('button', { name: 'Play' }).click();
    await awayFromAll(page);
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        const [heading, cwnd] = await Promise.all([
          values.getByRole('heading').innerText(),
          valueOf('BBR cwnd').innerText(),
        ]);
        if (/at the head, [1-9]/.test(heading)) seen.add(cwnd);
        return seen.size;
      })
      .toBeGreaterThan(3);
    expect([...seen]).not.toContain('–');
  });

  const paused = await test.step('they stand still when it is paused, and so does the address', async () => {
    await expect.poll(at).not.toBeNull();
    await bar.getByRole('button', { name: 'Pause' }).click();
    await expect
      .poll(async () => Number(/head, ([\d.]+)/.exec(await values.innerText())?.[1]))
      .toBeCloseTo(Number.parseFloat(await bar.locator('b').innerText()), 0);
    for (const label of ['capacity', 'queue', 'BBR cwnd', 'BBR srtt']) await expect(valueOf(label)).toHaveText(/\d/);
    // While it played the address followed now and then; where it came to rest is an entry of its own.
    await expect.poll(entries).toBe(before + 1);
    expect(at()).toBeCloseTo(Number.parseFloat(await bar.locator('b').innerText()), 0);
    return at() ?? 0;
  });

  await test.step('somebody else finds it paused there', async () => {
    const other = await visitor();
    await other.goto(page.url());
    const theirs = other.getByRole('group', { name: 'Replay' });
    await expect(theirs.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect.poll(async () => Number.parseFloat(await theirs.locator('b').innerText())).toBeCloseTo(paused, 0);
    await expect(
      other.getByRole('complementary', { name: 'Values at the cross-hair' }).getByRole('row', { name: /BBR cwnd/ }),
    ).toHaveText(
      await values
        .getByRole('row', { name: /BBR cwnd/ })
        .innerText()
        .then((text) => text.replace('\t', '')),
    );
  });

  await test.step('the way back leads to where it was before it played', async () => {
    await page.goBack();
    await expect.poll(at).toBeNull();
    await expect(bar.locator('b')).toHaveText('30.0');
    await page.goForward();
    await expect.poll(at).toBe(paused);
    await expect.poll(async () => Number.parseFloat(await bar.locator('b').innerText())).toBeCloseTo(paused, 0);
  });

  await test.step('a place that was sought is one entry, and the speed is in the link', async () => {
    const scrubber = bar.getByRole('slider', { name: 'Position in the run' });
    await scrubber.focus();
    await page.keyboard.press('Home');
    await expect.poll(at).toBe(0);
    await page.keyboard.press('PageUp');
    await expect.poll(at).toBeGreaterThan(0);
    await page.goBack();
    await expect.poll(at).toBe(0);
    await page.goBack();
    await expect.poll(at).toBe(paused);
    await bar.getByRole('button', { name: 'Speed' }).click();
    await page.getByRole('option', { name: '5×', exact: true }).click();
    await expect(page).toHaveURL(/speed=5/);
    await page.reload();
    await expect(bar.getByRole('button', { name: /5×/ })).toBeVisible();
  });
});

test('a replay steps by sample and by event, loops a part, and takes several runs along', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const { runs } = await api.measure({ ...SHORT, repetitions: 2 });
  const bar = page.getByRole('group', { name: 'Replay' });
  const at = (): number => Number(new URL(page.url()).searchParams.get('at'));
  await page.goto(`${sharedServer.url}/r/${runs[0]?.id ?? ''}?at=10&t=5,15`);
  await new Panels(page).ready();
  await page.keyboard.press('ArrowRight');
  await expect.poll(at).toBeCloseTo(10.01, 3);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(at).toBeCloseTo(9.91, 3);
  await page.keyboard.press(',');
  await expect(bar.getByRole('status')).toHaveText(/^(BBR|Cubic) \w/);
  await expect.poll(at).toBeLessThan(9.91);
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/loop=5,15/);
  await expect(bar.getByRole('button', { name: '5.0–15.0 s' })).toHaveAttribute('aria-pressed', 'true');

  const two = runs.slice(0, 2).map(({ id }) => id);
  await page.goto(`${sharedServer.url}/overlay?runs=${two.join()}&at=3&loop=3,4&speed=10`);
  await new Panels(page).ready();
  await expect(bar.locator('b')).toHaveText('3.0');
  const values = page.getByRole('complementary', { name: 'Values at the cross-hair' });
  await expect(values.getByRole('heading')).toContainText('at the head, 3');
  await page.keyboard.press('Space');
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible();
  // Ten seconds a second: it has gone round several times.
  await expect.poll(at).toBeGreaterThan(3);
  // The address is as exact as a thousandth of a second.
  expect(at()).toBeLessThanOrEqual(4);
  await page.keyboard.press('Space');
  await expect(bar.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect.poll(async () => Number.parseFloat(await bar.locator('b').innerText())).toBeLessThanOrEqual(4);
});

test('a run looks the same whether it was watched or loaded', async ({ page, server }) => {
  const api = new Api(server);
  const { id } = await api.submit({
    name: 'Watched and loaded',
    traces: [{ rate_mbps: 300 }],
    ccas: [{ id: 'bbr' }],
    duration_s: 300,
  });
  const record = await api.until(id, ({ runs }) => runs.length > 0);
  await page.goto(`${server.url}/r/${record.runs[0]?.id ?? ''}`);
  const panels = new Panels(page);
  const pictures = (): Promise<string[]> =>
    page
      .locator('[data-plot] canvas')
      .evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()));
  const complete = async (): Promise<string[]> => {
    await panels.ready();
    await expect(page.getByRole('group', { name: 'Replay' }).locator('b')).toHaveText('300.0', { timeout: 90_000 });
    await expect(page.getByRole('region', { name: 'Flows' })).toBeVisible();
    await awayFromAll(page);
    // The last samples are painted in the frame after they came.
    let last: string[] = [];
    await expect
      .poll(async () => {
        const before = last;
        last = await pictures();
        return last.length > 3 && last.every((picture, i) => picture === before[i]);
      })
      .toBe(true);
    return last;
  };
  const watched = await complete();
  await page.reload();
  const loaded = await complete();
  expect(watched.map((picture, i) => picture === loaded[i])).toEqual(watched.map(() => true));
});

test('a long run is watched while it goes, and Stop ends it at once', async ({ page, server }) => {
  const api = new Api(server);
  const { id } = await api.submit(LONG);
  const record = await api.until(id, ({ runs }) => (runs[0]?.time_s ?? 0) > 0);
  const run = record.runs[0]?.id ?? '';
  await page.goto(`${server.url}/r/${run}`);
  const panels = new Panels(page);
  await panels.ready();
  const bar = page.getByRole('group', { name: 'Progress' });
  const time = async (): Promise<number> => Number.parseFloat(await bar.locator('b').innerText());
  const canvas = panels.all.nth(1).locator('canvas');
  const picture = (): Promise<string> => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  const times: number[] = [];
  while (times.length < 4) {
    const last = times.at(-1) ?? 0;
    await expect.poll(time).toBeGreaterThan(last);
    times.push(await time());
  }
  // The run goes on, and so does the figure; on a busy machine it comes after the clock.
  const before = await picture();
  await expect.poll(picture).not.toBe(before);
  await expect(bar).toContainText('left');
  await expect(bar.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /\d/);

  // Beside its own there may be one that rests from the run before.
  const pids = programsOf(server.pid);
  expect(pids.length).toBeGreaterThan(0);
  const pressed = Date.now();
  await bar.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('This run was stopped')).toBeVisible();
  test.info().annotations.push({ type: 'Stop to stopped', description: `${Date.now() - pressed} ms` });
  expect(stillAlive(pids)).toHaveLength(pids.length - 1);
  const ended = await api.run(run);
  expect(ended.state).toBe('cancelled');
  expect(ended.time_s).toBeGreaterThan(times[0] ?? 0);
  expect(ended.time_s).toBeLessThan(LONG.duration_s ?? 0);
  // What was measured until then is still on the panels.
  await expect(page.getByRole('group', { name: 'Replay' })).toBeVisible();
  await expect.poll(() => panels.timeAxis()).not.toBe('');
});

test('a view in the link that is not understood is said, and the rest of it is shown', async ({
  page,
  sharedServer,
}) => {
  const id = await firstRun(new Api(sharedServer), SHORT);
  await page.goto(`${sharedServer.url}/r/${id}?t=5,abc&cursor=4`);
  await expect(page.getByText('Part of this link was not understood')).toBeVisible();
  await expect(page.getByText('t=5,abc')).toBeVisible();
  await new Panels(page).ready();
  await expect(page.getByRole('complementary', { name: 'Values at the cross-hair' })).toContainText('at 4');
});
