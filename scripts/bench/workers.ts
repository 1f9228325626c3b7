// Workers over Redis: held against the embedded queue on the same cores, and as many as a cluster has, which only wait.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import { FleetWorker } from '#server/fleet/worker';
import { TestProcess } from '#server/testing/process';
import { TestRedis, withoutRedis } from '#server/testing/redis';
import { PacelineServer } from '../../e2e/server.ts';
import { median, type Bench, type Measurement } from './bench.ts';
import { over, submit } from './campaign/campaign.ts';

const RUNS = Number(process.env['MANY_RUNS'] ?? 600);
const DURATION_S = 60;
const PERIOD_MS = 10;
/** A row every 10 s: next to no samples to tell. */
const SCARCE_MS = 10_000;
const ROUNDS = 3;
const CORES = 2;
/** Slower than the embedded queue, at most. */
const AIM_SLOWER = 1.05;

const CLUSTER = 50;
/** Long against what it takes to hand one out. */
const RUN_S = 1;
const CLUSTER_RUNS = 1000;
const AIM_LINEAR = 0.9;

/** Runs a second, by a server with so many cores of its own or with workers. */
async function pace(workers: number, seed: number, sample_period_ms: number): Promise<number> {
  const redis = workers === 0 ? null : await TestRedis.start();
  const cache = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  const env = redis === null ? {} : { PACELINE_REDIS_URL: redis.url };
  const server = await PacelineServer.start({ flags: ['--workers', String(CORES)], env });
  const started: TestProcess[] = [];
  try {
    await over(server.url, 100);
    for (let i = 0; i < workers; i++) {
      const words = ['worker', '--cores', String(CORES / workers), '--capabilities', 'virtual', '--cache-dir', cache];
      const worker = new TestProcess('server/src/cli/main.ts', words, undefined, { ...process.env, ...env });
      started.push(worker);
      await worker.says(/The worker is ready/);
    }
    // The server looks for them every second; simulating processes are warm.
    await sleep(1500);
    const start = performance.now();
    await submit(server.url, { runs: RUNS, duration_s: DURATION_S, sample_period_ms, seed });
    await over(server.url, 200);
    return RUNS / ((performance.now() - start) / 1000);
  } finally {
    await Promise.all(started.map((worker) => worker.kill('SIGTERM')));
    await server.dispose();
    await redis?.dispose();
    rmSync(cache, { recursive: true, force: true });
  }
}

async function againstEmbedded(what: string, period_ms: number): Promise<Measurement> {
  const embedded: number[] = [];
  const byWorkers: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    embedded.push(await pace(0, round, period_ms));
    byWorkers.push(await pace(2, round, period_ms));
  }
  const ratio = median(embedded) / median(byWorkers);
  return {
    what: `${RUNS} runs of ${DURATION_S} s, ${what}, by two workers on this machine`,
    measured: `${median(byWorkers).toFixed(1)} a second, embedded queue ${median(embedded).toFixed(1)}: ${ratio.toFixed(2)} times as long`,
    aim: { text: `<= ${AIM_SLOWER} times`, met: ratio <= AIM_SLOWER },
  };
}

/** Each makes its run, and rests until a second is over: what they cost the server is what it would be. */
async function cluster(): Promise<Measurement> {
  const redis = await TestRedis.start();
  const cache = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  const server = await PacelineServer.start({ env: { PACELINE_REDIS_URL: redis.url } });
  const workers: FleetWorker[] = [];
  try {
    await over(server.url, 100);
    const { engine_version } = await listCcas();
    for (let i = 0; i < CLUSTER; i++)
      workers.push(
        await FleetWorker.open({
          url: redis.url,
          name: `node ${i}`,
          capabilities: ['virtual'],
          cores: 1,
          cacheDir: cache,
          cacheBytes: 2 ** 30,
          engineVersion: engine_version,
          kernelCcas: [],
          log: pino({ level: 'silent' }),
          make: async (manifest, options) => {
            const [outcome] = await Promise.all([run(manifest, options), sleep(RUN_S * 1000)]);
            return outcome;
          },
        }),
      );
    await sleep(2000);
    const start = performance.now();
    await submit(server.url, { runs: CLUSTER_RUNS, duration_s: 10, sample_period_ms: PERIOD_MS });
    await over(server.url, 100);
    const wall = (performance.now() - start) / 1000;
    const linear = (CLUSTER_RUNS * RUN_S) / CLUSTER / wall;
    return {
      what: `${CLUSTER} workers with runs of ${RUN_S} s`,
      measured: `${CLUSTER_RUNS} runs in ${wall.toFixed(1)} s: ${(100 * linear).toFixed(0)} % of linear`,
      aim: { text: `>= ${100 * AIM_LINEAR} %`, met: linear >= AIM_LINEAR },
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await server.dispose();
    await redis.dispose();
    rmSync(cache, { recursive: true, force: true });
  }
}

export const bench: Bench = async () =>
  withoutRedis === null
    ? [
        await againstEmbedded('a sample every 10 s', SCARCE_MS),
        await againstEmbedded('a sample every 10 ms', PERIOD_MS),
        await cluster(),
      ]
    : [{ what: 'workers over Redis', measured: withoutRedis }];
