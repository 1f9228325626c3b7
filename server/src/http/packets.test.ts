// Runs packet by packet, with the real engine: what is told adds up to what the run itself counted, and of other runs nothing is told.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Problem, RunRecord } from '#protocol/api';
import { PacketWindow, QueueByFlow } from '#protocol/packets';
import { TestServer } from '../testing/server.ts';

const DURATION_S = 3;
/** A packet of 1500 bytes takes 1 ms on the wire. */
const RATE_MBPS = 12;

let server: TestServer;
let run: RunRecord;
let ideal: string;
beforeAll(async () => {
  server = await TestServer.start();
  const made = await server.submit({
    name: 'packets',
    duration_s: DURATION_S,
    traces: [{ rate_mbps: RATE_MBPS }],
    ccas: [{ id: 'cubic' }, { id: 'optimal' }],
    buffers: [{ bdp: 1 }],
    loss: [0.002],
    full_scores: true,
  });
  await server.over(made);
  const whole = await Promise.all(made.runs.map(({ id }) => server.json(`/runs/${id}`, RunRecord)));
  const pair = whole.find(({ manifest }) => manifest.flows.length === 2);
  const alone = whole.find(({ manifest }) => manifest.flows[0]?.cca.id === 'optimal');
  if (pair === undefined || alone === undefined) throw new Error('no pair, or no optimal');
  [run, ideal] = [pair, alone.id];
});
afterAll(() => server.close());

const ask = (id: string, query: string): Promise<Response> => fetch(server.url(`/runs/${id}/${query}`));
const refusal = async (response: Response): Promise<Problem> => Problem.parse(await response.json());
const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((before, value) => before + (value ?? 0), 0);
const ms = (ns: number | null | undefined): number => (ns ?? NaN) / 1e6;

describe('every packet of a run', () => {
  it('adds up to what the run counted', async () => {
    const { packets, acks, ...span } = await server.json(
      `/runs/${run.id}/packets?from_s=0&to_s=${DURATION_S}`,
      PacketWindow,
    );
    expect(span).toEqual({ from_ns: 0, to_ns: DURATION_S * 1e9, complete_until_ns: DURATION_S * 1e9 });
    const [link] = run.summary?.links ?? [];
    const count = (fate: string): number => packets.fate.filter((one) => one === fate).length;
    expect(packets.flow).toHaveLength(sum(run.summary?.senders.map(({ sent_packets }) => sent_packets) ?? []));
    expect(count('dropped')).toBe(link?.dropped_packets);
    expect(count('lost')).toBe(link?.lost_packets);
    expect(count('dropped')).toBeGreaterThan(0);
    expect(count('lost')).toBeGreaterThan(0);
    expect(packets.kind.filter((kind) => kind === 'retransmission')).toHaveLength(
      sum(run.summary?.senders.map(({ retransmitted_packets }) => retransmitted_packets) ?? []),
    );
    // From arrival at the queue to the first byte on the wire, which it leaves a millisecond later.
    const waits = packets.departed_ns.flatMap((departed, at) =>
      departed === null
        ? []
        : [ms(departed) - ms(packets.queued_ns[at]) - ((packets.bytes[at] ?? 0) * 8) / (RATE_MBPS * 1e3)],
    );
    expect(waits).toHaveLength(link?.delivered_packets ?? 0);
    expect(sum(waits) / waits.length).toBeCloseTo(link?.queueing_delay.mean_ms ?? NaN, 2);
    const ways = acks.ended_ns.flatMap((ended, at) => (ended === null ? [] : [ms(ended) - ms(acks.sent_ns[at])]));
    expect(Math.min(...ways)).toBeGreaterThanOrEqual(run.manifest.reverse.delay_ms - 1e-9);
  });

  it('of a span, which is what was under way in it', async () => {
    const { packets } = await server.json(`/runs/${run.id}/packets?from_s=1&to_s=1.1`, PacketWindow);
    expect(packets.flow.length).toBeGreaterThan(50);
    expect(packets.sent_ns.every((sent) => sent < 1.1e9)).toBe(true);
    expect(packets.ended_ns.every((ended) => ended === null || ended >= 1e9)).toBe(true);
    expect([...packets.sent_ns].sort((a, b) => a - b)).toEqual(packets.sent_ns);
  });

  it('and whose packets fill the queue', async () => {
    const { period_ms, mean_bytes } = await server.json(`/runs/${run.id}/queue-by-flow`, QueueByFlow);
    const [link] = run.summary?.links ?? [];
    expect(mean_bytes).toHaveLength(2);
    expect(mean_bytes[0]).toHaveLength((DURATION_S * 1000) / period_ms);
    const mean = sum(mean_bytes.map((flow) => sum(flow) / flow.length));
    // The packet on the wire is none of the link's queue; it is one of these.
    expect(mean - (link?.queue_mean_bytes ?? NaN)).toBeGreaterThan(0);
    expect(mean - (link?.queue_mean_bytes ?? NaN)).toBeLessThanOrEqual(1500);
  });
});

describe('what cannot be watched', () => {
  it.each([
    ['no span', 'packets', 400],
    ['a span that ends before it begins', 'packets?from_s=2&to_s=1', 400],
    ['a span too long', 'packets?from_s=0&to_s=601', 400],
    ['a span behind the end', 'packets?from_s=3&to_s=4', 400],
    ['not a number', 'packets?from_s=1&to_s=1e9999', 400],
  ])('%s is refused', async (_, query, status) => {
    const response = await ask(run.id, query);
    expect([response.status, (await refusal(response)).code]).toEqual([status, 'REQUEST_INVALID']);
  });

  it('is no run at all', async () => {
    const response = await ask('aaaaaaaaaaaaaaaaaaaa', 'queue-by-flow');
    expect((await refusal(response)).code).toBe('RUN_UNKNOWN');
  });

  it('is the optimal, which sends nothing', async () => {
    const response = await ask(ideal, 'packets?from_s=0&to_s=1');
    expect(await refusal(response)).toMatchObject({
      code: 'RUN_NOT_WATCHABLE',
      detail: expect.stringContaining('no packets') as unknown,
    });
  });

  it('is a run of which this engine makes another, and only that', async () => {
    const stored = vi.spyOn(server.lab.experiments, 'run');
    const [manifest, { summary }] = [{ ...run.manifest, engine_version: '0.0.1+000000000000' }, run];
    try {
      // Another engine that makes the same run of it: nothing is wrong with that.
      stored.mockReturnValue({ ...run, manifest });
      expect((await ask(run.id, 'packets?from_s=0&to_s=1')).status).toBe(200);
      stored.mockReturnValue({ ...run, manifest, summary: summary && { ...summary, base_rtt_ms: 21 } });
      const problem = await refusal(await ask(run.id, 'packets?from_s=0&to_s=1'));
      expect(problem).toMatchObject({ status: 409, code: 'RUN_NOT_WATCHABLE' });
      expect(problem.detail).toContain('0.0.1+000000000000');
      stored.mockReturnValue({ ...run, manifest: { ...manifest, engine: 'realtime' } });
      expect((await refusal(await ask(run.id, 'queue-by-flow'))).detail).toContain('real time');
      stored.mockReturnValue({ ...run, state: 'failed' });
      expect((await refusal(await ask(run.id, 'queue-by-flow'))).code).toBe('RUN_NOT_WATCHABLE');
    } finally {
      stored.mockRestore();
    }
  });
});
