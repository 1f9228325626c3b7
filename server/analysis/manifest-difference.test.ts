import { describe, expect, it } from 'vitest';
import { differOnlyInEngine, manifestDifference } from '#analysis/manifest-difference';
import { RunManifest } from '#protocol/manifest';

const manifest = (change: Record<string, unknown> = {}, flow: Record<string, unknown> = {}): RunManifest =>
  RunManifest.parse({
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: 'aaa',
    duration_s: 60,
    sample_period_ms: 10,
    seed: 1,
    repetition: 0,
    forward: {
      loss: 0,
      queue: { id: 'droptail', limit_bytes: 150_000, limit_packets: null, params: {} },
      capacity: { kind: 'constant', rate_mbps: 24 },
      delay_ms: 10,
    },
    reverse: {
      loss: 0,
      queue: { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} },
      capacity: { kind: 'unlimited' },
      delay_ms: 10,
    },
    flows: [
      {
        cca: { id: 'cubic', params: { beta: 0.7 } },
        start_s: 0,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 2,
        source: { kind: 'bulk' },
        ...flow,
      },
    ],
    ...change,
  });

const told = (manifests: readonly RunManifest[]) =>
  manifestDifference(manifests).groups.map(({ title, fields }) => [
    title,
    ...fields.map(({ label, texts }) => `${label}: ${texts.join(' | ')}`.replace(/\u00a0|\u202f/g, ' ')),
  ]);

describe('what differs between manifests', () => {
  it('is nothing between equal ones, and every field is counted', () => {
    const { groups, equal } = manifestDifference([manifest(), manifest()]);
    expect(groups).toEqual([]);
    expect(equal.map(({ path }) => path)).toContain('forward.queue.limit_bytes');
    expect(equal).toHaveLength(29);
  });

  it('is told by groups, in words and units, and what one of them lacks is said', () => {
    const other = manifest(
      {
        seed: 1234567,
        forward: {
          ...manifest().forward,
          capacity: { kind: 'trace', sha256: 'ab'.repeat(32), name: 'Walk', offset_ms: 250 },
          queue: { id: 'codel', limit_bytes: null, limit_packets: 100, params: { target_ms: 5 } },
        },
      },
      { cca: { id: 'bbr', params: {} }, stop_s: 30 },
    );
    expect(told([manifest(), other])).toEqual([
      ['CCA and parameters', 'algorithm: cubic | bbr', 'beta: 0.7 | not set'],
      [
        'Path and trace',
        'capacity: constant | trace',
        'rate: 24 Mbps | not set',
        'trace, by content: not set | abababababab',
        'trace: not set | Walk',
        'begins in the trace at: not set | 250 ms',
      ],
      [
        'Queue and limit',
        'discipline: droptail | codel',
        'limit in bytes: 150 000 B | none',
        'limit in packets: none | 100',
        'target: not set | 5 ms',
      ],
      ['Flows and their ends', 'stop: with the run | 30 s'],
      ['Seed and repetition', 'seed: 1 | 1234567'],
    ]);
  });

  it('names flows where there are several, and directions and elements', () => {
    const flows = [...manifest().flows, ...manifest({}, { start_s: 5 }).flows];
    const path = [{ element: 'loss' }, { element: 'bottleneck' }, { element: 'jitter', params: { sd_ms: 2 } }];
    const other = manifest({ flows, forward: { ...manifest().forward, path } });
    const { groups } = manifestDifference([manifest({ flows: manifest().flows }), other]);
    const labels = groups.flatMap(({ fields }) => fields.map(({ label }) => label));
    expect(labels).toContain('flow 2, start');
    expect(labels).toContain('element 3, sd');
  });

  it('writes long lists short', () => {
    const recorded = (delays_ms: number[]) =>
      manifest({
        forward: {
          ...manifest().forward,
          path: [{ element: 'jitter', recorded: { times_ms: [0, 1, 2, 3, 4], delays_ms } }],
        },
      });
    const { groups } = manifestDifference([recorded([1, 2, 3, 4, 5]), recorded([1, 2, 3, 4, 6])]);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.fields.map(({ texts }) => texts)).toEqual([['5 values; value 5: 5', '5 values; value 5: 6']]);
  });

  it('knows when only the engine is another one', () => {
    expect(differOnlyInEngine([manifest(), manifest({ engine_version: 'bbb' })])).toBe(true);
    expect(differOnlyInEngine([manifest(), manifest({ engine_version: 'bbb', seed: 2 })])).toBe(false);
    expect(differOnlyInEngine([manifest(), manifest()])).toBe(false);
  });
});
