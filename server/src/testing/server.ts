import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { z } from 'zod';
import { ExperimentRecord, type RunRecord } from '#protocol/api';
import type { AskedSpecInput, ExperimentSpecInput } from '#protocol/spec';
import { ServeConfig } from '../config.ts';
import { startServer, type RunningServer } from '../server.ts';

/** A real server with the real native programs in this process, on a free port and a data folder of its own. */
export class TestServer {
  readonly #running: RunningServer;
  readonly #dataDir: string;
  readonly #keep: boolean;

  private constructor(running: RunningServer, dataDir: string, keep: boolean) {
    this.#running = running;
    this.#dataDir = dataDir;
    this.#keep = keep;
  }

  static async start(
    options: Partial<z.input<typeof ServeConfig>> & { readonly dataDir?: string } = {},
  ): Promise<TestServer> {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'paceline-server-'));
    const config = ServeConfig.parse({ port: 0, workers: 2, logLevel: 'silent', ...options, dataDir });
    const running = await startServer(config, pino({ level: 'silent' }));
    return new TestServer(running, dataDir, options.dataDir !== undefined);
  }

  get lab(): RunningServer['lab'] {
    return this.#running.lab;
  }

  /** `/api/v1/…` of this server. */
  url(path: string): string {
    return new URL(`/api/v1${path}`, this.#running.url).href;
  }

  get live(): string {
    return this.url('/live').replace('http:', 'ws:');
  }

  /** What it would print to be opened. */
  get entry(): string {
    return this.#running.entry;
  }

  get page(): string {
    return this.#running.url;
  }

  async json<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const response = await fetch(this.url(path));
    return schema.parse(await response.json());
  }

  post(path: string, body?: unknown): Promise<Response> {
    return fetch(this.url(path), {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  }

  async submit(spec: AskedSpecInput): Promise<ExperimentRecord> {
    return ExperimentRecord.parse(await (await this.post('/experiments', spec)).json());
  }

  /** Resolves when the run is in one of these states. */
  reaches(run: string, ...states: RunRecord['state'][]): Promise<void> {
    const { feed, store } = this.lab;
    return new Promise((resolve) => {
      const look = (): void => {
        const state = store.runs.state(run);
        if (state === null || !states.includes(state)) return;
        forget();
        resolve();
      };
      const forget = feed.on(run, look);
      look();
    });
  }

  async over(experiment: ExperimentRecord): Promise<void> {
    await Promise.all(experiment.runs.map(({ id }) => this.reaches(id, 'done', 'failed', 'cancelled', 'invalid')));
  }

  /** Ends it, and leaves its data folder to the next one. */
  stop(): Promise<void> {
    return this.#running.close();
  }

  async close(): Promise<void> {
    await this.stop();
    if (!this.#keep) rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

/** A GET with headers that `fetch` would not send. */
export function getWith(url: string, headers: IncomingHttpHeaders): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

/** Seconds of link time at this rate keep the engine busy for about as many milliseconds. */
export const QUICK: ExperimentSpecInput = {
  name: 'quick',
  duration_s: 5,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
};

/** A run that takes some seconds even in virtual time. */
export const LONG: ExperimentSpecInput = {
  name: 'long',
  duration_s: 3000,
  sample_period_ms: 100,
  traces: [{ rate_mbps: 1000 }],
  ccas: [{ id: 'cubic' }],
};
