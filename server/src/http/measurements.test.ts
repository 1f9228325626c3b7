import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iperf3Report } from '#analysis/testing-iperf3';
import { Problem } from '#protocol/api';
import { MeasurementList, MeasurementRecord } from '#protocol/measurement';
import { QUICK, TestServer } from '../testing/server.ts';

let server: TestServer;
let run = '';
beforeAll(async () => {
  server = await TestServer.start();
  const experiment = await server.submit(QUICK);
  await server.over(experiment);
  run = experiment.runs[0]?.id ?? '';
});
afterAll(() => server.close());

const REPORT = JSON.stringify(iperf3Report({ mbps: Array.from({ length: 40 }, (_, i) => 10 + (i % 3)) }));
const add = (body: string, { to = run, query = '?name=walk.json' } = {}): Promise<Response> =>
  fetch(server.url(`/runs/${to}/measurements${query}`), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
const list = async (): Promise<readonly MeasurementRecord[]> =>
  (await server.json(`/runs/${run}/measurements`, MeasurementList)).measurements;

describe('measurements of a run', () => {
  it('are added, listed, exported and taken away', async () => {
    expect(await list()).toEqual([]);
    const answer = await add(REPORT);
    expect(answer.status).toBe(201);
    const record = MeasurementRecord.parse(await answer.json());
    expect(record).toMatchObject({ run, name: 'walk.json', measurement: { side: 'sender', cca: 'cubic' } });
    expect(record.measurement.total).toHaveLength(40);
    expect(await list()).toEqual([record]);

    const again = await add(REPORT, { query: '?name=other.json' });
    expect([again.status, await again.json()]).toEqual([200, record]);

    const exported = (await (await fetch(server.url(`/runs/${run}/export?format=json`))).json()) as object;
    expect(exported).toMatchObject({ measurements: [record] });

    const gone = await fetch(server.url(`/runs/${run}/measurements/${record.id}`), { method: 'DELETE' });
    expect([gone.status, await gone.json()]).toEqual([200, { measurements: [] }]);
    const twice = await fetch(server.url(`/runs/${run}/measurements/${record.id}`), { method: 'DELETE' });
    expect(Problem.parse(await twice.json())).toMatchObject({ status: 404, code: 'MEASUREMENT_UNKNOWN' });
  });

  it('may have been cut short, and may be larger than other bodies', async () => {
    const cut = MeasurementRecord.parse(await (await add(REPORT.slice(0, -3000))).json());
    expect(cut.measurement.complete).toBe(false);
    expect(cut.measurement.total.length).toBeGreaterThan(10);
    const long = JSON.stringify(iperf3Report({ mbps: Array<number>(12_000).fill(9) }));
    expect(long.length).toBeGreaterThan(4 * 2 ** 20);
    expect((await add(long)).status).toBe(201);
    const endless = await add(' '.repeat(33 * 2 ** 20));
    expect(Problem.parse(await endless.json())).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
  });

  it.each<[string, () => Promise<Response>, object]>([
    ['no JSON', () => add('[ ID] Interval'), { status: 422, code: 'MEASUREMENT_REFUSED', where: 'walk.json' }],
    ['nothing', () => add(''), { status: 422, code: 'MEASUREMENT_REFUSED' }],
    ['another run', () => add(REPORT, { to: 'a'.repeat(20) }), { status: 404, code: 'RUN_UNKNOWN' }],
    ['no run', () => add(REPORT, { to: 'x' }), { status: 400, code: 'REQUEST_INVALID' }],
  ])('of %s are refused', async (_, request, expected) => {
    const problem = Problem.parse(await (await request()).json());
    expect(problem).toMatchObject(expected);
  });

  it('are no business of other pages', async () => {
    const [record] = await list();
    const answer = await fetch(server.url(`/runs/${run}/measurements/${record?.id ?? ''}`), {
      method: 'DELETE',
      headers: { origin: 'http://elsewhere.example' },
    });
    expect(answer.status).toBe(403);
    expect((await list()).map(({ id }) => id)).toContain(record?.id);
  });
});
