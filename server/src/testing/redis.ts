import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** Why tests with Redis are left out; null: they are not. */
export const withoutRedis =
  spawnSync('redis-server', ['--version']).status === 0 ? null : 'redis-server is not installed';

/** A Redis of the test's own on loopback. It keeps nothing. */
export class TestRedis {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'paceline-redis-'));
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess;

  private constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port;
    this.#env = env;
    this.#child = this.#spawn();
  }

  static async start(env: NodeJS.ProcessEnv = process.env): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), env);
    await redis.answers();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Killed, as by a power cut; everything in it is gone. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async again(): Promise<void> {
    await this.kill();
    this.#child = this.#spawn();
    await this.answers();
  }

  async answers(): Promise<void> {
    const redis = this.client();
    await redis.ping();
    redis.disconnect();
  }

  client(): Redis {
    const redis = new Redis(this.url, { maxRetriesPerRequest: null, retryStrategy: () => 25 });
    redis.on('error', () => undefined);
    return redis;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const words = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    // With a title of its own it would write over its environment, which says whose it is.
    const plain = ['--set-proc-title', 'no', '--dir', this.#folder];
    return spawn('redis-server', [...words, ...plain], { stdio: 'ignore', env: this.#env });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
