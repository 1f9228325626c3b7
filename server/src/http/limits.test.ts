import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Doctor, Problem, TraceRecord } from '#protocol/api';
import { FakePrograms } from '#bridge/testing/fake-programs';
import { QUICK, TestServer } from '../testing/server.ts';

/** All servers of a test end with it. */
const servers: TestServer[] = [];
const start = async (...options: Parameters<typeof TestServer.start>): Promise<TestServer> => {
  const server = await TestServer.start(...options);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');
const upload = (server: TestServer, body: NonNullable<RequestInit['body']>, signal?: AbortSignal): Promise<Response> =>
  fetch(server.url('/traces'), { method: 'POST', body, ...(signal && { signal }) });

async function problemOf(response: Response): Promise<Problem> {
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

describe('the length of a trace', () => {
  it('is bounded before it is made by an edit', async () => {
    const server = await start({ limits: { trace_bytes: 100_000 } });
    const { id } = TraceRecord.parse(await (await upload(server, lines(1000))).json());
    const before = readdirSync(server.lab.traces.dir);
    const steps = [{ op: 'loop', duration_ms: 60_000 }];
    for (const [path, body] of [
      ['edits', { name: 'long', steps }],
      ['edits/sketch', { steps }],
    ] as const) {
      const problem = await problemOf(await server.post(`/traces/${id}/${path}`, body));
      expect(problem).toMatchObject({ status: 422, code: 'EDIT_REFUSED', where: 'steps' });
      expect(problem.detail).toMatch(/would take \d+ MB .* at most 0 MB/);
    }
    expect(readdirSync(server.lab.traces.dir)).toEqual(before);
    expect(
      (await server.post(`/traces/${id}/edits`, { name: 'a', steps: [{ op: 'loop', duration_ms: 5000 }] })).status,
    ).toBe(201);
  });

  it('and before it is made of a few bytes of another form', async () => {
    const server = await start({ limits: { trace_bytes: 100_000 } });
    const problem = await problemOf(
      await upload(server, `time_s,rate_mbps\n${Array.from({ length: 61 }, (_, s) => `${s},100\n`).join('')}`),
    );
    expect(problem).toMatchObject({ status: 422, code: 'TRACE_REFUSED', trace: { code: 'too_long' } });
  });
});

describe('a packed file', () => {
  const bomb = gzipSync(`# ${'x'.repeat(9997)}\n`.repeat(10_000), { level: 9 });

  it('may not become hundreds of times its size', async () => {
    const server = await start();
    expect(bomb.byteLength).toBeLessThan(200_000);
    const problem = await problemOf(await upload(server, bomb));
    expect(problem).toMatchObject({ status: 422, code: 'TRACE_REFUSED', trace: { code: 'too_packed' } });
    const recording = await fetch(server.url('/recordings'), { method: 'POST', body: bomb });
    expect(await problemOf(recording)).toMatchObject({ status: 422, code: 'RECORDING_REFUSED' });
    const source = await fetch(server.url('/trace-sources'), { method: 'POST', body: bomb });
    expect(await source.json()).toMatchObject({ info: null, problem: { code: 'too_packed' } });
    // A megabyte of the same before a trace is harmless.
    expect((await upload(server, gzipSync(`${`# ${'x'.repeat(98)}\n`.repeat(10_000)}${lines(400)}`))).status).toBe(201);
  });

  it('nor larger than the operator allows', async () => {
    const server = await start({ limits: { unpacked_bytes: 1_000_000 } });
    const problem = await problemOf(await upload(server, gzipSync(lines(400_000))));
    expect(problem).toMatchObject({ status: 422, trace: { code: 'too_big' } });
  });
});

describe('native programs at work for requests', () => {
  let programs: FakePrograms | null = null;
  afterEach(() => {
    programs?.remove();
    programs = null;
  });
  const slow = (): FakePrograms => {
    programs = new FakePrograms();
    programs.add('paceline-trace', [], 'exec sleep 60');
    return programs;
  };
  const running = (fakes: FakePrograms, count: number): Promise<void> =>
    vi.waitFor(() => expect(fakes.survivors()).toHaveLength(count), { timeout: 30_000, interval: 50 });

  it('are bounded, and so are those who wait for one', async () => {
    const server = await start({ limits: { helpers: 1, helpers_waiting: 1 } });
    const fakes = slow();
    const leave = new AbortController();
    const first = upload(server, lines(400), leave.signal).catch(() => null);
    await running(fakes, 1);
    // One of these waits, whichever comes first; the other is told at once.
    const others = [1, 2].map(() => upload(server, lines(400), leave.signal).catch(() => null));
    const refused = await Promise.race(others);
    if (refused === null) throw new Error('nobody was refused');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await problemOf(refused)).toMatchObject({ status: 503, code: 'TOO_BUSY' });
    expect(fakes.pids()).toHaveLength(1);

    leave.abort();
    await Promise.all([first, ...others]);
    await running(fakes, 0);
    await vi.waitFor(() => expect(readdirSync(server.lab.tempDir)).toEqual([]), { timeout: 30_000 });
    fakes.remove();
    expect((await upload(server, lines(400))).status).toBe(201);
  });

  it.each([
    ['a preview', (id: string) => [`/traces/${id}/preview?bins=3`, undefined] as const],
    ['how it moves', (id: string) => [`/traces/${id}/dynamics`, undefined] as const],
    ['another form', (id: string) => [`/traces/${id}/file?form=csv`, undefined] as const],
    ['an edit', (id: string) => [`/traces/${id}/edits`, { name: 'a', steps: [{ op: 'reverse' }] }] as const],
    ['a made trace', () => ['/recipes/trace', { schema: 1, name: 'a', description: '', piecewise: {} }] as const],
  ])('end when whoever asked for %s has left', async (_, ask) => {
    const server = await start();
    const { id } = TraceRecord.parse(await (await upload(server, lines(400))).json());
    const fakes = slow();
    const leave = new AbortController();
    const [path, body] = ask(id);
    const asked = fetch(server.url(path), {
      signal: leave.signal,
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => null);
    await running(fakes, 1);
    leave.abort();
    await asked;
    await running(fakes, 0);
  });

  it('go on while somebody else waits for the same', async () => {
    const server = await start();
    const { id } = TraceRecord.parse(await (await upload(server, lines(400))).json());
    const fakes = slow();
    const [one, other] = [new AbortController(), new AbortController()];
    const asks = [one, other].map(({ signal }) =>
      fetch(server.url(`/traces/${id}/preview`), { signal }).catch(() => null),
    );
    await running(fakes, 1);
    one.abort();
    await asks[0];
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fakes.survivors()).toHaveLength(1);
    other.abort();
    await running(fakes, 0);
  });

  it('end when they take too long', async () => {
    const server = await start({ limits: { helper_s: 0.5 } });
    const fakes = slow();
    expect(await problemOf(await upload(server, lines(400)))).toMatchObject({ status: 422, code: 'TOOK_TOO_LONG' });
    await running(fakes, 0);
  });
});

describe('a client', () => {
  it('that asks too often is told when to come back', async () => {
    // This machine may ten times as often.
    const server = await start({ limits: { requests_per_s: 0.01, requests_burst: 2 } });
    const answers = [];
    for (let i = 0; i < 21; i++) answers.push(await fetch(server.url('/home')));
    expect(answers.slice(0, 20).every(({ status }) => status === 200)).toBe(true);
    const last = answers.at(-1);
    if (last === undefined) throw new Error('there is an answer');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemOf(last)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    // The page itself is not counted.
    expect((await fetch(server.page)).status).not.toBe(429);
  });
});

describe('a data folder that is full as far as it may be', () => {
  it('takes nothing more, shows what it has, and says so', async () => {
    const server = await start({ maxData: 1000 });
    const shipped = server.lab.traces.list()[0]?.id ?? '';
    const asks: [string, unknown][] = [
      ['/experiments', QUICK],
      ['/recipes/trace', { schema: 1, name: 'a', description: '', piecewise: {} }],
      [`/traces/${shipped}/edits`, { name: 'a', steps: [{ op: 'reverse' }] }],
    ];
    for (const [path, body] of asks)
      expect(await problemOf(await server.post(path, body))).toMatchObject({ status: 507, code: 'QUOTA_EXCEEDED' });
    for (const path of ['/traces', '/trace-sources', '/weights', '/algorithms', '/recordings']) {
      const response = await fetch(server.url(path), { method: 'POST', body: lines(400) });
      expect(await problemOf(response)).toMatchObject({ status: 507, code: 'QUOTA_EXCEEDED' });
    }
    expect((await fetch(server.url(`/traces/${shipped}/preview`))).status).toBe(200);
    const { checks } = await server.json('/doctor', Doctor);
    expect(checks.find(({ id }) => id === 'data')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ of at most /) as string,
    });
  });

  it('is not overrun by a body that does not say how long it is', async () => {
    const first = await start();
    const used = await first.lab.quota.used();
    const { dataDir } = first.lab;
    await first.stop();
    const server = await TestServer.start({ dataDir, maxData: used + 3_000_000 });
    try {
      const room = await server.lab.quota.left();
      expect(room).toBeGreaterThan(0);
      const body = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(1_000_000, '1\n')));
      const status = await new Promise<number>((resolve, reject) => {
        const sending = request(server.url('/traces'), { method: 'POST' }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sending.on('error', reject);
        body.pipe(sending);
      });
      expect(status).toBe(507);
      expect(readdirSync(join(dataDir, 'tmp'))).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
