import { describe, expect, it } from 'vitest';
import { receiverStream, senderStream } from '#protocol/columns';
import type { RunEvent, StreamInfo } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import type { StreamData } from './data';
import { OverlaidSamples, overlaidLink, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from './overlay';

const info: StreamInfo = { stream: 0, kind: 'link', direction: 'forward', columns: [] };
const stream = (): StreamData => ({ info, rows: 1, time: new Float64Array(1), column: () => undefined });
const link = { loss: 0, queue: { id: 'q', limit_bytes: null, limit_packets: null, params: {} }, delay_ms: 1 };

function runOf(label: string, flows: number, duration_s: number) {
  const manifest = RunManifest.parse({
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: 'test',
    duration_s,
    sample_period_ms: 10,
    seed: 1,
    repetition: 0,
    forward: { ...link, capacity: { kind: 'unlimited' } },
    reverse: { ...link, capacity: { kind: 'unlimited' } },
    flows: Array.from({ length: flows }, () => ({
      cca: { id: label, params: {} },
      start_s: 0,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: { kind: 'bulk' },
    })),
  });
  const streams = new Map<number, StreamData>([[0, stream()]]);
  for (let flow = 0; flow < flows; flow++)
    streams.set(senderStream(flow), stream()).set(receiverStream(flow), stream());
  const events: RunEvent[] = [];
  const listeners = new Set<() => void>();
  const samples = {
    streams,
    events,
    timeS: duration_s,
    complete: true,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const run: OverlaidRun = {
    label,
    flows: manifest.flows.map((_, i) => `${label} ${i + 1}`),
    manifest,
    samples,
  };
  const add = (flow: number | null, time_s: number): void => {
    events.push({ type: 'event', time_s, flow, event: 'rto' });
    for (const listener of listeners) listener();
  };
  return { run, add, listeners };
}

describe('runs laid over one another', () => {
  const [one, two] = [runOf('a', 2, 5), runOf('b', 1, 8)];
  const runs = [one.run, two.run] as const;

  it('are one run with all their flows', () => {
    const manifest = overlayManifest([...runs]);
    expect(manifest.duration_s).toBe(8);
    expect(manifest.flows.map((flow) => flow.cca.id)).toEqual(['a', 'a', 'b']);
    expect(overlayLabels(runs)).toEqual(['a 1', 'a 2', 'b 1']);
    expect(overlaysOf(runs)).toEqual([
      { label: 'a', firstFlow: 0, link: 0 },
      { label: 'b', firstFlow: 2, link: overlaidLink(1) },
    ]);
  });

  it('keep their streams apart, and their events, as they come', () => {
    const samples = new OverlaidSamples(runs);
    expect(samples.timeS).toBe(8);
    expect(samples.streams.get(senderStream(2))).toBe(two.run.samples.streams.get(senderStream(0)));
    expect(samples.streams.get(overlaidLink(1))).toBe(two.run.samples.streams.get(0));
    let told = 0;
    const stop = samples.subscribe(() => told++);
    two.add(0, 1);
    one.add(1, 2);
    two.add(null, 3);
    expect(samples.events.map(({ flow, time_s }) => [flow, time_s])).toEqual([
      [2, 1],
      [1, 2],
      [null, 3],
    ]);
    expect(told).toBe(3);
    stop();
    expect([one.listeners.size, two.listeners.size]).toEqual([0, 0]);
  });
});
