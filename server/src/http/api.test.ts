import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  Doctor,
  ExperimentList,
  ExperimentRecord,
  Health,
  Home,
  Plan,
  Problem,
  RunRecord,
  SparkList,
  TraceList,
  TraceRecord,
  TraceSourceRecord,
} from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { FidelityReport } from '#protocol/fidelity';
import { ControlFrame } from '#protocol/control';
import { decodeSamples, FRAME_HEADER_BYTES, readFrameHeader, type SampleBlock } from '#protocol/frames';
import { TraceDynamics, TracePreview } from '#protocol/trace';
import { WeightsList, WeightsRecord } from '#protocol/weights';
import { getWith, QUICK, TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

/** `500 2` per line: 12 Mbps is one packet a millisecond. */
const TRACE = Array.from({ length: 400 }, (_, i) => `${i + 1}`).join('\n') + '\n';

const upload = (
  body: NonNullable<RequestInit['body']>,
  query = '?name=mine.down',
  headers: Record<string, string> = {},
): Promise<Response> => fetch(server.url(`/traces${query}`), { method: 'POST', body, headers });

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

/** Frames that follow each other in a body. */
function blocksOf(body: Uint8Array): SampleBlock[] {
  const blocks: SampleBlock[] = [];
  for (let at = 0; at < body.byteLength;) {
    const { payloadBytes } = readFrameHeader(new DataView(body.buffer, body.byteOffset), at);
    const end = at + FRAME_HEADER_BYTES + payloadBytes;
    blocks.push(decodeSamples(body.subarray(at, end)));
    at = end;
  }
  return blocks;
}

describe('the server', () => {
  it('says what it is and what the machine can do', async () => {
    expect((await server.json('/health', Health)).status).toBe('ok');
    const { checks } = await server.json('/doctor', Doctor);
    expect(checks.filter(({ id }) => id.startsWith('paceline-')).every(({ ok }) => ok)).toBe(true);
    const { ccas } = await server.json('/ccas', EngineListing);
    expect(ccas.filter(({ baseline, kind }) => baseline && kind === 'sender')).toHaveLength(1);
  });

  it('gives what each CCA was checked against, with a reason for everything that deviates', async () => {
    const { findings } = await server.json('/fidelity', FidelityReport);
    expect(new Set(findings.map(({ section }) => section)).size).toBe(5);
    expect(findings.filter(({ verdict, reason }) => verdict === 'deviates' && reason === undefined)).toEqual([]);
  });

  it('has a sample experiment for the home page, with a run per CCA', async () => {
    const home = await server.json('/home', Home);
    expect(home.runs).toHaveLength(2);
    expect(home.run).toBe(home.runs[0]);
    const experiment = await server.json(`/experiments/${home.experiment ?? ''}`, ExperimentRecord);
    await server.over(experiment);
    for (const run of home.runs) expect((await server.json(`/runs/${run}`, RunRecord)).state).toBe('done');
  });

  it('counts for Prometheus', async () => {
    const text = await (await fetch(new URL('/metrics', server.page))).text();
    expect(text).toMatch(/^paceline_runs_active \d+$/m);
  });

  it('serves the page at its addresses, with a policy that lets only itself in', async () => {
    for (const path of ['/', '/e/abc', '/traces/xyz']) {
      const response = await fetch(new URL(path, server.page));
      // 503 while the page has not been built.
      expect([200, 503]).toContain(response.status);
      if (response.status !== 200) continue;
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    }
    expect((await fetch(new URL('/assets/nothing.js', server.page))).status).toBe(404);
  });
});

const NETWORK = JSON.stringify({
  format: 'paceline-weights',
  version: 1,
  name: 'by hand',
  algorithm: 'orca',
  inputs: ['delay_metric'],
  layers: [{ activation: 'tanh', weights: [[0.5]], bias: [-0.5] }],
});

describe('what is not there', () => {
  it.each([
    ['/runs', 'a'.repeat(20), 'RUN_UNKNOWN'],
    ['/experiments', 'a'.repeat(20), 'EXPERIMENT_UNKNOWN'],
    ['/traces', '0'.repeat(64), 'TRACE_UNKNOWN'],
  ])('is refused to programs, and null to who asks so: %s/%s', async (path, id, code) => {
    const refused = await fetch(server.url(`${path}/${id}`));
    expect([refused.status, (await problemOf(refused)).code]).toEqual([404, code]);
    const asked = await fetch(server.url(`${path}/${id}?unknown=null`));
    expect([asked.status, await asked.json()]).toEqual([200, null]);
    expect((await problemOf(await fetch(server.url(`${path}/${id}?unknown=1`)))).code).toBe('REQUEST_INVALID');
  });

  it.each(['/runs', '/experiments', '/traces'])(
    'and can never be, as an id of another form, is refused however one asks: %s',
    async (path) => {
      for (const id of ['none', '%00', '..%2f..', 'A'.repeat(20), '0'.repeat(63), 'a'.repeat(4000)])
        for (const query of ['', '?unknown=null']) {
          const refused = await fetch(server.url(`${path}/${id}${query}`));
          expect([refused.status, (await problemOf(refused)).code], id).toEqual([400, 'REQUEST_INVALID']);
        }
    },
  );
});

describe('weights files', () => {
  const send = (body: string): Promise<Response> =>
    fetch(server.url('/weights'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });

  it('are named by their content, listed, and given back as they came', async () => {
    const first = await send(NETWORK);
    expect(first.status).toBe(201);
    const record = WeightsRecord.parse(await first.json());
    expect(record.id).toBe(createHash('sha256').update(NETWORK).digest('hex'));
    expect(record.info).toMatchObject({ name: 'by hand', algorithm: 'orca', units: [1], numbers: 2 });
    expect((await send(NETWORK)).status).toBe(200);
    expect((await server.json('/weights', WeightsList)).weights).toEqual([record]);
    const file = await fetch(server.url(`/weights/${record.id}/file`));
    expect(await file.text()).toBe(NETWORK);
  });

  it('that cannot be used are refused with their place', async () => {
    const problem = await problemOf(await send(NETWORK.replace('delay_metric', 'weather')));
    expect(problem).toMatchObject({ status: 422, code: 'WEIGHTS_REFUSED' });
    expect(problem.detail).toMatch(/^inputs\[0\]: orca has no "weather", only /);
  });
});

describe('traces', () => {
  it('can be uploaded plain, by gzip and as a form; the same content is the same trace', async () => {
    const first = await upload(TRACE);
    expect(first.status).toBe(201);
    const record = TraceRecord.parse(await first.json());
    expect(record).toMatchObject({ name: 'mine.down', origin: 'upload', info: { period_ms: 400, mean_mbps: 12 } });
    expect(record.spark.length).toBeGreaterThan(10);

    const zipped = await upload(gzipSync(TRACE), '?name=other');
    expect(zipped.status).toBe(200);
    expect(TraceRecord.parse(await zipped.json())).toEqual(record);

    const form = new FormData();
    form.set('file', new Blob([`${TRACE}500\n`]), 'walk.trace');
    const sent = await upload(form, '');
    expect(sent.status).toBe(201);
    expect(TraceRecord.parse(await sent.json())).toMatchObject({ name: 'walk.trace', info: { period_ms: 500 } });

    const { traces } = await server.json('/traces', TraceList);
    expect(traces.filter(({ origin }) => origin === 'upload')).toHaveLength(2);
    expect(traces.filter(({ origin }) => origin === 'library').length).toBeGreaterThanOrEqual(5);
  });

  it('show their capacity at any zoom and give their text back', async () => {
    const { id } = TraceRecord.parse(await (await upload(TRACE)).json());
    const whole = await server.json(`/traces/${id}/preview?bins=40`, TracePreview);
    expect(whole).toMatchObject({ bin_ms: 10 });
    expect(whole.mean_mbps).toEqual(new Array(40).fill(12));
    const part = await server.json(`/traces/${id}/preview?bins=5&from_ms=100&to_ms=200`, TracePreview);
    expect(part.mean_mbps).toHaveLength(5);
    const file = await fetch(server.url(`/traces/${id}/file`));
    expect(file.headers.get('content-disposition')).toContain('mine.down.trace');
    expect((await upload(await file.text(), '?name=back')).status).toBe(200);
  });

  it('say how they move: constant, with two silences', async () => {
    const body = `${TRACE}700\n${Array.from({ length: 300 }, (_, i) => `${i + 901}\n`).join('')}`;
    const { id } = TraceRecord.parse(await (await upload(body, '?name=silences')).json());
    const dynamics = await server.json(`/traces/${id}/dynamics`, TraceDynamics);
    expect(dynamics.outages[0]).toMatchObject({ count: 2, longest_ms: 300, median_ms: 201 });
    expect(dynamics.outages[0]?.at).toEqual([
      [400, 300],
      [700, 201],
    ]);
    expect(dynamics.usual_ms).toEqual({ packets: 1, share: 1 });
  });

  it('are named, and their licence and source said, by whoever brings them', async () => {
    const sent = await upload(
      `${TRACE}600\n`,
      '?name=nameless&licence=CC%20BY%204.0&source=https%3A%2F%2Fexample.org&technology=5G&place=Lake',
    );
    const record = TraceRecord.parse(await sent.json());
    expect(record).toMatchObject({
      licence: 'CC BY 4.0',
      source: 'https://example.org',
      technology: '5G',
      place: 'Lake',
    });
    const patch = (id: string, change: unknown): Promise<Response> =>
      fetch(server.url(`/traces/${id}`), {
        method: 'PATCH',
        body: JSON.stringify(change),
        headers: { 'content-type': 'application/json' },
      });
    const changed = await patch(record.id, { name: ' Walk ', source: 'notes of 2026', place: 'Shore ' });
    expect(changed.status).toBe(200);
    const now = { ...record, name: 'Walk', formerly: ['nameless'], source: 'notes of 2026', place: 'Shore' };
    expect(TraceRecord.parse(await changed.json())).toEqual(now);
    expect(await server.json(`/traces/${record.id}`, TraceRecord)).toEqual(now);
    // Brought again, with another licence.
    await upload(`${TRACE}600\n`, '?name=again&licence=MIT');
    expect(await server.json(`/traces/${record.id}`, TraceRecord)).toEqual({ ...now, licence: 'MIT' });

    expect((await problemOf(await patch(record.id, { name: ' ' }))).code).toBe('REQUEST_INVALID');
    expect((await problemOf(await patch(record.id, { origin: 'library' }))).code).toBe('REQUEST_INVALID');
    const { traces } = await server.json('/traces', TraceList);
    const shipped = traces.find(({ origin }) => origin === 'library');
    expect(shipped).toMatchObject({ licence: 'MIT (Paceline)' });
    expect(shipped?.source).toMatch(/^traces\/recipes\//);
    expect((await problemOf(await patch(shipped?.id ?? '', { name: 'Mine' }))).code).toBe('TRACE_SHIPPED');
  });

  it('are refused with the line and the reason', async () => {
    const problem = await problemOf(await upload('1\n2\n5\n4\n', '?name=bad.down'));
    expect(problem).toMatchObject({ code: 'TRACE_REFUSED', status: 422, where: 'bad.down, line 4' });
    expect(problem.trace).toMatchObject({ line: 4 });
    expect(problem.detail).not.toBe('');
  });

  it('are made of tables in one step, or looked at first', async () => {
    const table = 'time_s,loss,lte,nr\n0,0,12,24\n1,0,12,24\n2,0,0,0\n5,0,12,24\n';
    expect((await upload(table, '?name=walk.csv&set=rate=nr')).status).toBe(422);
    const direct = await upload(table, '?name=walk.csv&set=rate=nr&set=gaps=zero');
    expect(direct.status).toBe(201);
    const record = TraceRecord.parse(await direct.json());
    expect(record.info).toMatchObject({ format: 'table', period_ms: 6000, source: { bytes: 9_000_000 } });

    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(server.url(path), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const sent = await fetch(server.url('/trace-sources?name=walk.csv'), { method: 'POST', body: table });
    expect(sent.status).toBe(201);
    const source = TraceSourceRecord.parse(await sent.json());
    expect(source).toMatchObject({ info: null, problem: { code: 'which_column', source: { format: 'table' } } });
    expect(source.formats.map(({ id }) => id)).toContain('pcap');
    const looked = await post(`/trace-sources/${source.id}/look`, { options: { rate: 'nr', gaps: 'zero' } });
    expect(TraceSourceRecord.parse(await looked.json()).info).toEqual(record.info);
    const made = await post(`/trace-sources/${source.id}/trace`, { options: { rate: 'nr', gaps: 'zero' } });
    expect(made.status).toBe(200);
    expect(TraceRecord.parse(await made.json())).toEqual(record);
    expect((await post(`/trace-sources/${source.id}/look`, {})).status).toBe(404);
  });

  it('leave nothing behind when they are refused', async () => {
    await upload('rubbish');
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(server.lab.tempDir)).toEqual([]);
  });
});

describe('experiments', () => {
  it('have limits of the whole trace, or of the part that runs', async () => {
    // 12 Mbps for a second, then 6.
    const times = [...Array(1000).keys()].map((i) => i + 1).concat([...Array(500).keys()].map((i) => 1002 + 2 * i));
    const { id } = TraceRecord.parse(await (await upload(times.join('\n') + '\n', '?name=falls')).json());
    const spec = { ...QUICK, traces: [{ trace: id }], duration_s: 1, base_rtt_ms: [100], buffers: [{ bdp: 1 }] };
    const limitOf = async (more: object) => {
      const plan = Plan.parse(await (await server.post('/plan', { ...spec, ...more })).json());
      return [plan.limits[0]!.mean_mbps, plan.limits[0]!.limit_bytes, plan.warnings.length];
    };
    expect(await limitOf({})).toEqual([9, 112_500, 0]);
    expect(await limitOf({ bdp_of: 'part' })).toEqual([12, 150_000, 0]);
    expect(await limitOf({ bdp_of: 'part', vary: ['trace_phase'] })).toEqual([9, 112_500, 1]);
    expect((await server.post('/plan', { ...spec, bdp_of: 'half' })).status).toBe(422);
  });

  it('are planned, run, read and exported; the same spec again is the same experiment', async () => {
    const spec = { ...QUICK, name: 'whole way', buffers: [{ bdp: 1 }, { infinite: true }] };
    const plan = Plan.parse(await (await server.post('/plan', spec)).json());
    expect(plan).toMatchObject({ runs: 2, cells: 2, cached: 0 });
    expect(plan.limits[0]).toMatchObject({ limit_bytes: 30_000, limit_packets: 20 });

    const response = await server.post('/experiments', spec);
    expect(response.status).toBe(201);
    const submitted = ExperimentRecord.parse(await response.json());
    await server.over(submitted);
    const experiment = await server.json(`/experiments/${submitted.id}`, ExperimentRecord);
    expect(experiment).toMatchObject({ state: 'done', runs_total: 2, runs_done: 2, eta_s: null });

    const again = await server.post('/experiments', spec);
    expect(again.status).toBe(200);
    expect(ExperimentRecord.parse(await again.json()).runs).toEqual(experiment.runs);
    expect(Plan.parse(await (await server.post('/plan', spec)).json()).cached).toBe(2);

    const { experiments } = await server.json('/experiments', ExperimentList);
    expect(experiments[0]).toMatchObject({ id: submitted.id, name: 'whole way', ccas: ['cubic'] });

    const id = experiment.runs[0]!.id;
    const run = await server.json(`/runs/${id}`, RunRecord);
    expect(run).toMatchObject({
      state: 'done',
      time_s: 5,
      experiments: [{ id: submitted.id, cell: 't0.c0.d0.q0.l0.b0' }],
    });
    expect(run.summary?.links[0]?.utilisation).toBeGreaterThan(0.9);
    expect(run.cost?.packets).toBeGreaterThan(4000);

    for (const [format, start] of [
      ['csv', 'experiment,run,cell'],
      ['json', '{"format":"paceline.experiment"'],
      ['parquet', 'PAR1'],
    ] as const) {
      const file = await fetch(server.url(`/experiments/${submitted.id}/export?format=${format}`));
      expect(file.headers.get('content-disposition')).toContain(`.${format}`);
      expect((await file.text()).startsWith(start)).toBe(true);
      const series = await fetch(server.url(`/runs/${id}/export?format=${format}`));
      expect((await series.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    }
  });

  it('go on with another: what is measured is not measured again, in real time either', async () => {
    const planOf = async (spec: object, query = ''): Promise<Plan> =>
      Plan.parse(await (await server.post(`/plan${query}`, spec)).json());
    const spec = { ...QUICK, name: 'to be gone on with', engine: 'realtime', duration_s: 1 };
    const first = await server.submit(spec as typeof QUICK);
    await server.over(first);
    const full = { ...spec, full_scores: true };
    const query = `?measured_with=${first.id}`;
    // Cubic is the baseline: one pair stands for both.
    expect(await planOf(full, query)).toMatchObject({ runs: 2, cached: 1 });
    expect(await planOf(full)).toMatchObject({ runs: 2, cached: 0 });

    const response = await server.post(`/experiments${query}`, full);
    expect(response.status).toBe(201);
    const second = ExperimentRecord.parse(await response.json());
    expect(second.runs.find(({ role }) => role === 'solo')?.id).toBe(first.runs[0]?.id);
    await server.over(second);
    expect(await planOf(full, query)).toMatchObject({ runs: 2, cached: 2 });
    const again = ExperimentRecord.parse(await (await server.post(`/experiments${query}`, full)).json());
    expect(again.id).toBe(second.id);

    expect((await server.post(`/plan?measured_with=${NO_ID}`, full)).status).toBe(404);
    expect((await server.post('/plan?measured_with=..', full)).status).toBe(400);
  });

  it('give every sample, whole or in part, and the control frames', async () => {
    const experiment = await server.submit({ ...QUICK, name: 'samples' });
    await server.over(experiment);
    const id = experiment.runs[0]!.id;
    const controls = await server.json(`/runs/${id}/control`, z.array(ControlFrame));
    expect(controls.map(({ type }) => type).filter((type) => type !== 'progress' && type !== 'event')).toEqual([
      'hello',
      'summary',
      'cost',
      'end',
    ]);
    const [hello] = controls;
    const columns = new Map(
      hello?.type === 'hello' ? hello.streams.map(({ stream, columns: all }) => [stream, all.length]) : [],
    );
    const all = blocksOf(new Uint8Array(await (await fetch(server.url(`/runs/${id}/samples`))).arrayBuffer()));
    expect(new Set(all.map(({ stream }) => stream))).toEqual(new Set([0, 16, 17]));
    for (const block of all) {
      expect(block.rows).toBe(500);
      expect(block.columns.length + 1).toBe(columns.get(block.stream));
    }
    const part = `/runs/${id}/samples?stream=17&from_s=1&to_s=2`;
    const [block, ...others] = blocksOf(new Uint8Array(await (await fetch(server.url(part))).arrayBuffer()));
    expect(others).toEqual([]);
    expect(block).toMatchObject({ stream: 17, rows: 101 });
    expect([block?.time[0], block?.time.at(-1)]).toEqual([1, 2]);

    const { sparks } = await server.json(`/sparks?runs=${NO_ID},${id}`, SparkList);
    expect(sparks.map(({ run }) => run)).toEqual([id]);
    const link = all.find(({ stream }) => stream === 0);
    const mean = (values: Iterable<number | null>): number => {
      const known = [...values].filter((value) => value !== null);
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    // 500 rows do not divide into 60 parts: some have a row more.
    for (const [name, column] of [
      ['capacity_mbps', 0],
      ['delivered_mbps', 1],
      ['queue_bytes', 2],
    ] as const) {
      expect(sparks[0]?.[name]).toHaveLength(60);
      expect(mean(sparks[0]?.[name] ?? []) / mean(link?.columns[column] ?? [])).toBeCloseTo(1, 1);
    }
  });

  it('can be stopped at once and run again', async () => {
    const experiment = await server.submit({
      ...QUICK,
      name: 'stop me',
      duration_s: 3000,
      traces: [{ rate_mbps: 1000 }],
    });
    const id = experiment.runs[0]!.id;
    await server.reaches(id, 'running');
    const stopped = ExperimentRecord.parse(await (await server.post(`/experiments/${experiment.id}/stop`)).json());
    expect(stopped).toMatchObject({ state: 'cancelled', runs: [{ state: 'cancelled', reason: 'stopped' }] });
    const retried = ExperimentRecord.parse(await (await server.post(`/experiments/${experiment.id}/retry`)).json());
    expect(['queued', 'running']).toContain(retried.state);
    await server.reaches(id, 'running');
    const run = RunRecord.parse(await (await server.post(`/runs/${id}/stop`)).json());
    expect(run.state).toBe('cancelled');
  });

  it('are refused with every fault and its place', async () => {
    const problem = await problemOf(
      await server.post('/experiments', { traces: [{ trace: 'nowhere' }], ccas: [{ id: 'cubic' }, { id: 'cubik' }] }),
    );
    expect(problem).toMatchObject({ code: 'SPEC_INVALID', status: 422 });
    expect(problem.faults?.map(({ where }) => where)).toEqual(['traces.0.trace', 'ccas.1.id']);
  });
});

const NO_ID = 'a'.repeat(20);
const NO_HASH = '0'.repeat(64);

describe('refusals', () => {
  const get = (path: string) => (): Promise<Response> => fetch(server.url(path));
  const post = (path: string, body?: unknown) => (): Promise<Response> => server.post(path, body);
  const raw = (path: string, body: string) => (): Promise<Response> =>
    fetch(server.url(path), { method: 'POST', body, headers: { 'content-type': 'application/json' } });

  it.each<[string, number, () => Promise<Response>]>([
    ['ROUTE_UNKNOWN', 404, get('/nothing')],
    ['METHOD_REFUSED', 405, post('/health')],
    ['REQUEST_INVALID', 400, get('/runs/..%2F..%2Fetc%2Fpasswd')],
    ['REQUEST_INVALID', 400, get("/experiments/'; DROP TABLE runs; --")],
    ['REQUEST_INVALID', 400, get(`/runs/${NO_ID}/export?format=exe`)],
    ['REQUEST_INVALID', 400, get(`/traces/${NO_HASH}/preview?bins=0`)],
    ['REQUEST_INVALID', 400, get(`/traces/${NO_HASH}/preview?from_ms=5&to_ms=5`)],
    ['TRACE_UNKNOWN', 404, get(`/traces/${NO_HASH}`)],
    ['TRACE_UNKNOWN', 404, get(`/traces/${NO_HASH}/file`)],
    ['TRACE_UNKNOWN', 404, get(`/traces/${NO_HASH}/preview`)],
    ['TRACE_UNKNOWN', 404, get(`/traces/${NO_HASH}/dynamics`)],
    ['REQUEST_INVALID', 400, get(`/sparks?runs=${Array.from({ length: 65 }, () => NO_ID).join()}`)],
    ['REQUEST_INVALID', 400, get('/sparks')],
    ['RUN_UNKNOWN', 404, get(`/runs/${NO_ID}`)],
    ['RUN_UNKNOWN', 404, get(`/runs/${NO_ID}/samples`)],
    ['RUN_UNKNOWN', 404, post(`/runs/${NO_ID}/stop`)],
    ['RUN_UNKNOWN', 404, post(`/runs/${NO_ID}/retry`)],
    ['EXPERIMENT_UNKNOWN', 404, get(`/experiments/${NO_ID}`)],
    ['EXPERIMENT_UNKNOWN', 404, get(`/experiments/${NO_ID}/export`)],
    ['EXPERIMENT_UNKNOWN', 404, post(`/experiments/${NO_ID}/stop`)],
    ['EXPERIMENT_UNKNOWN', 404, post(`/experiments/${NO_ID}/retry`)],
    ['JSON_INVALID', 400, raw('/experiments', '{"name": ')],
    ['SPEC_INVALID', 422, post('/plan')],
    ['SPEC_INVALID', 422, post('/plan', { ...QUICK, surprise: 1 })],
    ['SPEC_INVALID', 422, post('/plan', { ...QUICK, duration_s: -1 })],
    ['BODY_TOO_LARGE', 413, raw('/plan', `"${'x'.repeat(5 << 20)}"`)],
    ['UPLOAD_EMPTY', 422, () => upload('')],
    ['UPLOAD_EMPTY', 422, () => upload(new FormData(), '')],
    ['REQUEST_INVALID', 400, () => upload('x', '', { 'content-type': 'multipart/form-data' })],
    ['REQUEST_INVALID', 400, () => upload('--b\r\n', '', { 'content-type': 'multipart/form-data; boundary=b' })],
  ])('%s', async (code, status, ask) => {
    expect(await problemOf(await ask())).toMatchObject({ code, status });
  });

  it.each(['traces', 'trace-sources', 'weights', 'algorithms', 'recordings'])(
    'an empty file is named, sent to %s',
    async (where) => {
      const form = new FormData();
      form.append('file', new Blob([]), 'nothing.csv');
      for (const ask of [
        fetch(server.url(`/${where}`), { method: 'POST', body: form }),
        fetch(server.url(`/${where}?name=nothing.csv`), { method: 'POST', body: '' }),
      ])
        expect(await problemOf(await ask)).toMatchObject({ code: 'UPLOAD_EMPTY', detail: 'nothing.csv is empty' });
    },
  );

  it('RUN_NOT_RETRYABLE', async () => {
    const experiment = await server.submit({ ...QUICK, name: 'samples' });
    await server.over(experiment);
    const response = await server.post(`/runs/${experiment.runs[0]!.id}/retry`);
    expect(await problemOf(response)).toMatchObject({ code: 'RUN_NOT_RETRYABLE', status: 409 });
  });

  it('RUN_LINK_FIXED, and REQUEST_INVALID when nothing or nonsense is to be changed', async () => {
    const experiment = await server.submit({ ...QUICK, name: 'samples' });
    await server.over(experiment);
    const change = async (body: unknown) => problemOf(await server.post(`/runs/${experiment.runs[0]!.id}/link`, body));
    expect(await change({ direction: 'forward', rate_mbps: 5 })).toMatchObject({ code: 'RUN_LINK_FIXED', status: 409 });
    for (const body of [{ direction: 'forward' }, { direction: 'forward', loss: 2 }, { rate_mbps: 5 }])
      expect(await change(body)).toMatchObject({ code: 'REQUEST_INVALID', status: 400 });
  });

  it.each([
    ['HOST_REFUSED', { host: 'evil.example' }],
    ['HOST_REFUSED', { host: '127.0.0.1.evil.example' }],
    ['ORIGIN_REFUSED', { origin: 'https://evil.example' }],
    ['ORIGIN_REFUSED', { origin: 'null' }],
  ])('%s for %j', async (code, headers) => {
    const { status, body } = await getWith(server.url('/traces'), headers);
    expect(status).toBe(403);
    expect(Problem.parse(JSON.parse(body)).code).toBe(code);
  });

  it('do not touch the page itself or another port of this machine by name', async () => {
    const { host } = new URL(server.page);
    const own = {
      host: host.replace('127.0.0.1', 'localhost'),
      origin: `http://${host.replace('127.0.0.1', 'localhost')}`,
    };
    expect((await getWith(server.url('/health'), own)).status).toBe(200);
  });
});

describe('an experiment that ends while it is told', () => {
  it('is not said to be over with runs that are not', async () => {
    const experiment = await server.submit({ ...QUICK, name: 'ends while it is told', seed: 4711 });
    const { experiments } = server.lab;
    const read = experiments.runs.bind(experiments);
    const spy = vi.spyOn(experiments, 'runs').mockImplementationOnce(async (...asked) => {
      const before = await read(...asked);
      await server.over(experiment);
      return before;
    });
    const told = await experiments.get(experiment.id);
    expect(spy).toHaveBeenCalled();
    const over = (state: string): boolean => state !== 'queued' && state !== 'running';
    expect(over(told.state) && !told.runs.every(({ state }) => over(state))).toBe(false);
    expect((await experiments.get(experiment.id)).state).toBe('done');
  });
});

describe('the OpenAPI document', () => {
  it('describes every address, and every reference in it leads somewhere', async () => {
    const document = await server.json(
      '/openapi.json',
      z.object({
        openapi: z.literal('3.1.0'),
        paths: z.record(
          z.string(),
          z.record(z.string(), z.looseObject({ operationId: z.string(), responses: z.looseObject({}) })),
        ),
        components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
      }),
    );
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(20);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference = ''] of references)
      expect(document.components.schemas).toHaveProperty([reference.replace('#/components/schemas/', '')]);
    // The form that is sent may leave out what has a default.
    expect(document.components.schemas['ExperimentSpecInput']).toMatchObject({ required: ['ccas', 'traces'] });
    expect(document.components.schemas['Plan']).toMatchObject({ type: 'object' });
  });
});
