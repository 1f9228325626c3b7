// The oracle over the link of a run, with the real engine: what is drawn adds up to what its own run comes to.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Problem, RunRecord } from '#protocol/api';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import { ControlFrame, type Hello } from '#protocol/control';
import {
  decodeSamples,
  FRAME_HEADER_BYTES,
  FRAME_KIND_CONTROL,
  readFrameHeader,
  type SampleBlock,
} from '#protocol/frames';
import type { RunSummary } from '#protocol/summary';
import { oracleManifest } from '#analysis/oracle';
import { runId } from '../identity.ts';
import { TestServer } from '../testing/server.ts';

const SPEC = { duration_s: 10, traces: [{ trace: 'steps' }], buffers: [{ bdp: 1 }], base_rtt_ms: [40] };

/** 12 and 3 Mbps in turn, half a second each: the oracle hears of every step half a round trip late. */
const STEPS = Array.from({ length: 11_000 }, (_, ms) => ms)
  .filter((ms) => ms % 1000 < 500 || ms % 4 === 0)
  .join('\n');

const PERIOD_S = 0.01;
const PACKET_BYTES = 1500;

let server: TestServer;
/** Of an experiment with the oracle, and of one without. */
let beside: RunRecord;
let oracle: RunRecord;
let alone: RunRecord;
beforeAll(async () => {
  server = await TestServer.start();
  const upload = await fetch(server.url('/traces?name=steps'), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: `${STEPS}\n`,
  });
  expect(upload.ok).toBe(true);
  const runs = async (spec: Parameters<TestServer['submit']>[0]): Promise<RunRecord[]> => {
    const made = await server.submit(spec);
    await server.over(made);
    return Promise.all(made.runs.map(({ id }) => server.json(`/runs/${id}`, RunRecord)));
  };
  const both = await runs({ ...SPEC, name: 'with', ccas: [{ id: 'cubic' }, { id: 'oracle' }] });
  const one = await runs({ ...SPEC, name: 'without', ccas: [{ id: 'cubic' }], buffers: [{ bdp: 3 }] });
  const of = (id: string, from: readonly RunRecord[]): RunRecord => {
    const found = from.find(({ manifest }) => manifest.flows[0]?.cca.id === id);
    if (found === undefined) throw new Error(`no run of ${id}`);
    return found;
  };
  [beside, oracle, alone] = [of('cubic', both), of('oracle', both), of('cubic', one)];
});
afterAll(() => server.close());

const ask = (id: string): Promise<Response> => fetch(server.url(`/runs/${id}/oracle`));

interface Told {
  readonly hello: Hello;
  readonly summary: Omit<RunSummary, 'type'>;
  readonly blocks: readonly SampleBlock[];
}

async function told(id: string): Promise<Told> {
  const bytes = new Uint8Array(await (await ask(id)).arrayBuffer());
  const view = new DataView(bytes.buffer);
  const controls: ControlFrame[] = [];
  const blocks: SampleBlock[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const { kind, payloadBytes } = readFrameHeader(view, at);
    const frame = bytes.subarray(at, (at += FRAME_HEADER_BYTES + payloadBytes));
    if (kind === FRAME_KIND_CONTROL)
      controls.push(ControlFrame.parse(JSON.parse(new TextDecoder().decode(frame.subarray(FRAME_HEADER_BYTES)))));
    else blocks.push(decodeSamples(frame));
  }
  const [hello, summary, end] = controls;
  if (hello?.type !== 'hello' || summary?.type !== 'summary' || end?.type !== 'end') throw new Error('not in order');
  return { hello, summary, blocks };
}

/** A column of a stream from the time on that the summary is of. */
function column({ hello, blocks, summary }: Told, stream: number, name: string): number[] {
  const place = hello.streams.find((one) => one.stream === stream)?.columns.findIndex((one) => one.name === name) ?? 0;
  const from_s = summary.links[0]?.from_s ?? NaN;
  return blocks.flatMap(({ stream: of, time, columns }) =>
    of === stream ? [...(columns[place - 1] ?? [])].filter((_, row) => (time[row] ?? 0) > from_s) : [],
  );
}

const mean = (values: readonly number[]): number => {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
};

describe('the oracle of a run', () => {
  it('is the run of the same cell where the experiment has it', async () => {
    const made = vi.spyOn(server.lab.helpers, 'run');
    const { summary } = await told(beside.id);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    expect({ ...summary, type: undefined }).toEqual({ ...oracle.summary, type: undefined });
    const own = oracleManifest(beside.manifest, await server.lab.engine.listing());
    expect(own === null ? null : runId(own)).toBe(oracle.id);
  });

  it('is made for one that has none, over the same link, once for all who ask', async () => {
    const made = vi.spyOn(server.lab.helpers, 'run');
    const [first, second] = await Promise.all([told(alone.id), told(alone.id)]);
    await told(alone.id);
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
    expect(second.summary).toEqual(first.summary);
    const capacity = (summary: Pick<RunSummary, 'links'> | null): unknown =>
      summary?.links.map(({ capacity_bytes }) => capacity_bytes);
    expect(capacity(first.summary)).toEqual(capacity(alone.summary));
    // Another limit than that of the stored one.
    expect(first.summary.links[0]?.utilisation).toBeGreaterThan(0.8);
  });

  it.each(['stored', 'made'])('%s: its series come to what its summary says', async (which) => {
    const all = await told(which === 'stored' ? beside.id : alone.id);
    const [link] = all.summary.links;
    const sum = (values: readonly number[]): number => values.reduce((before, value) => before + value, 0);
    const bytes = (stream: number, name: string): number => sum(column(all, stream, name)) * PERIOD_S * 125_000;
    const carried = bytes(FORWARD_LINK_STREAM, 'delivered_mbps');
    expect(Math.abs(carried - (link?.delivered_bytes ?? NaN))).toBeLessThan(PACKET_BYTES);
    // The row in which the sender starts is drawn whole, and counts in part.
    const offered = bytes(FORWARD_LINK_STREAM, 'capacity_mbps');
    expect(Math.abs(carried / offered - (link?.utilisation ?? NaN))).toBeLessThan(0.002);
    // What has left the link and not yet arrived is all that the receiver lacks.
    const arrived = bytes(receiverStream(0), 'throughput_mbps');
    expect(arrived).toBeLessThanOrEqual(carried);
    expect(carried - arrived).toBeLessThan(40e-3 * 12 * 125_000);
    expect(mean(column(all, senderStream(0), 'srtt_ms'))).toBeGreaterThanOrEqual(40);
  });

  it('sends nothing else than who is drawn', async () => {
    const { blocks } = await told(alone.id);
    expect([...new Set(blocks.map(({ stream }) => stream))].sort((a, b) => a - b)).toEqual(
      [FORWARD_LINK_STREAM, senderStream(0), receiverStream(0)].sort((a, b) => a - b),
    );
  });

  it('is none where there is no run', async () => {
    const response = await ask('aaaaaaaaaaaaaaaaaaaa');
    expect(Problem.parse(await response.json())).toMatchObject({ status: 404, code: 'RUN_UNKNOWN' });
  });

  it('is refused where the engine cannot make it', async () => {
    const none = vi.spyOn(server.lab.engine, 'listing');
    none.mockResolvedValueOnce({ ...(await server.lab.engine.listing()), ccas: [] });
    const response = await ask(alone.id);
    none.mockRestore();
    expect(Problem.parse(await response.json())).toMatchObject({ status: 409, code: 'ORACLE_UNAVAILABLE' });
  });

  it('is made in virtual time of a run in real time, unless its link was changed while it ran', async () => {
    const made = await server.submit({
      ...{ name: 'live', engine: 'realtime', path: 'udp', duration_s: 2, ccas: [{ id: 'cubic' }] },
      ...{ traces: [{ rate_mbps: 12 }], buffers: [{ bdp: 1 }, { bdp: 2 }] },
    });
    const [left, changed] = made.runs.map(({ id }) => id);
    if (left === undefined || changed === undefined) throw new Error('two runs');
    await server.reaches(changed, 'running');
    await vi.waitFor(
      async () => {
        expect((await server.post(`/runs/${changed}/link`, { direction: 'forward', rate_mbps: 5 })).status).toBe(202);
      },
      { timeout: 5000, interval: 100 },
    );
    await server.over(made);
    expect(Problem.parse(await (await ask(changed)).json())).toMatchObject({
      code: 'ORACLE_UNAVAILABLE',
      detail: expect.stringContaining('changed while it ran') as unknown,
    });
    const { summary } = await told(left);
    expect(summary.duration_s).toBe(2);
    expect(summary.links[0]?.utilisation).toBeGreaterThan(0.95);
  });

  it('is refused before its samples fill the memory', async () => {
    const made = await server.submit({
      ...{ name: 'hours', duration_s: 80_000, ccas: [{ id: 'cubic' }], buffers: [{ bdp: 5 }] },
      traces: [{ rate_mbps: 0.2 }],
    });
    const [run] = made.runs;
    if (run === undefined) throw new Error('a run');
    expect((await server.post(`/runs/${run.id}/stop`)).ok).toBe(true);
    expect(Problem.parse(await (await ask(run.id)).json())).toMatchObject({
      code: 'ORACLE_UNAVAILABLE',
      detail: expect.stringContaining('too many') as unknown,
    });
  });
});
