// What takes how long, as a collector of OpenTelemetry traces hears it from a server and a worker that run as a person starts them.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ExperimentRecord } from '#protocol/api';
import { testFolder } from '../testing/folder.ts';
import { eventually, TestProcess } from '../testing/process.ts';
import { TestRedis, withoutRedis } from '../testing/redis.ts';
import { QUICK } from '../testing/server.ts';

vi.setConfig({ testTimeout: 300_000 });

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Told = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(Attribute),
            }),
          ),
        }),
      ),
    }),
  ),
});
interface Heard {
  readonly service: unknown;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly about: Readonly<Record<string, unknown>>;
}

const valuesOf = (attributes: z.infer<typeof Attribute>[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const folder = testFolder();
let heard: Heard[] = [];
let said = '';
let collector: Server;
let env: NodeJS.ProcessEnv;
const open: TestProcess[] = [];

beforeEach(async () => {
  [heard, said] = [[], ''];
  collector = createServer((req, res) => {
    void text(req).then((body) => {
      said += body;
      for (const { resource, scopeSpans } of Told.parse(JSON.parse(body)).resourceSpans)
        for (const { traceId, spanId, parentSpanId, name, attributes } of scopeSpans.flatMap(({ spans }) => spans))
          heard.push({
            service: valuesOf(resource.attributes)['service.name'],
            ...{ name, trace: traceId, id: spanId, parent: parentSpanId, about: valuesOf(attributes) },
          });
      res.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  env = {
    ...process.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    PACELINE_LOG: 'debug',
  };
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((process) => process.kill('SIGKILL')));
  collector.close();
  collector.closeAllConnections();
});

async function serve(over: NodeJS.ProcessEnv = {}): Promise<{ readonly url: string; readonly server: TestProcess }> {
  const words = ['serve', '--port', '0', '--data-dir', join(folder(), 'data')];
  const server = new TestProcess('server/src/cli/main.ts', words, folder(), { ...env, ...over });
  open.push(server);
  const [, url = ''] = await server.says(/Paceline is ready: (\S+?)\/?\s/);
  return { url, server };
}

async function made(url: string): Promise<ExperimentRecord> {
  const sent = await fetch(`${url}/api/v1/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(QUICK),
  });
  const { id } = ExperimentRecord.parse(await sent.json());
  const now = async () => ExperimentRecord.parse(await (await fetch(`${url}/api/v1/experiments/${id}`)).json());
  await eventually(async () => (await now()).state === 'done');
  return now();
}
const spanOf = (name: string, run?: string): Heard | undefined =>
  heard.find((one) => one.name === name && (run === undefined || one.about['paceline.run'] === run));

describe('a server that a collector listens to', () => {
  it('tells of requests, as part of what their callers do, and of runs, by their parts', async () => {
    const { url, server } = await serve();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${trace}-b7ad6b7169203331-01`;
    await fetch(`${url}/api/v1/experiments/nothing?token=secret-word`, { headers: { traceparent } });
    await fetch(`${url}/api/v1/home`, { headers: { traceparent: `00-${'z'.repeat(5000)}` } });
    const { runs } = await made(url);
    const run = runs[0]?.id;
    await eventually(() => spanOf('run', run) !== undefined && spanOf('GET /api/v1/home') !== undefined);
    const asked = spanOf('GET /api/v1/experiments/:id');
    expect(asked).toMatchObject({ service: 'paceline', trace, parent: 'b7ad6b7169203331' });
    expect(asked?.about).toMatchObject({ 'url.path': '/api/v1/experiments/nothing', 'http.response.status_code': 400 });
    expect(said).not.toContain('secret-word');
    // What no caller can have meant is part of nothing.
    expect(spanOf('GET /api/v1/home')?.parent ?? '').toBe('');

    const whole = spanOf('run', run);
    expect(whole?.about).toMatchObject({ 'paceline.state': 'done', 'paceline.engine': 'virtual' });
    expect(whole?.parent ?? '').toBe('');
    for (const part of ['make', 'store'])
      expect(spanOf(part, run)).toMatchObject({ trace: whole?.trace, parent: whole?.id });
    // A line of the log is found by it.
    await server.says(new RegExp(`"trace_id":"${trace}"`));
    expect((await server.kill('SIGTERM')).code).toBe(0);
  });

  it.skipIf(withoutRedis !== null)('hears the part of a worker in the same trace', async () => {
    const redis = await TestRedis.start();
    try {
      const over = { PACELINE_REDIS_URL: redis.url };
      const words = ['worker', '--name', 'rack', '--capabilities', 'virtual', '--cache-dir', join(folder(), 'cache')];
      const worker = new TestProcess('server/src/cli/main.ts', words, folder(), { ...env, ...over });
      open.push(worker);
      await worker.says(/The worker is ready/);
      const { url } = await serve(over);
      await worker.says(/a server is there/);
      // Before it has met the server it makes nothing.
      const listed = async (): Promise<string> => (await fetch(`${url}/api/v1/workers`)).text();
      await eventually(async () => /"rack".*"capabilities":\["virtual"\]/.test(await listed()));
      const run = (await made(url)).runs[0]?.id;
      const there = (): Heard | undefined =>
        heard.find(
          ({ service, name, about }) =>
            service === 'paceline-worker' && name === 'make' && about['paceline.run'] === run,
        );
      await eventually(
        () => there() !== undefined && spanOf('run', run) !== undefined && spanOf('fetch') !== undefined,
      );
      const here = heard.find(
        ({ service, name, about }) => service === 'paceline' && name === 'make' && about['paceline.run'] === run,
      );
      expect(there()).toMatchObject({ trace: here?.trace, parent: here?.id, about: { 'paceline.worker': 'rack' } });
      expect(spanOf('run', run)?.about).toMatchObject({ 'paceline.worker': 'rack' });
      expect((await worker.kill('SIGTERM')).code).toBe(0);
    } finally {
      await redis.dispose();
    }
  });

  it('works and ends as ever when the collector is gone, and says so once', async () => {
    collector.close();
    const { url, server } = await serve();
    await made(url);
    await server.says(/traces could not be told/);
    const ended = await server.kill('SIGTERM');
    expect(ended.code).toBe(0);
    expect(ended.stderr.match(/traces could not be told/g)).toHaveLength(1);
  });

  it('does not begin with an address that is none', async () => {
    const words = ['serve', '--port', '0', '--data-dir', join(folder(), 'data')];
    const server = new TestProcess('server/src/cli/main.ts', words, folder(), {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere',
    });
    open.push(server);
    const { code, stderr } = await server.ended();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT: wants the address of a collector'),
    ]);
  });
});
