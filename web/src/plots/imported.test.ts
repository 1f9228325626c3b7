import { describe, expect, it } from 'vitest';
import { receiverStream, senderStream } from '#protocol/columns';
import type { Imported } from '#protocol/imported';
import { LISTING } from '../gallery/ccas';
import { RunFixture } from '../gallery/run-fixture';
import { importedManifest, importedSamples } from './imported';

const FILE: Imported = {
  form: 'flent',
  version: null,
  title: null,
  started_at: null,
  duration_s: 0.4,
  flows: [
    {
      label: 'one',
      cca: 'curve',
      series: [
        { quantity: 'throughput_mbps', time_s: [0.2, 0.4], values: [5, null] },
        { quantity: 'rtt_ms', time_s: [0.2, 0.4], values: [30, 31] },
        { quantity: 'cwnd_bytes', time_s: [0.3], values: [15_000] },
      ],
    },
    { label: 'two', cca: 'unheard', series: [{ quantity: 'rtt_ms', time_s: [0.2], values: [9] }] },
  ],
  notes: [],
};

describe('a file of another program as a run', () => {
  it('has its series under the names of telemetry, where it begins', () => {
    const { streams, timeS, complete } = importedSamples(FILE, 1);
    expect([...streams.keys()]).toEqual([senderStream(0), receiverStream(0), senderStream(1)]);
    const sender = streams.get(senderStream(0));
    expect(Array.from(sender?.time ?? [], (time) => Number(time.toFixed(6)))).toEqual([1.2, 1.3, 1.4]);
    expect([...(sender?.column('srtt_ms') ?? [])]).toEqual([30, NaN, 31]);
    expect([...(sender?.column('latest_rtt_ms') ?? [])]).toEqual([30, NaN, 31]);
    expect([...(sender?.column('cwnd_bytes') ?? [])]).toEqual([NaN, 15_000, NaN]);
    expect(sender?.column('inflight_bytes')).toBeUndefined();
    expect([...(streams.get(receiverStream(0))?.column('throughput_mbps') ?? [])]).toEqual([5, NaN]);
    expect([timeS, complete]).toEqual([1.4, true]);
  });

  it('has the look of its algorithm where that is known, and nothing of the run’s link', () => {
    const run = new RunFixture({ flows: [{ cca: 'halving' }], duration_s: 3 }).manifest;
    const manifest = importedManifest(FILE, run, 5, LISTING);
    expect(manifest.flows.map(({ cca }) => cca.id)).toEqual(['curve', 'imported']);
    expect(manifest.duration_s).toBeCloseTo(5.4);
    expect(manifest.forward).toMatchObject({ delay_ms: 0, capacity: { kind: 'unlimited' } });
    expect(manifest.forward.queue).toMatchObject({ limit_bytes: null, limit_packets: null });
  });
});
