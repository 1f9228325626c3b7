import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentRecord, Problem, TraceRecord } from '#protocol/api';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');

async function traceOf(milliseconds: number): Promise<TraceRecord> {
  const response = await fetch(server.url('/traces?name=mine'), { method: 'POST', body: lines(milliseconds) });
  return TraceRecord.parse(await response.json());
}

async function refusal(response: Response | Promise<Response>): Promise<Pick<Problem, 'status' | 'code'>> {
  const answer = await response;
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const { status, code } = Problem.parse(await answer.json());
  expect(status).toBe(answer.status);
  return { status, code };
}

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Response> => fetch(server.url(path), { method: 'POST', body, headers });

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a body that cannot be read', () => {
  it.each(['gzip', 'deflate', 'br'])('packed with %s and damaged is the sender’s fault', async (packing) => {
    const response = await post('/plan', 'no such packing', { ...JSON_TYPE, 'content-encoding': packing });
    expect(await refusal(response)).toEqual({ status: 400, code: 'REQUEST_INVALID' });
  });

  it.each([
    ['a packing that nobody knows', { ...JSON_TYPE, 'content-encoding': 'compress' }],
    ['a character set that nobody knows', { 'content-type': 'application/json; charset=klingon' }],
    ['a kind that is not JSON', { 'content-type': 'application/xml' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('of %s is told so', async (_, headers) => {
    expect(await refusal(post('/plan', '{}', headers))).toEqual({ status: 415, code: 'MEDIA_UNSUPPORTED' });
  });

  it('nested without end is refused before anybody descends into it', async () => {
    const deep = `{"schema":1,"name":"a","description":"","piecewise":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(await refusal(post('/recipes/sketch', deep, JSON_TYPE))).toEqual({ status: 400, code: 'JSON_INVALID' });
  });

  it('is left alone where none is read', async () => {
    expect(await refusal(post(`/runs/${'a'.repeat(20)}/stop`, '{not JSON', JSON_TYPE))).toEqual({
      status: 404,
      code: 'RUN_UNKNOWN',
    });
  });
});

describe('a value that no native program can be given', () => {
  it.each(['format=%00', 'format=a%00b', 'set=a%00=1', 'set=a=%00', 'set=a', `set=a=${'x'.repeat(201)}`])(
    '%s is refused',
    async (query) => {
      const response = await post(`/traces?${query}`, lines(400), { 'content-type': 'text/plain' });
      expect(await refusal(response)).toEqual({ status: 400, code: 'REQUEST_INVALID' });
    },
  );

  it('nor more options than a command line holds', async () => {
    const upload = await post('/trace-sources', lines(400), { 'content-type': 'text/plain' });
    const { id } = (await upload.json()) as { id: string };
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`option${i}`, 'x'.repeat(100)]));
    for (const options of [many, { 'a\0': 'b' }, { a: '\0' }])
      expect(await refusal(server.post(`/trace-sources/${id}/look`, { options }))).toEqual({
        status: 400,
        code: 'REQUEST_INVALID',
      });
  });

  it.each(['to_ms=86400001', 'from_ms=86400001', 'from_ms=9007199254740991', 'from_ms=1e300'])(
    'a preview of %s, beyond a day',
    async (query) => {
      const { id } = await traceOf(400);
      const response = await fetch(server.url(`/traces/${id}/preview?${query}`));
      expect(await refusal(response)).toEqual({ status: 400, code: 'REQUEST_INVALID' });
    },
  );

  it('a report of iperf3 with a date that there is none of', async () => {
    const experiment = await server.submit({ duration_s: 1, traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }] });
    const report = {
      start: { timestamp: { timesecs: 1e300 }, test_start: { protocol: 'TCP' } },
      intervals: [{ streams: [{ socket: 5, start: 0, end: 1, bytes: 1000 }] }],
    };
    const response = server.post(`/runs/${experiment.runs[0]?.id ?? ''}/measurements`, report);
    expect(await refusal(response)).toEqual({ status: 422, code: 'MEASUREMENT_REFUSED' });
  });
});

describe('a trace whose file', () => {
  const asks = ['preview?bins=7', 'dynamics', 'file', 'file?form=csv', 'file?form=netem'];
  const file = (id: string): string => join(server.lab.traces.dir, `${id}.trace`);

  it.each([
    ['has gone', 501, (path: string) => rmSync(path)],
    ['is damaged', 502, (path: string) => writeFileSync(path, 'not a trace\n')],
    ['is cut', 503, (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 30))],
  ])('%s is told by a code and a remedy, and comes back with another upload', async (_, milliseconds, harm) => {
    const { id } = await traceOf(milliseconds);
    harm(file(id));
    const gone = { status: 410, code: 'FILE_DAMAGED' };
    for (const ask of asks) expect(await refusal(fetch(server.url(`/traces/${id}/${ask}`)))).toEqual(gone);
    const reverse = [{ op: 'reverse' }];
    expect(await refusal(server.post(`/traces/${id}/edits/sketch`, { steps: reverse }))).toEqual(gone);
    expect(await refusal(server.post(`/traces/${id}/edits`, { name: 'a', steps: reverse }))).toEqual(gone);
    const other = await traceOf(600);
    const joined = [{ op: 'concatenate', trace: id }];
    expect(await refusal(server.post(`/traces/${other.id}/edits/sketch`, { steps: joined }))).toEqual(gone);

    expect((await traceOf(milliseconds)).id).toBe(id);
    for (const ask of asks) expect((await fetch(server.url(`/traces/${id}/${ask}`))).status).toBe(200);
  });

  it('was shipped comes back when the server starts', async () => {
    const first = await TestServer.start();
    const shipped = first.lab.traces.list().find(({ origin }) => origin === 'library');
    if (shipped === undefined) throw new Error('there are no shipped traces');
    const { dataDir } = first.lab;
    const path = join(first.lab.traces.dir, `${shipped.id}.trace`);
    const before = readFileSync(path);
    await first.stop();
    writeFileSync(path, 'damaged');
    const second = await TestServer.start({ dataDir });
    try {
      expect(readFileSync(path).equals(before)).toBe(true);
    } finally {
      await second.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('another method than there is', () => {
  it.each([
    ['DELETE', '/traces', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/plan', 'OPTIONS, POST'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['PATCH', `/runs/${'a'.repeat(20)}/measurements`, 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s is answered with those that there are', async (method, path, allow) => {
    const response = await fetch(server.url(path), { method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await refusal(response)).toEqual({ status: 405, code: 'METHOD_REFUSED' });
  });

  it('can be asked for', async () => {
    const response = await fetch(server.url('/traces'), { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('leaves addresses unknown that are', async () => {
    expect(await refusal(fetch(server.url('/nothing'), { method: 'PUT' }))).toEqual({
      status: 404,
      code: 'ROUTE_UNKNOWN',
    });
  });
});

describe('names', () => {
  const BAD = 'trace\u202etxt.exe\u2066\u0007\u200b';
  const GOOD = 'tracetxt.exe';

  it('lose what cannot be seen, wherever they come in', async () => {
    const named = `?name=${encodeURIComponent(BAD)}`;
    const query = TraceRecord.parse(await (await post(`/traces${named}`, lines(701), {})).json());
    const form = new FormData();
    form.set('file', new Blob([lines(702)]), `Zürich-${BAD.replace('\u0007', '')}`);
    const part = TraceRecord.parse(await (await fetch(server.url('/traces'), { method: 'POST', body: form })).json());
    const edit = await server.post(`/traces/${query.id}/edits`, { name: BAD, steps: [{ op: 'reverse' }] });
    const edited = TraceRecord.parse(await edit.json());
    const source = (await (await post(`/trace-sources${named}`, lines(703), {})).json()) as { name: string };
    const spec = { name: BAD, traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 1 };
    const experiment = ExperimentRecord.parse(await (await server.post('/experiments', spec)).json());
    const packets = await post(`/recordings${named}`, 'time_s,bytes\n0,100\n1,100\n', {});
    const recording = (await packets.json()) as { name: string };
    const names = [query, edited, source, experiment, experiment.spec, recording].map(({ name }) => name.trim());
    expect(names).toEqual(names.map(() => GOOD));
    expect(part.name).toBe(`Zürich-${GOOD}`);
    const changed = await fetch(server.url(`/traces/${query.id}`), {
      method: 'PATCH',
      headers: JSON_TYPE,
      body: JSON.stringify({ name: `x${BAD}`, source: BAD, licence: BAD, description: `a\n${BAD}` }),
    });
    expect(JSON.stringify(await changed.json())).not.toMatch(/\\u202e|\u202e|\u2066|\u200b/);
    const download = await fetch(server.url(`/traces/${query.id}/file`));
    expect(download.headers.get('content-disposition')).toBe('attachment; filename=xtracetxt.exe.trace');
  });
});

it('leaves nothing behind of what was refused', () => {
  expect(readdirSync(server.lab.tempDir)).toHaveLength(2); // the files that may still become traces
});
