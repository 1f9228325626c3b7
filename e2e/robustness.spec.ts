// A server that is killed in the middle of an experiment: nothing finished is lost, nothing interrupted is missing, nothing is left behind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExperimentSpecInput } from '#protocol/spec';
import { expect, test } from './fixtures.ts';
import { PacelineServer } from './server.ts';
import { Api } from './support/api.ts';
import { programsOf, stillAlive } from './support/processes.ts';

const SPEC: ExperimentSpecInput = {
  name: 'Interrupted',
  traces: [{ rate_mbps: 500 }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }],
  duration_s: 200,
};

test.describe('kill -9', () => {
  // The page keeps asking while nobody answers; the browser logs each refused connection.
  test.use({
    expectedComplaints: [
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket connection to/,
    ],
  });

  test('what was interrupted runs again, what was done is there, and the open page goes on', async ({ page }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paceline-e2e-kill-'));
    // One run at a time, so that the experiment is certainly in its middle when some of it is done.
    const first = await PacelineServer.start({ dataDir, flags: ['--workers', '1'] });
    const { port } = new URL(first.url);
    const { id } = await new Api(first).submit(SPEC);
    await page.goto(`${first.url}/e/${id}`);
    await expect(page.getByRole('group', { name: 'Progress' })).toBeVisible();
    const before = await new Api(first).until(
      id,
      ({ runs }) =>
        runs.some(({ state }) => state === 'done') && runs.some((run) => run.state === 'running' && run.time_s > 0),
    );
    const pids = programsOf(first.pid);
    const killed = new Date().toISOString();
    await first.stop('SIGKILL');
    expect(pids).toHaveLength(1);
    await expect.poll(() => stillAlive(pids)).toEqual([]);

    const second = await PacelineServer.start({ dataDir, flags: ['--workers', '1', '--port', port] });
    try {
      const api = new Api(second);
      const after = await api.ended(id);
      expect(after.state).toBe('done');
      expect(after.runs.map(({ state }) => state)).toEqual(after.runs.map(() => 'done'));
      const done = new Map(before.runs.map((run) => [run.id, run.summary]));
      for (const { id: run } of after.runs) {
        const record = await api.run(run);
        const summary = done.get(run) ?? null;
        if (summary !== null) {
          // What was done was not done again.
          expect(record.summary).toEqual(summary);
          expect((record.finished_at ?? '') < killed).toBe(true);
          continue;
        }
        // What ran again has each sample once.
        const csv = (await api.file(`/runs/${run}/export?format=csv`)).toString().trim().split('\r\n').slice(1);
        const times = csv.map((line) => Number(line.slice(0, line.indexOf(','))));
        expect(times.length).toBeGreaterThanOrEqual((SPEC.duration_s ?? 0) * 100);
        expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true);
      }
      expect([...done.values()].some((summary) => summary !== null)).toBe(true);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('done');
      // What was watched stays where it is, with nothing left to stop.
      const progress = page.getByRole('group', { name: 'Progress' });
      await expect(progress).toContainText('3 of 3 runs');
      await expect(progress.getByRole('button', { name: 'Stop' })).toBeHidden();
      await expect(page.getByRole('region', { name: 'Table', exact: true }).locator('tbody tr')).toHaveCount(3);
    } finally {
      await second.dispose();
    }
    await rm(dataDir, { recursive: true, force: true });
  });
});

test('a server that is asked to end stops its programs first, and goes on after its next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paceline-e2e-term-'));
  const first = await PacelineServer.start({ dataDir });
  const { id } = await new Api(first).submit({ ...SPEC, name: 'Ended', ccas: [{ id: 'cubic' }], duration_s: 80_000 });
  await new Api(first).until(id, ({ runs }) => runs.some((run) => run.state === 'running' && run.time_s > 0));
  const pids = programsOf(first.pid);
  expect(pids.length).toBeGreaterThan(0);
  await first.stop('SIGTERM');
  expect(stillAlive(pids)).toEqual([]);

  const second = await PacelineServer.start({ dataDir });
  try {
    const record = await new Api(second).until(id, ({ runs }) => runs.some(({ state }) => state === 'running'));
    expect(record.state).toBe('running');
  } finally {
    await second.dispose();
  }
});

test.describe('a part of a page whose code cannot be fetched', () => {
  test.use({ expectedComplaints: [/ERR_CONNECTION_REFUSED/] });

  test('comes when the server is there again, and the rest of the page is there meanwhile', async ({
    page,
    sharedServer,
  }) => {
    const { runs } = await new Api(sharedServer).measure({
      ...SPEC,
      name: 'Parts',
      ccas: [{ id: 'cubic' }],
      duration_s: 1,
    });
    let refused = 0;
    await page.route(/LiveMeasurements-.*\.js/, (route) =>
      ++refused <= 2 ? route.abort('connectionrefused') : route.continue(),
    );
    await page.goto(`${sharedServer.url}/r/${runs[0]?.id ?? ''}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Cubic');
    await expect(page.getByRole('heading', { name: 'Live measurements' })).toBeVisible();
    expect(refused).toBeGreaterThan(2);
  });
});
