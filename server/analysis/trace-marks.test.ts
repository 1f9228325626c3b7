import { describe, expect, test } from 'vitest';
import { marksInRun, MOST_RUN_MARKS, runStory } from '#analysis/trace-marks';
import { RunManifest } from '#protocol/manifest';
import type { TraceMark } from '#protocol/trace';

const SHA = 'a'.repeat(64);
const handover = (at_s: number): TraceMark => ({ kind: 'handover', at_s, lasts_s: 0.03 });
const times = (found: readonly { readonly at_s: number }[]): number[] =>
  found.map(({ at_s }) => Math.round(at_s * 1e6) / 1e6);

const link = {
  loss: 0,
  queue: { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} },
  capacity: { kind: 'unlimited' },
  delay_ms: 20,
};
const manifestOf = (changes: Record<string, unknown>, offset_ms = 0, start_s = 0): RunManifest =>
  RunManifest.parse({
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: 'x',
    duration_s: 10,
    sample_period_ms: 10,
    seed: 1,
    repetition: 0,
    forward: { ...link, capacity: { kind: 'trace', sha256: SHA, name: 'drive', offset_ms } },
    reverse: link,
    flows: [
      {
        cca: { id: 'x', params: {} },
        start_s,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 2,
        source: { kind: 'bulk' },
      },
    ],
    ...changes,
  });

describe('the marks of a trace in a run', () => {
  const marks = [handover(1), handover(3.5)];

  test('come again on every lap', () => {
    expect(times(marksInRun(manifestOf({}), { marks }, 4000))).toEqual([1, 3.5, 5, 7.5, 9]);
  });

  test('are moved by where in the trace the run begins, which may be beyond its end', () => {
    // From 3 s of 4: 3.5 comes after half a second, 1 on the next lap.
    expect(times(marksInRun(manifestOf({}, 3000), { marks }, 4000))).toEqual([0.5, 2, 4.5, 6, 8.5]);
    expect(times(marksInRun(manifestOf({}, 7000), { marks }, 4000))).toEqual([0.5, 2, 4.5, 6, 8.5]);
  });

  test('wait with the trace for the first packet', () => {
    expect(times(marksInRun(manifestOf({ trace_start: 'first_packet' }, 0, 2.5), { marks }, 4000))).toEqual([
      3.5, 6, 7.5,
    ]);
  });

  test('are none of a link that follows no trace, and bounded', () => {
    const constant = manifestOf({ forward: { ...link, capacity: { kind: 'constant', rate_mbps: 5 } } });
    expect(marksInRun(constant, { marks }, 4000)).toEqual([]);
    expect(marksInRun(manifestOf({}), { marks: [] }, 4000)).toEqual([]);
    expect(marksInRun(manifestOf({ duration_s: 3600 }), { marks: [handover(0)] }, 25)).toHaveLength(MOST_RUN_MARKS);
  });
});

test('the signal is that of the moment of the trace in which the run is, on every lap', () => {
  const marks = { count: 0, marks: [], snr: { every_ms: 1000, mean_db: [0, 10, 20, 30] } };
  const { signal } = runStory(manifestOf({}, 2500), marks, 4000);
  expect(signal?.mean_db).toBe(15);
  // It begins in the middle of the third second; the trace is over after 1.5 s and begins again.
  expect([0, 0.4, 0.6, 1.4, 1.6, 5.6].map((at_s) => signal?.at(at_s))).toEqual([20, 20, 30, 30, 0, 0]);
  expect(runStory(manifestOf({}), { ...marks, snr: null }, 4000).signal).toBe(null);
});
