// A server whose runs are made by a worker: the page says who makes them, and they look as any others.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { axeFaults } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { paceline } from './support/cli.ts';
import { PacelineServer } from './server.ts';
import { TestProcess } from '../server/src/testing/process.ts';
import { TestRedis, withoutRedis } from '../server/src/testing/redis.ts';

test.skip(withoutRedis !== null, withoutRedis ?? '');

let redis: TestRedis;
let lab: PacelineServer;
let cache: string;
const workers: TestProcess[] = [];

test.beforeAll(async () => {
  redis = await TestRedis.start();
  cache = await mkdtemp(join(tmpdir(), 'paceline-e2e-cache-'));
  lab = await PacelineServer.start({ env: { PACELINE_REDIS_URL: redis.url } });
});
test.afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
  await lab.dispose();
  await redis.dispose();
  await rm(cache, { recursive: true, force: true });
});

function work(name: string, ...words: string[]): TestProcess {
  const env = { ...process.env, PACELINE_REDIS_URL: redis.url };
  const place = ['--name', name, '--cache-dir', join(cache, name)];
  const worker = new TestProcess('server/src/cli/main.ts', ['worker', ...place, ...words], undefined, env);
  workers.push(worker);
  return worker;
}

test('the page says who makes runs, a worker makes them, and ends when it is told to', async ({ page }) => {
  await page.goto(`${lab.url}/doctor`);
  const machines = page.getByRole('region', { name: 'Where runs are made' });
  await expect(machines.getByText('No worker is there.')).toBeVisible();
  const worker = work('rack-7', '--cores', '2', '--capabilities', 'virtual');
  await worker.says(/The worker is ready: rack-7, 2 cores, virtual/);
  const rack = machines.getByRole('listitem').filter({ hasText: 'rack-7' });
  await expect(rack).toContainText('of 2 cores busy');
  await expect(machines.getByRole('listitem').filter({ hasText: 'This server' })).toContainText(
    'what no worker can make',
  );

  const spec = {
    name: 'By others',
    traces: [{ trace: 'Cellular walk, LTE-like' }],
    ccas: ['cubic', 'bbr'].map((id) => ({ id })),
    repetitions: 2,
    duration_s: 20,
  };
  const { runs } = await new Api(lab).measure(spec);
  expect(runs).toHaveLength(4);
  await expect(rack).toContainText('4 made');
  await expect(machines).toContainText(/Nothing waits · \d+ ended in the last minute/);
  const costs = machines.getByRole('list', { name: 'What experiments cost' }).getByRole('listitem');
  await expect(costs.filter({ hasText: 'By others' })).toContainText(
    /4 of 4 runs.*\ss of processor time, 4 runs by workers/,
  );
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => layoutFaults(page)).toEqual([]);
  }
  expect(await axeFaults(page)).toEqual([]);
  const { stdout } = await paceline('workers', '--server', lab.url);
  expect(stdout).toMatch(/rack-7 +2 +0 +0 +4 +virtual +ready/);
  expect(stdout).toMatch(/By others \(\S+\) +4 of 4 +4 +\S+\ss\s*$/m);

  await page.goto(`${lab.url}/r/${runs[0]?.id ?? ''}`);
  await expect(page.locator('[data-plot="throughput"] canvas').first()).toBeVisible();

  expect((await worker.kill('SIGTERM')).code).toBe(0);
  await page.goto(`${lab.url}/doctor`);
  await expect(machines.getByText('No worker is there.')).toBeVisible();
});

test('it says when Redis is gone, and makes runs itself', async ({ page }) => {
  await redis.kill();
  await page.goto(`${lab.url}/doctor`);
  const notice = page.getByRole('status').filter({ hasText: 'No runs go to workers' });
  await expect(notice).toContainText('Redis cannot be reached at redis://127.0.0.1');
  await expect(page.getByRole('listitem').filter({ hasText: /Workers/ })).toContainText('it asks again by itself');
  await new Api(lab).measure({ name: 'Alone', traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 5 });
  await redis.again();
  await expect(notice).toHaveCount(0);
});
