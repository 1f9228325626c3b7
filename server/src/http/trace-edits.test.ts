import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem, TraceRecord } from '#protocol/api';
import { EditSketch, type EditStep } from '#protocol/edit';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
let source: TraceRecord;
beforeAll(async () => {
  server = await TestServer.start();
  const body = Array.from({ length: 12_000 }, (_, i) => `${i + 1}\n`).join('');
  const upload = await fetch(server.url('/traces?name=mine.down&licence=CC0'), { method: 'POST', body });
  source = TraceRecord.parse(await upload.json());
});
afterAll(() => server.close());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(server.url(`/traces/${source.id}${path}`), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const file = (query: string): Promise<Response> => fetch(server.url(`/traces/${source.id}/file${query}`));

const STEPS: EditStep[] = [
  { op: 'cut', from_ms: 1000, to_ms: 11_000 },
  { op: 'outage', at_ms: 5000, duration_ms: 2000, mode: 'overwrite' },
  { op: 'scale', factor: 0.5 },
];

describe('edits of traces', () => {
  it('are sketched: figures, capacity over time, and the length at each step', async () => {
    const answer = await post('/edits/sketch?bins=50', { steps: STEPS });
    expect(answer.status).toBe(200);
    const sketch = EditSketch.parse(await answer.json());
    expect(sketch).toMatchObject({ period_ms: 10_000, lengths_ms: [12_000, 10_000, 10_000, 10_000] });
    expect(sketch.mean_mbps).toBeCloseTo(6 * 0.8, 2);
    expect(sketch.preview.mean_mbps).toHaveLength(50);
    const none = EditSketch.parse(await (await post('/edits/sketch', { steps: [] })).json());
    expect(none.lengths_ms).toEqual([12_000]);
  });

  it('become traces that know their source and steps; the same edit again is the same trace', async () => {
    const answer = await post('/edits', { name: 'Half of it', steps: STEPS });
    expect(answer.status).toBe(201);
    const record = TraceRecord.parse(await answer.json());
    const edit = { schema: 1, source: source.id, steps: STEPS };
    expect(record).toMatchObject({ name: 'Half of it', origin: 'edit', licence: 'CC0', edit });
    expect(await server.json(`/traces/${record.id}`, TraceRecord)).toEqual(record);
    const again = await post('/edits', { name: 'Another name', steps: STEPS });
    expect(again.status).toBe(200);
    expect(TraceRecord.parse(await again.json())).toEqual(record);
  });

  it('are refused with the place and the reason, by the schema and by the trace', async () => {
    const beyond = await post('/edits', { name: 'x', steps: [STEPS[0], { op: 'cut', from_ms: 0, to_ms: 10_001 }] });
    expect(Problem.parse(await beyond.json())).toMatchObject({
      status: 422,
      code: 'EDIT_REFUSED',
      where: 'steps.1.to_ms',
      detail: "beyond the trace's end, 10000 ms, after the steps before",
    });
    const schema = await post('/edits/sketch', { steps: [{ op: 'scale', factor: -1 }] });
    expect(Problem.parse(await schema.json())).toMatchObject({ code: 'EDIT_REFUSED', where: 'steps.0.factor' });
    expect((await post('/edits', { name: 'x', steps: [] })).status).toBe(422);
    const elsewhere = await fetch(server.url(`/traces/${'0'.repeat(64)}/edits/sketch`), {
      method: 'POST',
      body: JSON.stringify({ steps: [] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(elsewhere.status).toBe(404);
  });
});

describe('a trace as a file', () => {
  it('is written in every form', async () => {
    const table = await file('?form=csv&step_ms=6000');
    expect(table.headers.get('content-disposition')).toContain('mine.down.csv');
    expect(await table.text()).toBe('time_s,rate_mbps\n0,12\n6,12\n');
    expect((await (await file('?form=mahimahi')).text()).startsWith('1\n2\n3\n')).toBe(true);
    const script = await (await file('?form=netem')).text();
    expect(script).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(script).toContain(`# trace    mine.down\n# SHA-256  ${source.id}\n`);
    expect((await file('?form=xml')).status).toBe(400);
  });

  it('is refused in a form that cannot express it', async () => {
    const upload = await fetch(server.url('/traces'), { method: 'POST', body: '# ms count\n1 1\n40 0\n' });
    const { id } = TraceRecord.parse(await upload.json());
    const refused = await fetch(server.url(`/traces/${id}/file?form=mahimahi`));
    expect(Problem.parse(await refused.json())).toMatchObject({ status: 422, code: 'TRACE_FORM_REFUSED' });
  });
});
