// Runs made by workers over a real Redis, and what becomes of them when one of the three is gone.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExperimentRecord } from '#protocol/api';
import type { AskedSpecInput } from '#protocol/spec';
import { listCcas } from '#bridge/ccas';
import { oneShot } from '#bridge/one-shot';
import { quicHelper } from '#bridge/quic';
import { run } from '#bridge/run';
import { LONG, QUICK, TestServer } from '../testing/server.ts';
import { ownText } from '../testing/own-texts.ts';
import { TestRedis, withoutRedis } from '../testing/redis.ts';
import { eventually, TestProcess } from '../testing/process.ts';
import { KEYS } from './keys.ts';
import { isOfKernel } from './needs.ts';
import { FleetWorker, type WorkerOptions } from './worker.ts';

const quic = quicHelper();
const missing = (await hasTun()) ? (quic.path === null ? quic.unavailable : null) : 'paceline-tun cannot work';

const log = pino({ level: 'silent' });

function hasTun(): Promise<boolean> {
  return oneShot('paceline-tun', ['--check']).then(
    () => true,
    () => false,
  );
}

/** A run that goes on for ever, on a machine with which something is wrong. */
const untilStopped: NonNullable<WorkerOptions['make']> = (_, { signal }) => {
  const reason = 'something is wrong with this machine';
  const unmade = { outcome: 'failed', cause: 'machine', reason, stderrTail: '', summary: null, cost: null } as const;
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(unmade)));
};

describe.skipIf(withoutRedis !== null)('runs made by workers', () => {
  let redis: TestRedis;
  let folder: string;
  let own = '';
  const servers: TestServer[] = [];
  const workers: FleetWorker[] = [];
  const processes: TestProcess[] = [];

  beforeEach(async () => {
    redis = await TestRedis.start();
    folder = mkdtempSync(join(tmpdir(), 'paceline-fleet-'));
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await Promise.all(processes.splice(0).map((process) => process.kill('SIGKILL')));
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await redis.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const serve = async (options: Parameters<typeof TestServer.start>[0] = {}): Promise<TestServer> => {
    const server = await TestServer.start({ redisUrl: redis.url, ...options });
    servers.push(server);
    return server;
  };
  /** One that has an own algorithm, too. */
  const serveOwn = async (options: Parameters<typeof TestServer.start>[0] = {}): Promise<TestServer> => {
    const server = await serve(options);
    own = (await server.lab.ownAlgorithms.add(ownText('Steady'), 'of a test')).algorithm.id;
    return server;
  };
  const work = async (options: Partial<WorkerOptions> = {}): Promise<FleetWorker> => {
    const { engine_version } = await listCcas();
    const worker = await FleetWorker.open({
      url: redis.url,
      name: `w${workers.length}`,
      capabilities: ['virtual', 'realtime'],
      cores: 2,
      cacheDir: join(folder, `cache-${workers.length}`),
      cacheBytes: 2 ** 30,
      engineVersion: engine_version,
      kernelCcas: [],
      log,
      ...options,
    });
    workers.push(worker);
    return worker;
  };
  const seen = async (server: TestServer, worker: FleetWorker): Promise<void> =>
    eventually(() => server.lab.fleet?.cards.some(({ id }) => id === worker.id) === true);

  /** All that is kept of each run: what it came to, its samples and events. */
  const kept = ({ lab }: TestServer, { runs }: ExperimentRecord): Record<string, unknown> =>
    Object.fromEntries(
      runs.map(({ id }) => {
        const { state, reason, summary } = lab.store.runs.get(id) ?? {};
        const hash = createHash('sha256');
        for (const [stream, rows] of lab.store.samples.heads(id)) {
          hash.update(`${stream}:${rows}`);
          for (const { payload } of lab.store.samples.slices(id, stream, 0, rows)) hash.update(payload);
        }
        // But for what the machine spent on it.
        for (const { body } of lab.store.samples.controls(id)) if (!body.includes('"cost"')) hash.update(body);
        return [id, { state, reason, summary, hash: hash.digest('hex') }];
      }),
    );
  const alone = async (spec: AskedSpecInput): Promise<Record<string, unknown>> => {
    const server = await serveOwn({ redisUrl: undefined });
    const experiment = await server.submit(spec);
    await server.over(experiment);
    return kept(server, experiment);
  };

  const many = (): AskedSpecInput => ({
    ...QUICK,
    traces: [{ rate_mbps: 12 }, { trace: 'Cellular walk, LTE-like' }],
    repetitions: 2,
    ccas: ['cubic', 'bbr', 'orca', own].map((id) => ({ id })),
  });

  it('are the same byte for byte as those of the server itself', async () => {
    const server = await serveOwn();
    const [a, b] = [await work(), await work()];
    await Promise.all([seen(server, a), seen(server, b)]);
    const before = a.card.done + b.card.done;
    const experiment = await server.submit(many());
    await server.over(experiment);
    expect(a.card.done + b.card.done - before).toBe(16);
    // Those of an own algorithm do not tell what they took.
    expect(server.lab.store.costs.of(experiment.id)).toMatchObject({ runs: 12, elsewhere: 12 });
    expect(kept(server, experiment)).toEqual(await alone(many()));
  });

  it('that go away in the middle go back, and others make them', async () => {
    const server = await serve({ workers: 1 });
    const leaver = await work({ capabilities: ['virtual'] });
    await seen(server, leaver);
    const spec = { ...LONG, duration_s: 300 };
    const experiment = await server.submit(spec);
    const [run] = experiment.runs;
    await eventually(() => server.lab.scheduler.active.get(run?.id ?? '')?.elsewhere === 'virtual');
    await eventually(() => leaver.card.doing.length === 1);
    await leaver.close();
    // Nobody else is there: the server itself.
    await server.over(experiment);
    expect(leaver.card.done).toBe(0);
    expect(server.lab.store.runs.get(run?.id ?? '')).toMatchObject({ state: 'done', reason: null });
    expect(kept(server, experiment)).toEqual(await alone(spec));
  });

  it('stop at once where somebody stops them, and keep what they told', async () => {
    const server = await serve();
    const worker = await work();
    await seen(server, worker);
    const experiment = await server.submit(LONG);
    const id = experiment.runs[0]?.id ?? '';
    await eventually(() => (server.lab.scheduler.recordingOf(id)?.time_s ?? 0) > 0);
    const before = performance.now();
    expect((await server.post(`/runs/${id}/stop`)).status).toBeLessThan(300);
    await server.reaches(id, 'cancelled');
    expect(performance.now() - before).toBeLessThan(2500);
    expect(server.lab.store.runs.get(id)).toMatchObject({ state: 'cancelled', reason: 'stopped' });
    expect(server.lab.store.samples.heads(id).size).toBeGreaterThan(0);
    await eventually(() => worker.card.doing.length === 0);
  });

  it('stay stopped where their worker gives them back', async () => {
    const server = await serve();
    const worker = await work({ capabilities: ['virtual'], make: untilStopped });
    await seen(server, worker);
    const id = (await server.submit(QUICK)).runs[0]?.id ?? '';
    await eventually(() => worker.card.doing.length === 1);
    // It has been told that the run has begun.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await server.post(`/runs/${id}/stop`);
    await server.reaches(id, 'cancelled', 'done');
    expect(server.lab.store.runs.state(id)).toBe('cancelled');
  });

  it('can have their link changed while they go on, in real time', async () => {
    const server = await serve();
    const worker = await work({ capabilities: ['realtime'] });
    await seen(server, worker);
    // Also by a worker that has lost Redis meanwhile: it listens again.
    await redis.again();
    const client = redis.client();
    await eventually(async () => (await client.exists(KEYS.card(worker.id))) === 1);
    await eventually(async () => (await client.exists(KEYS.sign)) === 1);
    client.disconnect();
    await seen(server, worker);
    const experiment = await server.submit({ ...QUICK, engine: 'realtime', duration_s: 4, traces: [{ rate_mbps: 4 }] });
    const id = experiment.runs[0]?.id ?? '';
    await eventually(() => server.lab.scheduler.active.get(id)?.changeLink instanceof Function);
    server.lab.scheduler.active.get(id)?.changeLink?.({ type: 'set', direction: 'forward', rate_mbps: 2 });
    await server.over(experiment);
    expect(worker.card.done).toBe(1);
    expect(server.lab.store.runs.get(id)?.reason).toContain('changed by hand');
    expect(server.lab.store.samples.controls(id).some(({ body }) => body.includes('link_change'))).toBe(true);
  });

  it.skipIf(missing !== null)('go over the kernel’s TCP and QUIC there, and bring their qlogs', async () => {
    const server = await serve();
    const kernelCcas = (await listCcas()).ccas.map(({ id }) => id).filter(isOfKernel);
    const worker = await work({ capabilities: ['kernel', 'quic'], kernelCcas });
    await seen(server, worker);
    const ccas = ['kernel-cubic', 'quic-cubic'].map((id) => ({ id }));
    const experiment = await server.submit({
      ...{ ...QUICK, ccas, engine: 'realtime', duration_s: 2, qlog: true },
      traces: [{ rate_mbps: 10 }],
    });
    await server.over(experiment);
    expect(worker.card.done).toBe(2);
    for (const { id } of experiment.runs) {
      const { state, reason, cost } = server.lab.store.runs.get(id) ?? {};
      // A machine that is busy with other tests may be late.
      expect(['done', 'invalid'], reason ?? '').toContain(state);
      expect(cost?.worker).toBe('w0');
    }
    const logs = experiment.runs.map(({ id }) => server.lab.qlogs.file(id, 0)).filter((file) => existsSync(file));
    expect(logs).toHaveLength(1);
    const lines = readFileSync(logs[0] ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(JSON.parse(lines[0]?.slice(1) ?? '')).toMatchObject({ qlog_format: 'JSON-SEQ' });
    expect(lines.length).toBeGreaterThan(100);
  });

  it('over the kernel’s TCP are left to the server where its kernel has more', async () => {
    const server = await serve();
    const worker = await work({ capabilities: ['virtual', 'kernel'], kernelCcas: [] });
    const ofServer = (await listCcas()).ccas.filter(({ id }) => isOfKernel(id));
    expect(worker.card.capabilities).toEqual(ofServer.length > 0 ? ['virtual'] : ['virtual', 'kernel']);
    await seen(server, worker);
    expect(server.lab.fleet?.takes('virtual')).toBe(true);
    expect(server.lab.fleet?.takes('kernel')).toBe(ofServer.length === 0);
    if (missing !== null) return;
    // Nor are they taken where there is another worker, for which they are: here one that only says that it is there.
    const client = redis.client();
    const other = { ...worker.card, id: randomUUID(), capabilities: ['kernel'] };
    await client.sadd(KEYS.workers, other.id);
    await client.set(KEYS.card(other.id), JSON.stringify(other), 'EX', 4);
    await eventually(() => server.lab.fleet?.takes('kernel') === true);
    const spec: AskedSpecInput = { ...QUICK, ccas: [{ id: 'kernel-cubic' }], engine: 'realtime', duration_s: 1 };
    const experiment = await server.submit({ ...spec, traces: [{ rate_mbps: 10 }] });
    const id = experiment.runs[0]?.id ?? '';
    await eventually(() => server.lab.scheduler.active.get(id)?.elsewhere === 'kernel');
    await server.over(experiment);
    expect(worker.card.done).toBe(0);
    expect(server.lab.store.runs.get(id)?.cost?.worker).toBeUndefined();
    expect(['done', 'invalid']).toContain(server.lab.store.runs.state(id));
    client.disconnect();
  });

  it('outlive a Redis that loses everything', async () => {
    const server = await serveOwn({ workers: 1 });
    const worker = await work({ capabilities: ['virtual'] });
    await seen(server, worker);
    const experiment = await server.submit(many());
    await eventually(() => server.lab.scheduler.active.size > 0);
    await redis.again();
    await server.over(experiment);
    expect(kept(server, experiment)).toEqual(await alone(many()));
    // And the three go on together.
    const done = worker.card.done;
    await eventually(() => server.lab.fleet?.trouble === null);
    await seen(server, worker);
    const next = { ...many(), seed: 99 };
    await server.over(await server.submit(next));
    expect(worker.card.done).toBeGreaterThan(done);
  });

  it('of a server that ends in the middle are made for the next one', async () => {
    const dataDir = join(folder, 'data');
    const first = await TestServer.start({ redisUrl: redis.url, dataDir });
    const worker = await work();
    await seen(first, worker);
    const experiment = await first.submit({ ...LONG, duration_s: 200, repetitions: 3 });
    await eventually(() => worker.card.doing.length === 2);
    await first.stop();
    const second = await serve({ dataDir });
    await second.over(experiment);
    const states = experiment.runs.map(({ id }) => second.lab.store.runs.get(id)?.state);
    expect(states).toEqual(['done', 'done', 'done']);
    await eventually(() => worker.card.doing.length === 0);
  });

  it('are not begun by a worker that ends', async () => {
    const server = await serve();
    let begun = 0;
    const make = (...words: Parameters<typeof run>): ReturnType<typeof run> => {
      begun += 1;
      return run(...words);
    };
    const worker = await work({ capabilities: ['virtual'], make });
    await seen(server, worker);
    await worker.drain();
    // The server has not looked yet.
    const experiment = await server.submit(QUICK);
    await server.over(experiment);
    expect(server.lab.store.runs.get(experiment.runs[0]?.id ?? '')?.state).toBe('done');
    expect(begun).toBe(0);
  });

  it('of a server that has only just come are made at once', async () => {
    const dataDir = join(folder, 'data');
    const first = await TestServer.start({ redisUrl: redis.url, dataDir });
    const worker = await work({ capabilities: ['virtual'] });
    await seen(first, worker);
    const { runs } = await first.submit({ ...LONG, repetitions: 3 });
    await eventually(() => worker.card.doing.length === 2);
    await first.stop();
    const second = await serve({ dataDir });
    const begun = ({ id }: { id: string }): boolean =>
      second.lab.scheduler.active.get(id)?.elsewhere === 'virtual' &&
      (second.lab.scheduler.recordingOf(id)?.time_s ?? 0) > 0;
    const setbacks = (): string[] =>
      runs.flatMap(({ id }) => second.lab.scheduler.setbackOf(id)?.reason ?? []).filter((why) => /gone/.test(why));
    await eventually(() => runs.filter(begun).length === 2 || setbacks().length > 0);
    expect(setbacks()).toEqual([]);
    await Promise.all(runs.map(({ id }) => second.post(`/runs/${id}/stop`)));
  });

  it('are left to the server where the engine is another', async () => {
    const server = await serve();
    const worker = await work({ engineVersion: '0.0.0+another' });
    await seen(server, worker);
    const experiment = await server.submit(QUICK);
    await server.over(experiment);
    expect(worker.card.done).toBe(0);
    expect(server.lab.store.runs.get(experiment.runs[0]?.id ?? '')?.state).toBe('done');
  });

  it('do not go to a Redis that another data folder’s server has', async () => {
    const first = await serve();
    const second = await serve();
    expect(first.lab.fleet?.trouble).toBeNull();
    expect(second.lab.fleet?.trouble).toContain('in use by the server of another data folder');
    const experiment = await second.submit(QUICK);
    await second.over(experiment);
    expect(second.lab.store.runs.get(experiment.runs[0]?.id ?? '')?.state).toBe('done');
  });

  it('keep no server from its end that has lost Redis', async () => {
    const server = await serve();
    await redis.kill();
    await eventually(() => server.lab.fleet?.trouble?.includes('cannot be reached') === true);
    servers.splice(servers.indexOf(server), 1);
    await server.close();
  });

  it('keep no worker from its end that has lost Redis', async () => {
    const server = await serve();
    const worker = await work();
    await seen(server, worker);
    const experiment = await server.submit(LONG);
    await eventually(() => worker.card.doing.length === 1);
    await redis.kill();
    workers.splice(workers.indexOf(worker), 1);
    await worker.close();
    expect(worker.card.doing).toEqual([]);
    await server.post(`/runs/${experiment.runs[0]?.id ?? ''}/stop`);
  });

  it('in hand are dropped by a worker whose Redis is gone for good', async () => {
    const server = await serve();
    const worker = await work({ capabilities: ['virtual'], make: untilStopped, patienceMs: 2000 });
    await seen(server, worker);
    await server.submit(QUICK);
    await eventually(() => worker.card.doing.length === 1);
    await redis.kill();
    // Told once, as by systemd.
    await worker.drain();
    expect(worker.card.doing).toEqual([]);
  });

  it('keep no process of a worker from its end that waited for Redis', async () => {
    const words = ['worker', '--capabilities', 'virtual', '--cores', '1', '--cache-dir', join(folder, 'cache')];
    const env = { ...process.env, PACELINE_REDIS_URL: redis.url };
    const worker = new TestProcess('server/src/cli/main.ts', words, folder, env);
    processes.push(worker);
    await worker.says(/^The worker is ready/m);
    await redis.kill();
    // By then it waits to renew its card.
    await new Promise((resolve) => setTimeout(resolve, 1800));
    await redis.again();
    expect((await worker.kill('SIGTERM')).code).toBe(0);
  });

  it('are made by the server while Redis says nothing', async () => {
    const server = await serve();
    const worker = await work({ capabilities: ['virtual'] });
    await seen(server, worker);
    process.kill(redis.pid, 'SIGSTOP');
    try {
      await eventually(() => server.lab.fleet?.trouble?.includes('does not answer') === true);
      const experiment = await server.submit(QUICK);
      await server.over(experiment);
      expect(worker.card.done).toBe(0);
      expect(server.lab.store.runs.get(experiment.runs[0]?.id ?? '')?.state).toBe('done');
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await eventually(() => server.lab.fleet?.trouble === null);
  });

  it('are made by the server while there is no Redis', async () => {
    await redis.kill();
    const server = await serve();
    expect(server.lab.fleet?.trouble).toContain('cannot be reached');
    const experiment = await server.submit(QUICK);
    await server.over(experiment);
    expect(server.lab.store.runs.get(experiment.runs[0]?.id ?? '')?.state).toBe('done');
  });
});
